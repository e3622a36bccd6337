import { resourceOf } from "../../lifecycle/lifecycle";
import { adoptable, inService } from "../../lifecycle/scope";
import { serverAddress } from "../../values/schema";
import { Type } from "../../values/schemaBuilders";

/** Inputs of a connection, from the documentation of HyperDX, since its API document does not describe connections. */
export const connectionInputs = inService({
  /**
   * Adopts the existing connection with this id instead of creating one. Has no effect once the connection is in the Pulumi
   * state; a change that replaces the connection is refused while `adoptId` is declared.
   */
  adoptId: adoptable,
  /** Name of the connection; two connections may have the same name. Default: the name of the resource. */
  name: Type.Optional(Type.String({ minLength: 1 })),
  /** Address of the database, with `http` or `https`, as the HyperDX server reaches it. */
  host: Type.String(serverAddress),
  /** User name with which the connection signs in to the database; may be empty. */
  username: Type.String(),
  /**
   * Password with which the connection signs in to the database. No answer of the API shows it: it is kept encrypted in the
   * Pulumi state, and a change by somebody else is not seen. Default: none, or the one that an existing connection has.
   */
  password: Type.Optional(
    Type.String({
      minLength: 1,
      secret: true,
      shown: "never",
      irremovable: "replace the connection to remove it",
    }),
  ),
  /**
   * Prefix of the database settings that the HyperDX server reads for itself: letters, digits and underscores. Default: none.
   */
  hyperdxSettingPrefix: Type.Optional(
    Type.String({
      pattern: "^[A-Za-z0-9_]+$",
      rule: "letters, digits and underscores",
      reset: null,
    }),
  ),
  /** Whether the connection's `host` answers queries in PromQL, as Prometheus does. Default: false. */
  isPrometheusEndpoint: Type.Optional(Type.Boolean({ reset: false })),
});

/** Outputs of a connection beyond its inputs. */
export const connectionOutputs = Type.Object({
  /** When the connection was created (ISO 8601). */
  createdAt: Type.Optional(Type.String()),
  /** When the connection was last changed (ISO 8601). */
  updatedAt: Type.Optional(Type.String({ volatile: true })),
});

export const connectionResource = resourceOf({
  type: "Connection",
  noun: "connection",
  inputs: connectionInputs,
  outputs: connectionOutputs,
  scope: "observability",
  operations: {
    create: "createConnection",
    list: "listConnections",
    get: "getConnection",
    update: "updateConnection",
    delete: "deleteConnection",
  },
  namedBy: "name",

  completenessField: "host",
});
