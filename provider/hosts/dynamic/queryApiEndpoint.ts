import {
  type queryApiEndpointInputs,
  type queryApiEndpointOutputs,
  queryApiEndpointResource,
} from "../../resources/queryApiEndpoint/queryApiEndpoint";
import { managedResource } from "./managedResource";
import type { InputsOf, OutputsOf } from "./types";

/** Arguments of a {@link QueryApiEndpoint}. */
export interface QueryApiEndpointArgs extends InputsOf<typeof queryApiEndpointInputs, "sql"> {}

export interface QueryApiEndpoint
  extends OutputsOf<typeof queryApiEndpointInputs, typeof queryApiEndpointOutputs> {}

/**
 * A query of a service that keys may run over HTTP, at an address of its own (output `url`). It needs no saved query.
 *
 * A key that calls it needs the role Member with access to query endpoints. A change of `organizationId` or `serviceId`
 * replaces the endpoint, which then has another address; everything else is updated in place. Parameters and origins that are
 * taken out of the program are removed. No key can change or delete an endpoint whose `ownerType` is `user`.
 * @example
 * ```typescript
 * const key = new pipestack.ApiKey("reports", { roles: ["query_endpoints"] });
 * const endpoint = new pipestack.QueryApiEndpoint("revenue", {
 *   database: "default",
 *   sql: new pulumi.asset.FileAsset("revenue.sql"),
 *   apiKeyIds: [key.id],
 *   roles: ["sql_console_read_only"],
 *   parameters: { year: "2026" },
 * });
 * export const url = endpoint.url;
 * ```
 */
export class QueryApiEndpoint extends managedResource<QueryApiEndpointArgs>(queryApiEndpointResource) {}
