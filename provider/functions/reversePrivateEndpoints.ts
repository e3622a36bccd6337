import type * as pulumi from "@pulumi/pulumi";
import { call, callOutput, type DataFunction, type FunctionOptions } from "../hosts/dynamic/functionCall";
import { scopeOf } from "../lifecycle/scope";
import type { ServiceArgs, ServiceOutputArgs } from "./serviceArguments";
import { serviceArguments } from "./serviceArguments";

/** A private connection from the service to a broker or database of the user (API document: "Reverse private endpoint"). */
export interface ReversePrivateEndpoint {
  /** Id of the endpoint (uuid). */
  readonly id: string;
  /** Service that the endpoint belongs to (uuid). */
  readonly serviceId?: string;
  /** What the endpoint is for. */
  readonly description?: string;
  /** Kind of connection. */
  readonly type?: string;
  /** Name of the VPC endpoint service that it connects to. */
  readonly vpcEndpointServiceName?: string;
  /** Id of the VPC resource configuration that it connects to. */
  readonly vpcResourceConfigurationId?: string;
  /** Resource share by which that configuration is shared. */
  readonly vpcResourceShareArn?: string;
  /** Managed Kafka cluster that it connects to. */
  readonly mskClusterArn?: string;
  /** How it authenticates to that cluster, in the service's words. */
  readonly mskAuthentication?: string;
  /** Id of the endpoint at the cloud provider. */
  readonly endpointId?: string;
  /** Names by which the service reaches the other side. */
  readonly dnsNames?: readonly string[];
  /** Private names by which the service reaches the other side. */
  readonly privateDnsNames?: readonly string[];
  /** Status of the connection; `Ready` when it can be used. */
  readonly status?: string;
}

const reversePrivateEndpoints: DataFunction<typeof serviceArguments, ReversePrivateEndpoint[]> = {
  name: "getReversePrivateEndpoints",
  arguments: serviceArguments,
  run: (args, session) => session.list("listReversePrivateEndpoints", scopeOf(args, session)),
};

/**
 * The reverse private endpoints of a service (API document: "Reverse private endpoint").
 *
 * @throws Error in one or two lines: for wrong arguments before any request, for a missing setting, and for what the
 *   service refused or did not answer
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
