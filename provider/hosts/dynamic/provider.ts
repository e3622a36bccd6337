import * as pulumi from "@pulumi/pulumi";
import type { GivenSettings } from "../../api/settings";
import { type Settings, settingNames, settingSchema } from "../../api/settingsSchema";
import { explicitKey, stackKey } from "../../engine/names";
import { shortened } from "../../values/printable";
import { adviceFor } from "../../values/validate";
import { programError } from "./programError";

/**
 * Settings of one organization, for programs that use several. A missing setting comes from the environment
 * (`PIPESTACK_BASE_URL` and so on), then from the stack's configuration (`pipestack:baseUrl` and so on).
 */
export type ProviderArgs = {
  readonly [Name in keyof Settings]?: pulumi.Input<NonNullable<Settings[Name]>>;
};

/**
 * An explicit provider; pass it to resources and functions as `{ provider }`. Each one has its own settings and its own
 * process.
 *
 * The engine counts it as a provider of all dynamic resources. A component that has it among its `providers` therefore hands it to dynamic
 * resources of your own inside it, too, which then read its settings in place of the stack's configuration. Hand it to
 * pipestack's resources alone, as `provider`.
 * @example
 * ```typescript
 * const config = new pulumi.Config();
 * const production = new pipestack.Provider("production", {
 *   organizationId: "0d5f8c0e-54ce-4a1c-8a0e-0b8c6c3fb6a5",
 *   keyId: config.require("productionKeyId"),
 *   keySecret: config.requireSecret("productionKeySecret"),
 * });
 * new pipestack.ApiKey("reporting", { roles: ["query_endpoints"] }, { provider: production });
 * ```
 */
export class Provider extends pulumi.ProviderResource {
  /** The settings that the program gave to an explicit provider, for functions that use it. All of it is secret. */
  readonly #settings: pulumi.Output<GivenSettings>;

  /** Declares an explicit provider; throws if an argument is not a setting. */
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    refuseOtherNames(name, args);
    const properties: Record<string, pulumi.Input<string | undefined>> = {};
    const settings: Record<string, pulumi.Input<string | undefined>> = {};
    for (const setting of settingNames) {
      const isSecret = settingSchema(setting).secret;
      const value = args[setting];
      if (value !== undefined) {
        const text = pulumi.output(value).apply(textOf);
        settings[setting] = isSecret ? pulumi.secret(text) : text;
        properties[explicitKey(setting)] = settings[setting];
      }
      // The engine does not pass the stack's configuration to an explicit dynamic provider, so the class `Provider` does.
      const configured = pulumi.runtime.getConfig(stackKey(setting));
      if (configured !== undefined)
        properties[stackKey(setting)] = isSecret ? pulumi.secret(configured) : configured;
    }
    super("pulumi-nodejs", name, properties, opts);
    this.#settings = pulumi.secret(settings) as pulumi.Output<GivenSettings>;
  }

  /** @internal */
  static givenTo(provider: Provider): pulumi.Output<GivenSettings> {
    return provider.#settings;
  }
}

/** Refuses unknown settings: with a misspelt one, resources would go to the organization that the stack configures. */
function refuseOtherNames(provider: string, args: ProviderArgs): void {
  for (const [name, value] of Object.entries(args)) {
    if (value === undefined || (settingNames as string[]).includes(name)) continue;
    const reason = `${shortened(name)} is not a setting; ${adviceFor(name, settingNames)}`;
    throw programError(`Provider "${provider}": ${reason}`);
  }
}

/** A provider setting as text; undefined if an output has no value. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (Number.isNaN(value)) return "not a number";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
