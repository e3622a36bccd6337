import { type Static, type TSchema, Type } from "../values/schemaBuilders";
import { dialectNames } from "./dialect";
import { observabilityRoutes } from "./operations";

/** The form of ids of organizations, services and pipes (uuid). */
export const uuid = {
  pattern: "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
  rule: "a uuid, such as 7b0f0f0e-27a2-4f0c-9f43-9c1d6a0a3c11",
};

export interface SettingAnnotations {
  /** The form of a setting's valid values, worded to follow "must be". */
  readonly rule?: string;
  /** An end that the path of an address in the settings must not have, since requests or links append it. */
  readonly withoutPath?: string;
  /** Whether the setting is kept encrypted in the Pulumi state and in stack configuration. */
  readonly secret?: boolean;
  /** False if no message may show the setting's value, since people may paste secrets there. */
  readonly isShown?: boolean;
}

/**
 * @param path the beginning of the path of each request or link, such as `/v1`, which people often copy along with the address
 */
const address = (path: string, reason = ", since it carries credentials", adds = "request") => ({
  format: "uri",
  withoutPath: path,
  rule: `an https:// address (http:// only for this machine's loopback addresses${reason}), without user, query or fragment, and without ${path}, which each ${adds} adds`,
});
const credential = {
  pattern: "^[\\x21-\\x7e]+$",
  rule: "printable ASCII without spaces",
  isShown: false,
};

/**
 * All settings of the provider, by the name used in stack configuration (`pipestack:<name>`). Their types, the arguments of
 * `Provider`, how text is read, and the table for users follow from it.
 */
export const settingsSchema = Type.Object({
  /**
   * Address of the management API: https, or http on a loopback address.
   * @default the dialect's
   */
  baseUrl: Type.Optional(Type.String(address("/v1"))),
  /**
   * Address of the observability API: https, or http on a loopback address.
   * @default the dialect's
   */
  obsBaseUrl: Type.Optional(Type.String(address("/api/v2"))),
  /**
   * Address of the web console's pages (ClickStack), to which the outputs `url` lead: https, or http on a loopback address.
   * @default that of ClickHouse Cloud, with `clickhouse` through the management API
   */
  pageUrl: Type.Optional(Type.String(address("/dashboards", "", "link"))),
  /** Id of the organization (uuid) for resources and functions that name none. */
  organizationId: Type.Optional(Type.String(uuid)),
  /** Id of the service (uuid) for resources and functions that name none. */
  serviceId: Type.Optional(Type.String(uuid)),
  /** Id of the API key that signs requests to the management API. */
  // Basic authentication takes the first colon for the end of the user name, so the id of an API key must not contain one.
  keyId: Type.Optional(Type.String({ ...credential, pattern: "^[\\x21-\\x39\\x3b-\\x7e]+$" })),
  /** Secret of the API key that signs requests to the management API. Encrypted in the Pulumi state. */
  keySecret: Type.Optional(Type.String({ ...credential, secret: true })),
  /** Bearer token of the observability API. Encrypted in the Pulumi state. */
  accessToken: Type.Optional(Type.String({ ...credential, secret: true })),
  /**
   * Vocabulary of the servers: `neutral` is that of the API document, `clickhouse` that of ClickHouse Cloud and HyperDX.
   * @default `clickhouse` if neither `baseUrl` nor `obsBaseUrl` is set, else `neutral`
   */
  dialect: Type.Unsafe<(typeof dialectNames)[number]>({ type: "string", enum: dialectNames }),
  /**
   * API that serves dashboards, alerts, sources and webhooks: `management`, `observability`, or `both` as the API
   * document shows.
   * @default the one with credentials; with both, `both` in `neutral` and `management` in `clickhouse`
   */
  observabilityVia: Type.Optional(
    Type.Unsafe<(typeof observabilityRoutes)[number]>({ type: "string", enum: observabilityRoutes }),
  ),
  /**
   * Whether previews ask the service to validate new and changed dashboards, one request each: `true` or `false`. Only
   * servers of `clickhouse` are known to do that without writing.
   * @default true in `clickhouse`, false in `neutral`
   */
  validateDashboards: Type.Optional(Type.Boolean({ rule: "true or false" })),
  /**
   * What an update does that would overwrite somebody else's change since the last deployment or refresh: `warn` warns and goes
   * on, `fail` stops before it writes.
   * @default `warn`
   */
  onConflict: Type.Unsafe<"warn" | "fail">({ type: "string", enum: ["warn", "fail"], default: "warn" }),
  /**
   * Tags that every service, Postgres service, dashboard and saved search has, by key, beside those that the program declares: in stack configuration
   * `pipestack:defaultTags`, as JSON in the environment. A tag that the program declares with the same key has precedence. A
   * dashboard, a saved search and an alert that declares tags have them as texts, `team:core`, which servers limit to 32 characters.
   * @default none
   */
  defaultTags: Type.Optional(
    Type.Record(Type.String(), Type.String({ pattern: "^[a-zA-Z0-9._-]{1,128}$" }), {
      rule: 'a JSON object of up to 50 keys and values, each of letters, digits, ".", "_" and "-", such as {"team":"core"}',
      maxProperties: 50,
    }),
  ),
  /**
   * Whether the engine reads each resource from the service before each preview and update, as with the option `--refresh`:
   * `true` or `false`. All resources of a type share one list request. A change of this setting applies to a resource from its
   * next create, update or refresh on. Only in the resource plugin.
   * @default false
   */
  refreshBeforeUpdate: Type.Boolean({ default: false, rule: "true or false" }),
  /**
   * Time limit of a single attempt of a request in seconds, 1 to 600.
   * @default 30
   */
  timeoutSeconds: Type.Number({
    minimum: 1,
    maximum: 600,
    default: 30,
    rule: "a number of seconds from 1 to 600",
  }),
  /**
   * Maximum number of retries of a request after a failure that allows them, 0 to 10. A 429 is waited out up to five times as
   * often, and longer while the server accepts other requests; with 0 it fails at once.
   * @default 4
   */
  maxRetries: Type.Integer({ minimum: 0, maximum: 10, default: 4, rule: "a whole number from 0 to 10" }),
  /**
   * Upper bound of requests per second to each API, 0.01 to 1000. With 0 the dialect's limit applies; `neutral` has none.
   * @default 0
   */
  requestsPerSecond: Type.Union([Type.Literal(0), Type.Number({ minimum: 0.01, maximum: 1000 })], {
    default: 0,
    rule: "a number from 0.01 to 1000, or 0 for the dialect's limit",
  }),
});

/** The provider's settings as it uses them: checked, with defaults, addresses without a trailing slash. */
export type Settings = Readonly<Static<typeof settingsSchema>>;

export type SettingName = keyof Settings;

export const settingNames = Object.keys(settingsSchema.properties) as SettingName[];

export function settingSchema(name: SettingName): TSchema & SettingAnnotations {
  return settingsSchema.properties[name];
}

/** The environment variable of a setting: `PIPESTACK_OBS_BASE_URL` for `obsBaseUrl`. */
export function environmentVariable(name: SettingName): string {
  return `PIPESTACK_${name.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}

/** Names of the provider's settings that the engine must keep encrypted. */
export const secretSettings = settingNames.filter((name) => settingSchema(name).secret);
