import { scopeOf } from "../lifecycle/scope";
import { type TArray, Type } from "../values/schemaBuilders";
import type { FunctionDefinition, ResultOf } from "./definition";
import { serviceArguments } from "./listing";

const configSchema = Type.Object({
  /** Name of ClickHouse Cloud's endpoint service, to which a private endpoint in your own network connects. */
  endpointServiceId: Type.Optional(Type.String()),
  /** Host name under which a private endpoint in your own network reaches the service. */
  privateDnsHostname: Type.Optional(Type.String()),
});

/** The facts about a service that a private endpoint in your own network needs. */
export interface PrivateEndpointConfig extends ResultOf<typeof configSchema> {}

const settingSchema = Type.Object({
  /** Name of the database setting, for `settings` of a `ServiceSettings`. */
  name: Type.String(),
  /** Type of the setting's values, in the words of the database. */
  type: Type.Optional(Type.String()),
  /** What the database setting does. */
  description: Type.Optional(Type.String()),
  /** The values that the database setting takes, if there are few. */
  enum: Type.Optional(Type.Array(Type.Integer())),
  /** An example of the setting's value. */
  example: Type.Optional(Type.String()),
  /** Warning about side effects of a change of the database setting. */
  warning: Type.Optional(Type.String()),
  /** The reason why the database setting should not be used any more. */
  deprecationNotice: Type.Optional(Type.String()),
});

/** A setting of the database that a service of ClickHouse Cloud takes. */
export interface ServiceSettingSchema extends ResultOf<typeof settingSchema> {}

/**
 * What an endpoint in your own network needs to know of a service of ClickHouse Cloud, before a {@link PrivateEndpoint} attaches it.
 * Needs `dialect: clickhouse`.
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 * @example
 * ```typescript
 * export const serviceName = pipestack.getPrivateEndpointConfig().then(({ endpointServiceId }) => endpointServiceId);
 * ```
 */
export const getPrivateEndpointConfig: FunctionDefinition<typeof serviceArguments, typeof configSchema> = {
  name: "getPrivateEndpointConfig",
  dialect: "clickhouse",
  arguments: serviceArguments,
  result: configSchema,
  run: (args, session) => session.call("getPrivateEndpointConfig", scopeOf("service", args, session)),
};

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
export const getServiceSettingsSchema: FunctionDefinition<
  typeof serviceArguments,
  TArray<typeof settingSchema>
> = {
  name: "getServiceSettingsSchema",
  dialect: "clickhouse",
  arguments: serviceArguments,
  result: Type.Array(settingSchema),
  async run(args, session) {
    const scope = scopeOf("service", args, session);
    const { settings } = await session.call("getServiceSettingsSchema", scope);
    return settings as ServiceSettingSchema[];
  },
};
