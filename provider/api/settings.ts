import { type DialectName, dialectNames, dialects } from "./dialect";
import { SettingsError } from "./errors";
import { type ObservabilityVia, observabilityRoutes } from "./operations";
import { shortened } from "./printable";

/** Settings of the provider, by the name used in stack configuration (`pipestack:<name>`). */
export interface Settings {
  /** Address of the management API, without a trailing slash. */
  readonly baseUrl?: string;
  /** Address of the observability API, without a trailing slash. */
  readonly obsBaseUrl?: string;
  /** Organization (uuid) of resources and functions that do not name one. */
  readonly organizationId?: string;
  /** Service (uuid) of resources and functions that do not name one. */
  readonly serviceId?: string;
  /** Key that signs requests to the management API. */
  readonly keyId?: string;
  /** Secret of that key. */
  readonly keySecret?: string;
  /** Bearer token of the observability API. */
  readonly accessToken?: string;
  /** Whose words the servers speak: those of the API document, or those of ClickHouse Cloud and HyperDX. */
  readonly dialect: DialectName;
  /** Which API serves dashboards, alerts, sources and webhooks. Without it: {@link observabilityViaOf}. */
  readonly observabilityVia?: ObservabilityVia;
  /** `all` also uses operations that the API document does not show; `documented` uses only those that it shows. */
  readonly operations: "all" | "documented";
  /** Time limit of one attempt of one request, in seconds. */
  readonly timeoutSeconds: number;
  /** How often a request is repeated after a failure that allows it. */
  readonly maxRetries: number;
  /** Upper bound of requests per second to each API; 0 means the limits of the dialect, of which neutral has none. */
  readonly requestsPerSecond: number;
}

export type SettingName = keyof Settings;

/** Where a raw setting comes from; the first that has it wins. */
export type SettingSource = (name: SettingName) => string | undefined;

interface SettingRule<Value> {
  /** Never shown in a message. */
  readonly secret?: boolean;
  readonly rule: string;
  parse(text: string): Value | undefined;
  readonly byDefault?: Value;
}

/** What the identifiers of organizations, services and pipes look like. */
export const uuid = {
  pattern: "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
  rule: "a uuid, such as 7b0f0f0e-27a2-4f0c-9f43-9c1d6a0a3c11",
};

const identifier: SettingRule<string> = {
  rule: `must be ${uuid.rule}`,
  parse: (text) => (new RegExp(uuid.pattern).test(text) ? text : undefined),
};
const address: SettingRule<string> = {
  rule: "must be an https:// address (http:// only for this machine's loopback addresses, since it carries credentials), without user, query or fragment",
  parse: parseAddress,
};
const credential: SettingRule<string> = {
  secret: true,
  rule: "must be printable ASCII without spaces",
  parse: (text) => (/^[\x21-\x7e]+$/.test(text) ? text : undefined),
};

const rules: { readonly [Name in SettingName]-?: SettingRule<NonNullable<Settings[Name]>> } = {
  baseUrl: address,
  obsBaseUrl: address,
  organizationId: identifier,
  serviceId: identifier,
  // A colon would end the user name of Basic authentication early.
  keyId: { ...credential, parse: (text) => (text.includes(":") ? undefined : credential.parse(text)) },
  keySecret: credential,
  accessToken: credential,
  dialect: {
    rule: `must be ${dialectNames.join(" or ")}`,
    parse: (text) => dialectNames.find((name) => name === text),
    byDefault: "neutral",
  },
  observabilityVia: {
    rule: "must be both, management or observability",
    parse: (text) => observabilityRoutes.find((name) => name === text),
  },
  operations: {
    rule: "must be all or documented",
    parse: (text) => (text === "all" || text === "documented" ? text : undefined),
    byDefault: "all",
  },
  timeoutSeconds: number("must be a number of seconds from 1 to 600", 1, 600, 30),
  maxRetries: number("must be a whole number from 0 to 10", 0, 10, 4, true),
  requestsPerSecond: {
    rule: "must be a number from 0.01 to 1000, or 0 for the dialect's limit",
    byDefault: 0,
    parse(text) {
      const value = Number(text);
      return value === 0 || (value >= 0.01 && value <= 1000) ? value : undefined;
    },
  },
};

/** Names of all settings. */
export const settingNames = Object.keys(rules) as SettingName[];

/** The environment variable of a setting: `obsBaseUrl` is `PIPESTACK_OBS_BASE_URL`. */
export function environmentVariable(name: SettingName): string {
  return `PIPESTACK_${name.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}

/**
 * Settings from the given sources, the first of which that has a value wins. What is missing stays missing until it
 * is needed; what is there and unusable is an error that names the setting and how to set it.
 */
export function resolveSettings(sources: readonly SettingSource[]): Settings {
  const settings: Record<string, unknown> = {};
  for (const name of settingNames) {
    const text = sources.map((source) => source(name)?.trim()).find(Boolean);
    const rule = rules[name];
    if (text === undefined) {
      if (rule.byDefault !== undefined) settings[name] = rule.byDefault;
      continue;
    }
    const value = rule.parse(text);
    if (value === undefined) {
      // An address with a user or a query may hold a credential too.
      const got = rule.secret || /[@?]/.test(text) ? "" : ` (found ${JSON.stringify(shortened(text))})`;
      throw new SettingsError(`setting ${name} ${rule.rule}${got}; ${howToSet(name)}`);
    }
    settings[name] = value;
  }
  const { baseUrl, obsBaseUrl } = dialects[settings.dialect as DialectName];
  return {
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(obsBaseUrl === undefined ? {} : { obsBaseUrl }),
    ...settings,
  } as Settings;
}

/** A setting that cannot be done without; the error says how to set it. */
export function requireSetting(
  settings: Settings,
  name: "baseUrl" | "obsBaseUrl" | "organizationId" | "serviceId" | "keyId" | "keySecret" | "accessToken",
): string {
  const value = settings[name];
  if (value === undefined) throw new SettingsError(`setting ${name} is missing; ${howToSet(name)}`);
  return value;
}

/**
 * Which API serves dashboards, alerts, sources and webhooks: the one whose credentials are there, or both. A server that
 * one hosts oneself has no management API, and a user of the cloud product may have no token of the observability API.
 */
export function observabilityViaOf({
  observabilityVia,
  keyId,
  keySecret,
  accessToken,
}: Settings): ObservabilityVia {
  if (observabilityVia) return observabilityVia;
  const hasKey = keyId !== undefined && keySecret !== undefined;
  if (hasKey === (accessToken !== undefined)) return "both";
  return hasKey ? "management" : "observability";
}

/** Settings in the environment variables of this process, read afresh at each call. */
export const fromEnvironment: SettingSource = (name) => process.env[environmentVariable(name)];

function howToSet(name: SettingName): string {
  const secret = rules[name].secret && name !== "keyId" ? "--secret " : "";
  return `set it with "pulumi config set ${secret}pipestack:${name} <value>" or the environment variable ${environmentVariable(name)}`;
}

function number(
  rule: string,
  least: number,
  most: number,
  byDefault: number,
  whole = false,
): SettingRule<number> {
  return {
    rule,
    byDefault,
    parse(text) {
      const value = Number(text);
      return value >= least && value <= most && (!whole || Number.isInteger(value)) ? value : undefined;
    },
  };
}

function parseAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.username || url.password || url.search || url.hash) return undefined;
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname))) return undefined;
  let { href } = url;
  while (href.endsWith("/")) href = href.slice(0, -1);
  return href;
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
