import type { GetServiceArgs, GetServicesArgs, ServiceSummary } from "../../../functions/services";
import * as functions from "../../../functions/services";
import { plain, withOutputs } from "../functionCall";
import type { InputsOf } from "../types";

/** Arguments of {@link getServicesOutput}. */
export interface GetServicesOutputArgs extends InputsOf<typeof functions.getServices.arguments> {}

/** Arguments of {@link getServiceOutput}. */
export interface GetServiceOutputArgs extends InputsOf<typeof functions.getService.arguments> {}

/**
 * The services of an organization that the key may see: addresses, state, version, scaling and the rest. Without
 * `includeSecrets`, their `encryptionKey` is left out.
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 * @example
 * ```typescript
 * export const idle = pipestack.getServices({ state: "idle" }).then((services) => services.map(({ name }) => name));
 * ```
 * @see "Service" in the API document
 */
export const getServices = plain<GetServicesArgs, ServiceSummary[]>(functions.getServices);

/**
 * Same as {@link getServices}, but accepts outputs and returns an output. With `includeSecrets` the result is a secret.
 * @example
 * ```typescript
 * export const versions = pipestack.getServicesOutput().apply((all) => all.map(({ name, engineVersion }) => ({ name, engineVersion })));
 * ```
 */
export const getServicesOutput = withOutputs<GetServicesOutputArgs, ServiceSummary[]>(functions.getServices);

/**
 * One service: the one with the id `serviceId` (by default that of the settings), or the only one with a name. Without
 * `includeSecrets`, its `encryptionKey` is left out.
 * @throws Error if an argument is invalid, a setting is missing, the service refuses the request, no answer arrives, or there
 * is not exactly one such service
 * @example
 * ```typescript
 * const service = pipestack.getService();
 * export const host = service.then(({ endpoints }) => endpoints?.find(({ protocol }) => protocol === "https")?.host);
 * ```
 * @see "Service" in the API document
 */
export const getService = plain<GetServiceArgs, ServiceSummary>(functions.getService);

/**
 * Same as {@link getService}, but accepts outputs and returns an output. With `includeSecrets` the result is a secret.
 * @example
 * ```typescript
 * const reporting = pipestack.getServiceOutput({ name: "reporting" });
 * new pipestack.ServiceScaling("reporting", { serviceId: reporting.id, numReplicas: 3 });
 * ```
 */
export const getServiceOutput = withOutputs<GetServiceOutputArgs, ServiceSummary>(functions.getService);
