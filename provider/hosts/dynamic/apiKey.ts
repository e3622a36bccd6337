import type * as pulumi from "@pulumi/pulumi";
import { type apiKeyInputs, type apiKeyOutputs, apiKeyResource } from "../../resources/apiKey";
import { existing, ManagedResource, type ScopeArgs } from "./managedResource";
import type { InputsOf, OutputsOf } from "./types";

/** Arguments of an {@link ApiKey}. */
export interface ApiKeyArgs extends InputsOf<typeof apiKeyInputs> {}

export interface ApiKey extends OutputsOf<typeof apiKeyInputs, typeof apiKeyOutputs> {}

/**
 * An API key of the organization. Its secret is shown by the service once; it is kept encrypted in state, and never
 * appears in logs or errors (API document: "Create key body").
 *
 * A change of `organizationId`, `hashData` or `keepers` replaces the key: the new one is there before the old one is
 * deleted. Everything else is updated in place through an undocumented operation; with `operations: documented` it
 * replaces the key too. Destroying the resource deletes the key, never the one that signs the provider's requests.
 *
 * @example
 * ```typescript
 * const key = new pipestack.ApiKey("reporting", {
 *   roles: ["query_endpoints"],
 *   expireAt: "2027-12-31T00:00:00Z",
 *   ipAccessList: [{ source: "203.0.113.0/24", description: "office" }],
 *   keepers: { rotation: "2027-01" },
 * });
 * export const keySecret = key.keySecret;
 * ```
 */
export class ApiKey extends ManagedResource {
  /**
   * Declares an API key.
   *
   * @param name name of the resource in the program, and of the key unless `args.name` says otherwise
   * @param args properties of the key
   * @param opts options of the resource
   */
  constructor(name: string, args: ApiKeyArgs, opts?: pulumi.CustomResourceOptions) {
    super(apiKeyResource, name, args, opts);
  }

  /**
   * A key that exists already, read without managing it. Its `keyId` and `keySecret` cannot be known. Fails if the
   * organization does not have it.
   *
   * @param name name of the resource in the program
   * @param id id of the key
   * @param place its organization. Default: that of the settings
   * @param opts options of the resource
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    place?: Omit<ScopeArgs, "serviceId">,
    opts?: pulumi.CustomResourceOptions,
  ): ApiKey {
    return new ApiKey(name, existing({ ...place }), { ...opts, id });
  }
}
