import {
  fromEnvironment,
  type GivenSettings,
  resolveSettings,
  type SettingSource,
  settingFailures,
} from "../../api/settings";
import { type SettingName, settingNames, settingSchema } from "../../api/settingsSchema";
import { isDrawnPreview } from "../../engine/drawnPreview";
import { type Log, Session } from "../../lifecycle/session";
import type { Data } from "../../values/data";
import { printableMessage, shortened } from "../../values/printable";
import { isUnknown } from "../../values/unknown";
import { adviceFor, type Failure } from "../../values/validate";

/** Members that the engine itself puts beside the settings of a provider. */
const engineSettings = ["version", "pluginDownloadURL", "__internal"];

/**
 * Every problem of a provider's settings. Unknown values pass. The engine prints the value of a property that a
 * failure names, so only settings are named that hold no credential; all messages say which one they are about.
 */
export function configurationFailures(properties: Data): Failure[] {
  const unexpected = Object.keys(properties)
    .filter((name) => !(settingNames as string[]).includes(name) && !engineSettings.includes(name))
    .map((name) => ({
      path: "",
      message: `${shortened(name)} is not a setting; ${adviceFor(name, settingNames)}`,
    }));
  const texts = textsOf(properties);
  const invalid = settingFailures(texts).map(({ name, message }) => ({
    path: mayHoldCredential(name, texts[name]) ? "" : name,
    message,
  }));
  return [...unexpected, ...invalid].map(({ path, message }) => ({
    path,
    message: printableMessage(message),
  }));
}

/** People paste secrets into settings for credentials, and an address may have a user or a query. */
function mayHoldCredential(name: SettingName, text = ""): boolean {
  return settingSchema(name).isShown === false || /[@?]/.test(text);
}

/**
 * The session of a provider. The arguments of an explicit provider come before the environment, and the stack's
 * configuration stands in for the rest; the default provider's settings come from the stack's configuration, and the
 * environment comes before that, since refresh and destroy run with the configuration of the last update.
 */
export function openSession(properties: Data, isDefaultProvider: boolean, log: Log): Session {
  const texts = textsOf(properties);
  const configured: SettingSource = (name) => texts[name];
  const sources = isDefaultProvider
    ? [fromEnvironment, configured]
    : [configured, fromEnvironment, ofStack()];
  return new Session(() => resolveSettings(sources), log, isDrawnPreview());
}

/** The stack's configuration, which the engine gives to the plugins of all providers by a variable. */
function ofStack(): SettingSource {
  const texts = textsOf(JSON.parse(process.env.PULUMI_CONFIG ?? "{}") as Data);
  return (name) => texts[name];
}

function textsOf(properties: Data): GivenSettings {
  const texts = settingNames.flatMap((name) => {
    const value = properties[name];
    if (value === undefined || value === null || isUnknown(value)) return [];
    return [[name, typeof value === "object" ? JSON.stringify(value) : String(value)] as const];
  });
  return Object.fromEntries(texts);
}
