import type { PrivateEndpointConfig, ServiceSettingSchema } from "../../../functions/cloudServices";
import * as functions from "../../../functions/cloudServices";
import { plain, withOutputs } from "../functionCall";
import type { OfServiceArgs, OfServiceOutputArgs } from "./serviceArguments";

/**
 * What an endpoint in your own network needs to know of a service of ClickHouse Cloud, before a {@link PrivateEndpoint} attaches it.
 * Needs `dialect: clickhouse`.
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 * @example
 * ```typescript
 * export const serviceName = pipestack.getPrivateEndpointConfig().then(({ endpointServiceId }) => endpointServiceId);
 * ```
 */
export const getPrivateEndpointConfig = plain<OfServiceArgs, PrivateEndpointConfig>(
  functions.getPrivateEndpointConfig,
);

/**
 * Same as {@link getPrivateEndpointConfig}, but accepts outputs and returns an output.
 * @example
 * ```typescript
 * const reporting = pipestack.getServiceOutput({ name: "reporting" });
 * export const host = pipestack.getPrivateEndpointConfigOutput({ serviceId: reporting.id }).privateDnsHostname;
 * ```
 */
export const getPrivateEndpointConfigOutput = withOutputs<OfServiceOutputArgs, PrivateEndpointConfig>(
  functions.getPrivateEndpointConfig,
);

/**
 * The settings of the database that a service of ClickHouse Cloud takes, for a {@link ServiceSettings}: their names and types, and
 * the service's warnings. Needs `dialect: clickhouse`.
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 * @example
 * ```typescript
 * const schema = pipestack.getServiceSettingsSchema();
 * export const deprecated = schema.then((all) => all.filter(({ deprecationNotice }) => deprecationNotice).map(({ name }) => name));
 * ```
 */
export const getServiceSettingsSchema = plain<OfServiceArgs, ServiceSettingSchema[]>(
  functions.getServiceSettingsSchema,
);

/**
 * Same as {@link getServiceSettingsSchema}, but accepts outputs and returns an output.
 * @example
 * ```typescript
 * const reporting = pipestack.getServiceOutput({ name: "reporting" });
 * export const settings = pipestack.getServiceSettingsSchemaOutput({ serviceId: reporting.id });
 * ```
 */
export const getServiceSettingsSchemaOutput = withOutputs<OfServiceOutputArgs, ServiceSettingSchema[]>(
  functions.getServiceSettingsSchema,
);
