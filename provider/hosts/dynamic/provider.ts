import * as pulumi from "@pulumi/pulumi";
import { type SettingName, settingNames } from "../../api/settings";
import { explicitKey, stackKey } from "./settingKeys";

/**
 * Settings of one organization, for programs that use several. A missing setting comes from the environment
 * (`PIPESTACK_BASE_URL` and so on), then from the stack's configuration (`pipestack:baseUrl` and so on).
 */
export interface ProviderArgs {
  /** Address of the management API: https, or http on a loopback address. Default: that of the dialect. */
  readonly baseUrl?: pulumi.Input<string>;
  /** Address of the observability API: https, or http on a loopback address. Default: that of the dialect. */
  readonly obsBaseUrl?: pulumi.Input<string>;
  /** Organization (uuid) of resources and functions that do not name one. */
  readonly organizationId?: pulumi.Input<string>;
  /** Service (uuid) of resources and functions that do not name one. */
  readonly serviceId?: pulumi.Input<string>;
  /** Id of the API key that signs requests to the management API. */
  readonly keyId?: pulumi.Input<string>;
  /** Secret of that key; kept encrypted in state. */
  readonly keySecret?: pulumi.Input<string>;
  /** Bearer token of the observability API; kept encrypted in state. */
  readonly accessToken?: pulumi.Input<string>;
  /** `neutral` (default) speaks the words of the API document, `clickhouse` those of ClickHouse Cloud and HyperDX. */
  readonly dialect?: pulumi.Input<"neutral" | "clickhouse">;
  /**
   * Which API serves dashboards, alerts, sources and webhooks: `management`, `observability`, or `both` as the API
   * document shows. Default: the one whose credentials are there, or both.
   */
  readonly observabilityVia?: pulumi.Input<"both" | "management" | "observability">;
  /** `all` (default) also uses operations that the API document does not show, `documented` only those that it shows. */
  readonly operations?: pulumi.Input<"all" | "documented">;
  /** Time limit of a single attempt in seconds, 1 to 600. Default: 30. */
  readonly timeoutSeconds?: pulumi.Input<number>;
  /** Maximum number of retries after a failure that allows them, 0 to 10. Default: 4. */
  readonly maxRetries?: pulumi.Input<number>;
  /**
   * Upper bound of requests per second to each API; 0 (default) means the limits of the dialect, of which neutral has
   * none.
   */
  readonly requestsPerSecond?: pulumi.Input<number>;
}

/** Raw settings by name, as far as they were given. */
export type GivenSettings = { readonly [Name in SettingName]?: string };

const secretSettings: readonly SettingName[] = ["keySecret", "accessToken"];

/**
 * An explicit provider; pass it to resources and functions as `{ provider }`. Each one has its own settings and its own
 * process.
 *
 * @example
 * ```typescript
 * const production = new pipestack.Provider("production", {
 *   organizationId: "0d5f8c0e-54ce-4a1c-8a0e-0b8c6c3fb6a5",
 *   keyId: config.require("productionKeyId"),
 *   keySecret: config.requireSecret("productionKeySecret"),
 * });
 * new pipestack.ApiKey("reporting", { roles: ["query_endpoints"] }, { provider: production });
 * ```
 */
export class Provider extends pulumi.ProviderResource {
  /** The settings that were given, for data functions. Secret as a whole. */
  readonly #given: pulumi.Output<GivenSettings>;

  /**
   * Declares an explicit provider.
   *
   * @param name name of the provider in the program
   * @param args its settings
   * @param opts options of the resource
   */
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    const properties: Record<string, pulumi.Input<string | undefined>> = {};
    const given: Record<string, pulumi.Input<string | undefined>> = {};
    for (const setting of settingNames) {
      const isSecret = secretSettings.includes(setting);
      const value = args[setting];
      if (value !== undefined) {
        const text = pulumi.output(value).apply(textOf);
        given[setting] = isSecret ? pulumi.secret(text) : text;
        properties[explicitKey(setting)] = given[setting];
      }
      // The host of an explicit provider does not get the stack's configuration by itself.
      const configured = pulumi.runtime.getConfig(stackKey(setting));
      if (configured !== undefined)
        properties[stackKey(setting)] = isSecret ? pulumi.secret(configured) : configured;
    }
    super("pulumi-nodejs", name, properties, opts);
    this.#given = pulumi.secret(given) as pulumi.Output<GivenSettings>;
  }

  /** @internal */
  static givenTo(provider: Provider): pulumi.Output<GivenSettings> {
    return provider.#given;
  }
}

/** A setting as text; undefined where an output turns out to have no value. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (Number.isNaN(value)) return "not a number";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
