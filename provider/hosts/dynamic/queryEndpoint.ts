import type * as pulumi from "@pulumi/pulumi";
import {
  type queryEndpointInputs,
  type queryEndpointOutputs,
  queryEndpointResource,
} from "../../resources/queryEndpoint";
import { existing, ManagedResource, type ScopeArgs } from "./managedResource";
import type { InputsOf, OutputsOf } from "./types";

/** Arguments of a {@link QueryEndpoint}. */
export interface QueryEndpointArgs extends InputsOf<typeof queryEndpointInputs> {}

export interface QueryEndpoint extends OutputsOf<typeof queryEndpointInputs, typeof queryEndpointOutputs> {}

/**
 * The query endpoint of a service: which keys may run queries over HTTP, in which roles and from which origins. A
 * service has one, so the `id` is the service's. Every write replaces the whole record
 * (API document: "Service query endpoint body").
 *
 * A change of `organizationId` or `serviceId` replaces the resource, everything else is updated in place.
 *
 * @example
 * ```typescript
 * const key = new pipestack.ApiKey("queries", { roles: ["query_endpoints"] });
 * new pipestack.QueryEndpoint("endpoint", {
 *   roles: ["sql_console_read_only"],
 *   openApiKeys: [key.id],
 *   allowedOrigins: ["https://app.example.com"],
 * });
 * ```
 */
export class QueryEndpoint extends ManagedResource {
  /**
   * Declares the query endpoint of a service.
   *
   * @param name name of the resource in the program
   * @param args properties of the endpoint
   * @param opts options of the resource
   */
  constructor(name: string, args: QueryEndpointArgs, opts?: pulumi.CustomResourceOptions) {
    super(queryEndpointResource, name, args, opts);
  }

  /**
   * The query endpoint of a service as it is, read without managing it. Fails if the service has none.
   *
   * @param name name of the resource in the program
   * @param id id of the service
   * @param place its organization. Default: that of the settings
   * @param opts options of the resource
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    place?: Omit<ScopeArgs, "serviceId">,
    opts?: pulumi.CustomResourceOptions,
  ): QueryEndpoint {
    return new QueryEndpoint(name, existing({ ...place, serviceId: id }), { ...opts, id });
  }
}
