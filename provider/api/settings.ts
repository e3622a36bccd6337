import { isObject, type PropertyMap } from "../values/data";
import { shortened } from "../values/printable";
import type { TSchema } from "../values/schemaBuilders";
import { type Dialect, type DialectName, dialects, type RateLimit } from "./dialect";
import { SettingsError } from "./errors";
import type { Operation } from "./operation";
import { type ObservabilityVia, type OperationName, operationOn } from "./operations";
import {
  environmentVariable,
  type SettingName,
  type Settings,
  settingNames,
  settingSchema,
} from "./settingsSchema";

/** The provider's settings as texts, by name. A blank text counts as missing. */
export type GivenSettings = { readonly [Name in SettingName]?: string };

/** A source of the provider's settings as texts, such as the environment. The first source with a setting takes precedence. */
export type SettingSource = (name: SettingName) => string | undefined;

/** Reads the provider's settings from the environment variables of this process, anew at each call. */
export const fromEnvironment: SettingSource = (name) => process.env[environmentVariable(name)];

/** The failures of all settings with invalid values. Each message says which values are valid, and none shows a secret. */
export function settingFailures(texts: GivenSettings): { name: SettingName; message: string }[] {
  return settingNames.flatMap((name) => {
    const text = texts[name]?.trim();
    const schema = settingSchema(name);
    if (!text || parsed(schema, text) !== undefined) return [];
    // An address with a user or a query may hold a credential, so the message about an invalid setting does not show it.
    const isHidden = schema.isShown === false || /[@?]/.test(text);
    const rule = schema.rule ?? oneOf(schema);
    const repetition = isHidden ? "" : ` (found ${JSON.stringify(shortened(text))})`;
    return [
      {
        name,
        message: `setting ${name} must be ${rule}${repetition}; ${howToSet(name)}`,
      },
    ];
  });
}

/**
 * Makes the settings, or throws a SettingsError for all invalid values; a missing one is an error only when it is needed.
 * @param tell receives what the settings assume and the user may not mean: that the servers are those of the product
 */
export function resolveSettings(
  sources: readonly SettingSource[],
  tell: (assumption: string) => void = () => undefined,
): Settings {
  const texts: Record<string, string | undefined> = Object.fromEntries(
    settingNames.map((name) => [name, sources.map((source) => source(name)?.trim()).find(Boolean)]),
  );
  const failures = settingFailures(texts);
  if (failures.length > 0) throw new SettingsError(failures.map(({ message }) => message).join("\n"));
  const settings = settingNames.flatMap((name) => {
    const schema = settingSchema(name);
    const text = texts[name];
    const value = text === undefined ? schema.default : parsed(schema, text);
    return value === undefined ? [] : [[name, value] as const];
  });
  const dialect = (texts.dialect ?? usualDialect(texts)) as DialectName;
  if (texts.dialect === undefined && dialect === "clickhouse")
    tell(
      "the setting dialect is clickhouse, since neither baseUrl nor obsBaseUrl is set; set it to confirm that",
    );
  return { dialect, ...addressesOf(dialects[dialect]), ...Object.fromEntries(settings) } as Settings;
}

/** The dialect of servers whose dialect no setting names. Only the product has servers that all users share. */
function usualDialect({ baseUrl, obsBaseUrl }: GivenSettings): DialectName {
  return baseUrl === undefined && obsBaseUrl === undefined ? "clickhouse" : "neutral";
}

/** The value of a setting that a request needs; if it is missing, the error says how to set it. */
export function requireSetting(
  settings: Settings,
  name: "baseUrl" | "obsBaseUrl" | "organizationId" | "serviceId" | "keyId" | "keySecret" | "accessToken",
): string {
  const value = settings[name];
  if (value === undefined) throw new SettingsError(missingSettings([name]));
  return value;
}

