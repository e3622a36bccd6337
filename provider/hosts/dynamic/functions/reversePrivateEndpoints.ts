import type { ReversePrivateEndpointSummary } from "../../../functions/reversePrivateEndpoints";
import * as functions from "../../../functions/reversePrivateEndpoints";
import { plain, withOutputs } from "../functionCall";
import type { OfServiceArgs, OfServiceOutputArgs } from "./serviceArguments";

/**
 * The reverse private endpoints of a service.
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 * @example
 * ```typescript
 * const endpoints = pipestack.getReversePrivateEndpoints();
 * export const ready = endpoints.then((all) => all.filter(({ status }) => status === "Ready").map(({ dnsNames }) => dnsNames));
 * ```
 * @see "Reverse private endpoint" in the API document
 */
export const getReversePrivateEndpoints = plain<OfServiceArgs, ReversePrivateEndpointSummary[]>(
  functions.getReversePrivateEndpoints,
);

/**
 * Same as {@link getReversePrivateEndpoints}, but accepts outputs and returns an output.
 * @example
 * ```typescript
 * const reporting = pipestack.getServiceOutput({ name: "reporting" });
 * export const endpoints = pipestack.getReversePrivateEndpointsOutput({ serviceId: reporting.id });
 * ```
 */
export const getReversePrivateEndpointsOutput = withOutputs<
  OfServiceOutputArgs,
  ReversePrivateEndpointSummary[]
>(functions.getReversePrivateEndpoints);
