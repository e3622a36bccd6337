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
import type { PropertyMap } from "../../values/data";
import { printableMessage, shortened } from "../../values/printable";
import { isUnknown } from "../../values/unknown";
import { adviceFor, type Failure } from "../../values/validate";

/** Names of properties that the engine adds to the settings of a provider. */
const engineSettings = ["version", "pluginDownloadURL", "__internal"];

/** The engine prints the value of a property that a failure names, so only the message names a setting with a credential. */
export function configurationFailures(properties: PropertyMap): Failure[] {
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

/**
 * The failure of an explicit provider with the name `default`, which the engine gives to a provider of its own: afterwards the
 * plugin could not tell the two apart, and would take the environment before the provider's arguments. The arguments of the
 * engine's own provider are the stack's configuration.
 */
export function nameFailures(name: string, properties: PropertyMap): readonly Failure[] {
  if (name !== "default" || process.env.PULUMI_CONFIG === undefined) return [];
  const [texts, configured] = [textsOf(properties), ofStack()];
  const isOfEngine = settingNames.every(
    (setting) => texts[setting] === undefined || texts[setting] === configured(setting),
  );
  if (isOfEngine) return [];
  const message =
    "the engine's own provider has the name default, so the environment would override this provider's settings; give it another name";
  return [{ path: "", message }];
}

/** Whether a setting may hold a credential: people paste secrets into ids, and an address may have a user or a query string. */
function mayHoldCredential(name: SettingName, text = ""): boolean {
  return settingSchema(name).isShown === false || /[@?]/.test(text);
}

/**
 * Opens the session of a provider by its arguments, the environment and the stack's configuration, in this order. The default
 * provider takes the environment first, since refresh and destroy run with the configuration of the last update.
 */
export function openSession(properties: PropertyMap, isDefaultProvider: boolean, log: Log): Session {
  const texts = textsOf(properties);
  const configured: SettingSource = (name) => texts[name];
  const sources = isDefaultProvider
    ? [fromEnvironment, configured]
    : [configured, fromEnvironment, ofStack()];
  return new Session((tell) => resolveSettings(sources, tell), log, isDrawnPreview());
}

/** The provider settings in the stack's configuration, which the engine passes to all plugins in an environment variable. */
function ofStack(): SettingSource {
  const texts = textsOf(JSON.parse(process.env.PULUMI_CONFIG ?? "{}") as PropertyMap);
  return (name) => texts[name];
}

function textsOf(properties: PropertyMap): GivenSettings {
  const texts = settingNames.flatMap((name) => {
    const value = properties[name];
    if (value === undefined || value === null || isUnknown(value)) return [];
    return [[name, typeof value === "object" ? JSON.stringify(value) : String(value)] as const];
  });
  return Object.fromEntries(texts);
}
