import type * as pulumi from "@pulumi/pulumi";
import type { ReversePrivateEndpoint } from "../../../functions/reversePrivateEndpoints";
import * as functions from "../../../functions/reversePrivateEndpoints";
import { call, callOutput, type FunctionOptions } from "../functionCall";
import type { ServiceArgs, ServiceOutputArgs } from "./serviceArguments";

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
  return call(functions.getReversePrivateEndpoints, args, opts);
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
  return callOutput(functions.getReversePrivateEndpoints, args, opts);
}
