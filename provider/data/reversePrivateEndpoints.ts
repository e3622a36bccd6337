import type * as pulumi from "@pulumi/pulumi";
import { placeOf } from "../resources/placement";
import { call, callOutput, type DataFunction, type FunctionOptions } from "./dataFunction";
import type { ServiceArgs, ServiceOutputArgs } from "./serviceArguments";
import { serviceArguments } from "./serviceArguments";

/** A private connection from the service to a broker or database of the user (API document: "Reverse private endpoint"). */
export interface ReversePrivateEndpoint {
  /** Id of the endpoint (uuid). */
  readonly id: string;
  /** Service that the endpoint belongs to (uuid). */
  readonly serviceId?: string;
  readonly description?: string;
  /** Kind of connection. */
  readonly type?: string;
  readonly vpcEndpointServiceName?: string;
  readonly vpcResourceConfigurationId?: string;
  readonly vpcResourceShareArn?: string;
  readonly mskClusterArn?: string;
  readonly mskAuthentication?: string;
  readonly endpointId?: string;
  readonly dnsNames?: readonly string[];
  readonly privateDnsNames?: readonly string[];
  /** Status of the connection; `Ready` when it can be used. */
  readonly status?: string;
}

const reversePrivateEndpoints: DataFunction<typeof serviceArguments, ReversePrivateEndpoint[]> = {
  name: "getReversePrivateEndpoints",
  arguments: serviceArguments,
  run: (args, session) => session.list("listReversePrivateEndpoints", placeOf(args, session)),
};

/**
 * The reverse private endpoints of a service (API document: "Reverse private endpoint").
 *
 * @example
 * ```typescript
 * const endpoints = await pipestack.getReversePrivateEndpoints();
 * export const ready = endpoints.filter(({ status }) => status === "Ready").map(({ dnsNames }) => dnsNames);
 * ```
 */
export function getReversePrivateEndpoints(
  args: ServiceArgs = {},
  opts?: FunctionOptions,
): Promise<ReversePrivateEndpoint[]> {
  return call(reversePrivateEndpoints, args, opts);
}

/**
 * As {@link getReversePrivateEndpoints}, for arguments that may be outputs.
 *
 * @example
 * ```typescript
 * export const endpoints = pipestack.getReversePrivateEndpointsOutput({ serviceId: scaling.id });
 * ```
 */
export function getReversePrivateEndpointsOutput(
  args: ServiceOutputArgs = {},
  opts?: FunctionOptions,
): pulumi.Output<ReversePrivateEndpoint[]> {
  return callOutput(reversePrivateEndpoints, args, opts);
}