/** The rate limit of an API: the user's setting, or else the limit that the dialect knows. */
export function limitIn(
  { dialect, requestsPerSecond: rate }: Settings,
  api: Operation["api"],
): RateLimit | undefined {
  if (rate === 0) return dialects[dialect].limits[api];
  const requests = Math.max(1, Math.floor(rate));
  return { requests, seconds: requests / rate };
}

export function missingSettings(names: readonly SettingName[]): string {
  const [name, ...furtherNames] = names;
  if (name !== undefined && furtherNames.length === 0) return `setting ${name} is missing; ${howToSet(name)}`;
  const secrets = names.filter((candidate) => settingSchema(candidate).secret);
  const option = secrets.length > 0 ? ` (--secret for ${allOf(secrets)})` : "";
  const variables = names.map(environmentVariable);
  return `settings ${allOf(names)} are missing; set each with "pulumi config set pipestack:<name> <value>"${option} or the environment variables ${allOf(variables)}`;
}

/** The names of the settings that requests to an API need, beside those that name an organization or service. */
const accessSettings = {
  management: ["baseUrl", "keyId", "keySecret"],
  observability: ["obsBaseUrl", "accessToken"],
} as const;

export function addressSetting(api: keyof typeof accessSettings): "baseUrl" | "obsBaseUrl" {
  return accessSettings[api][0];
}

/** The missing settings without which no request to an API is possible. */
export function missingAccess(settings: Settings, api: keyof typeof accessSettings): SettingName[] {
  return accessSettings[api].filter((name) => settings[name] === undefined);
}

export function settingToCheck(name: SettingName): string {
  return `the setting ${name} (${environmentVariable(name)})`;
}

/**
 * The API that serves dashboards, alerts, sources and webhooks: the one with credentials, or else the dialect's. A self-hosted
 * server has no management API, and a user of ClickHouse Cloud may have no token of the observability API.
 */
export function observabilityViaOf(settings: Settings): ObservabilityVia {
  const { dialect, observabilityVia, accessToken } = settings;
  if (observabilityVia) return observabilityVia;
  if (hasKey(settings) === (accessToken !== undefined)) return dialects[dialect].observabilityVia;
  return hasKey(settings) ? "management" : "observability";
}

export function apiOf(name: OperationName, settings: Settings): Operation["api"] {
  return operationOn(observabilityViaOf(settings), name).api;
}

/** Whether the settings do not tell which API is meant, since they have credentials of neither API. */
export function isUndecided(settings: Settings): boolean {
  return !settings.observabilityVia && !hasKey(settings) && settings.accessToken === undefined;
}

/** The end of a message about missing credentials of the management API, if the user may mean the observability API instead. */
export const orTheOtherAlone =
  "; a server with the observability API alone needs only obsBaseUrl and accessToken";

export function hasKey({ keyId, keySecret }: Settings): boolean {
  return keyId !== undefined && keySecret !== undefined;
}

/** The secret texts of the settings: the credentials, and the pair that Basic authentication sends. A key's id is no secret. */
export function credentialsIn({ keyId, keySecret, accessToken }: Settings): string[] {
  const pair = keyId && keySecret && `${keyId}:${keySecret}`;
  return [pair, keySecret, accessToken].flatMap((credential) => credential || []);
}

/**
 * A warning if dashboards and alerts may go where nobody wants them: credentials are missing, although a setting is set that only
 * their API needs, or the credentials are those of two systems.
 */
export function forgottenCredentials(settings: Settings): string | undefined {
  const { observabilityVia, accessToken } = settings;
  if (observabilityVia) return undefined;
  if (hasKey(settings) === (accessToken !== undefined))
    return hasKey(settings) ? twoSystems(settings) : undefined;
  const [api, credentials, suggesting] = hasKey(settings)
    ? (["management", ["accessToken"], ["obsBaseUrl"]] as const)
    : (["observability", ["keyId", "keySecret"], ["keyId", "keySecret", ...places, "baseUrl"]] as const);
  const usual = addressesOf(dialects[settings.dialect]);
  const hint = suggesting.find((name) => settings[name] !== undefined && settings[name] !== usual[name]);
  if (!hint) return undefined;
  const missing = credentials.filter((name) => settings[name] === undefined);
  return `dashboards and alerts go through the ${api} API alone, since ${hint} is set without ${allOf(missing)}; to confirm that, set observabilityVia to ${api}`;
}

