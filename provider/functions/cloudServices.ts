import { scopeOf } from "../lifecycle/scope";
import { type TArray, Type } from "../values/schemaBuilders";
import type { FunctionDefinition, ResultOf } from "./definition";
import { serviceArguments } from "./serviceArguments";

const configSchema = Type.Object({
  /** Name of the endpoint service of the product, to which an endpoint in your own network connects. */
  endpointServiceId: Type.Optional(Type.String()),
  /** Host name of the service behind such an endpoint. */
  privateDnsHostname: Type.Optional(Type.String()),
});

/** What an endpoint in your own network needs to know of a service. */
export interface PrivateEndpointConfig extends ResultOf<typeof configSchema> {}

const settingSchema = Type.Object({
  /** Name of the setting, for `settings` of a `ServiceSettings`. */
  name: Type.String(),
  /** Type of its values, in the words of the database. */
  type: Type.Optional(Type.String()),
  /** What the setting does. */
  description: Type.Optional(Type.String()),
  /** The values that the setting takes, where there are few. */
  enum: Type.Optional(Type.Array(Type.Integer())),
  /** A value as an example. */
  example: Type.Optional(Type.String()),
  /** What a change does besides. */
  warning: Type.Optional(Type.String()),
  /** Why the setting should not be used any more. */
  deprecationNotice: Type.Optional(Type.String()),
});

/** A setting of the database that a service takes. */
export interface ServiceSettingSchema extends ResultOf<typeof settingSchema> {}

export const getPrivateEndpointConfig: FunctionDefinition<typeof serviceArguments, typeof configSchema> = {
  name: "getPrivateEndpointConfig",
  dialect: "clickhouse",
  arguments: serviceArguments,
  result: configSchema,
  run: (args, session) => session.call("getPrivateEndpointConfig", scopeOf("service", args, session)),
};

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
