import type * as pulumi from "@pulumi/pulumi";
import type { ReversePrivateEndpoint } from "../../../functions/reversePrivateEndpoints";
import * as functions from "../../../functions/reversePrivateEndpoints";
import { call, callOutput, type FunctionOptions } from "../functionCall";
import type { ServiceArgs, ServiceOutputArgs } from "./serviceArguments";

/**
 * The reverse private endpoints of a service.
 *
 * @throws Error if an argument is invalid (before any request), a setting is missing, the service refuses the request, or
 *   no answer arrives
 *
 * @example
 * ```typescript
 * const endpoints = await pipestack.getReversePrivateEndpoints();
 * export const ready = endpoints.filter(({ status }) => status === "Ready").map(({ dnsNames }) => dnsNames);
 * ```
 * @see "Reverse private endpoint" in the API document
 */
export function getReversePrivateEndpoints(
  args: ServiceArgs = {},
  opts?: FunctionOptions,
): Promise<ReversePrivateEndpoint[]> {
  return call(functions.getReversePrivateEndpoints, args, opts);
}

/**
 * Same as {@link getReversePrivateEndpoints}, but accepts outputs and returns one.
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