const places = ["organizationId", "serviceId"] as const;

/** The warning about the key of a product's cloud beside the token of a server of the user's own. */
function twoSystems(settings: Settings): string | undefined {
  const { baseUrl, obsBaseUrl } = addressesOf(dialects[settings.dialect]);
  const isCloud = baseUrl !== undefined && settings.baseUrl === baseUrl;
  if (!isCloud || settings.obsBaseUrl === obsBaseUrl) return undefined;
  return `dashboards and alerts go to ClickHouse Cloud, and not to the server of obsBaseUrl (${settings.obsBaseUrl}), since there is a key, too; to have them there, set observabilityVia to observability; to confirm that they are in the cloud, set it to management`;
}

/** The addresses of the APIs that all servers of a dialect share. */
function addressesOf({ baseUrl, obsBaseUrl }: Dialect): Partial<Settings> {
  return {
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(obsBaseUrl === undefined ? {} : { obsBaseUrl }),
  };
}

function howToSet(name: SettingName): string {
  const secret = settingSchema(name).secret ? "--secret " : "";
  return `set it with "pulumi config set ${secret}pipestack:${name} <value>" or the environment variable ${environmentVariable(name)}`;
}

function allOf(names: readonly string[]): string {
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : (names[0] ?? "");
}

function oneOf({ enum: values }: TSchema): string {
  return `${values.slice(0, -1).join(", ")} or ${values.at(-1)}`;
}

/** The value of a setting's text; undefined if invalid. Loading ajv for it would slow down programs that send no requests. */
function parsed(schema: TSchema, text: string): unknown {
  if (schema.anyOf) {
    const values = schema.anyOf.map((either: TSchema) => parsed(either, text));
    return values.find((value: unknown) => value !== undefined);
  }
  if (schema.format === "uri") return addressIn(text, schema.withoutPath);
  if (schema.type === "string") {
    const isValid = schema.enum ? schema.enum.includes(text) : new RegExp(schema.pattern).test(text);
    return isValid ? text : undefined;
  }
  if (schema.type === "object") return textsIn(text, schema);
  if (schema.type === "boolean") return text === "true" ? true : text === "false" ? false : undefined;
  const value = Number(text);
  const { const: only = value, minimum = value, maximum = value, type } = schema;
  const isValid = value === only && value >= minimum && value <= maximum;
  return isValid && (type !== "integer" || Number.isInteger(value)) ? value : undefined;
}

/**
 * An object whose keys and values all have the form of its values; undefined if the text is none. Pulumi's CLI stores a text like `4711` or
 * `true` in a structured value as a number or a boolean.
 */
function textsIn(text: string, { patternProperties, maxProperties }: TSchema): unknown {
  const object = objectIn(text);
  if (!object) return undefined;
  const [{ pattern }] = Object.values(patternProperties) as [TSchema];
  const isText = (value: unknown) => ["string", "number", "boolean"].includes(typeof value);
  const members = Object.entries(object).map(([name, value]) => [name, isText(value) ? String(value) : ""]);
  const isValid = members.flat().every((part) => new RegExp(pattern).test(part ?? ""));
  return members.length <= maxProperties && isValid ? Object.fromEntries(members) : undefined;
}

function objectIn(text: string): PropertyMap | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function addressIn(text: string, withoutPath: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.username || url.password || url.search || url.hash) return undefined;
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname))) return undefined;
  let { href } = url;
  while (href.endsWith("/")) href = href.slice(0, -1);
  return href.endsWith(withoutPath) ? undefined : href;
}

/** Whether a host name of a URL can only mean this machine. */
export function isLoopback(host: string): boolean {
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    host === "[::1]" ||
    /^127(\.\d{1,3}){3}$/.test(host)
  );
}
