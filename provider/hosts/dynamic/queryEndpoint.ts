import {
  type queryEndpointInputs,
  type queryEndpointOutputs,
  queryEndpointResource,
} from "../../resources/queryEndpoint/queryEndpoint";
import { managedResource } from "./managedResource";
import type { InputsOf, OutputsOf } from "./types";

/** Arguments of a {@link QueryEndpoint}. */
export interface QueryEndpointArgs extends InputsOf<typeof queryEndpointInputs> {}

export interface QueryEndpoint extends OutputsOf<typeof queryEndpointInputs, typeof queryEndpointOutputs> {}

/**
 * The query endpoint of a service: which keys may run queries over HTTP, in which roles and from which origins. A service has
 * one, so the `id` is the service's. Every write replaces the whole record.
 *
 * A change of `organizationId` or `serviceId` replaces the resource, everything else is updated in place.
 * @example
 * ```typescript
 * const key = new pipestack.ApiKey("queries", { roles: ["query_endpoints"] });
 * new pipestack.QueryEndpoint("endpoint", {
 *   roles: ["sql_console_read_only"],
 *   openApiKeys: [key.id],
 *   allowedOrigins: ["https://app.example.com"],
 * });
 * ```
 * @see "Service query endpoint body" in the API document
 */
export class QueryEndpoint extends managedResource<QueryEndpointArgs>(queryEndpointResource) {}
