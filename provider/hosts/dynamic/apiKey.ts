import { type apiKeyInputs, type apiKeyOutputs, apiKeyResource } from "../../resources/apiKey/apiKey";
import { managedResource } from "./managedResource";
import type { InputsOf, OutputsOf } from "./types";

/** Arguments of an {@link ApiKey}. */
export interface ApiKeyArgs extends InputsOf<typeof apiKeyInputs> {}

export interface ApiKey extends OutputsOf<typeof apiKeyInputs, typeof apiKeyOutputs> {}

/**
 * An API key of the organization. The service shows its secret once; the provider keeps it encrypted in the Pulumi state, and
 * it never appears in logs or errors.
 *
 * A change of `organizationId`, `hashData` or `keepers` replaces the key, and so does its age with `rotateAfterDays`: the new
 * key is created before the old one is deleted. Everything else is updated in place. Destroying the resource deletes the key,
 * but never the one that signs the provider's requests.
 *
 * `ApiKey.get` reads a key whose `keyId` and `keySecret` stay unknown.
 * @example
 * ```typescript
 * const key = new pipestack.ApiKey("reporting", {
 *   roles: ["query_endpoints"],
 *   expireAt: "2027-12-31T00:00:00Z",
 *   ipAccessList: [{ source: "203.0.113.0/24", description: "office" }],
 *   rotateAfterDays: 90,
 * });
 * export const keySecret = key.keySecret;
 * ```
 * @see "Create key body" in the API document
 */
export class ApiKey extends managedResource<ApiKeyArgs>(apiKeyResource) {}
