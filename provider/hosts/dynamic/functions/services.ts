import type * as pulumi from "@pulumi/pulumi";
import type { GetServiceArgs, GetServicesArgs, Service } from "../../../functions/services";
import * as functions from "../../../functions/services";
import { call, callOutput, type FunctionOptions } from "../functionCall";
import type { InputsOf } from "../types";

/** Arguments of {@link getServicesOutput}. */
export interface GetServicesOutputArgs extends InputsOf<typeof functions.getServices.arguments> {}

/** Arguments of {@link getServiceOutput}. */
export interface GetServiceOutputArgs extends InputsOf<typeof functions.getService.arguments> {}

/**
 * The services of an organization that the key may see: addresses, state, version, scaling and the rest. Without
 * `includeSecrets`, their `encryptionKey` is left out.
 *
 * @throws Error if an argument is invalid (before any request), a setting is missing, the service refuses the request, or
 *   no answer arrives
 *
 * @example
 * ```typescript
 * const idle = (await pipestack.getServices({ state: "idle" })).map(({ name }) => name);
 * ```
 * @see "Service" in the API document
 */
export function getServices(args: GetServicesArgs = {}, opts?: FunctionOptions): Promise<Service[]> {
  return call(functions.getServices, args, opts);
}

/**
 * Same as {@link getServices}, but accepts outputs and returns one. With `includeSecrets` the result is a secret.
 *
 * @example
 * ```typescript
 * export const versions = pipestack.getServicesOutput().apply((all) => all.map(({ name, engineVersion }) => ({ name, engineVersion })));
 * ```
 */
export function getServicesOutput(
  args: GetServicesOutputArgs = {},
  opts?: FunctionOptions,
): pulumi.Output<Service[]> {
  return callOutput(functions.getServices, args, opts);
}

/**
 * One service: the one of `serviceId`, which the settings name by default, or the only one of a name. Without `includeSecrets`,
 * its `encryptionKey` is left out.
 *
 * @throws Error if an argument is invalid (before any request), a setting is missing, the service refuses the request, no
 *   answer arrives, or there is not exactly one such service
 *
 * @example
 * ```typescript
 * const { endpoints } = await pipestack.getService();
 * export const host = endpoints?.find(({ protocol }) => protocol === "https")?.host;
 * ```
 * @see "Service" in the API document
 */
export function getService(args: GetServiceArgs = {}, opts?: FunctionOptions): Promise<Service> {
  return call(functions.getService, args, opts);
}

/**
 * Same as {@link getService}, but accepts outputs and returns one. With `includeSecrets` the result is a secret.
 *
 * @example
 * ```typescript
 * const reporting = pipestack.getServiceOutput({ name: "reporting" });
 * new pipestack.ServiceScaling("reporting", { serviceId: reporting.id, numReplicas: 3 });
 * ```
 */
export function getServiceOutput(
  args: GetServiceOutputArgs = {},
  opts?: FunctionOptions,
): pulumi.Output<Service> {
  return callOutput(functions.getService, args, opts);
}
