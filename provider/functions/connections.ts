import { operations } from "../api/operations";
import type { Reading } from "../lifecycle/lists";
import { inService } from "../lifecycle/scope";
import { connectionInputs, connectionOutputs } from "../resources/connection/connection";
import type { PropertyMap } from "../values/data";
import { type Static, Type } from "../values/schemaBuilders";
import { type Answered, answeredObject } from "./answered";
import type { FunctionDefinition, ResultOf } from "./definition";
import { listing, listOf, onlyOne, withoutSecrets } from "./listing";

const ownMembers = Type.Object({
  /** Id of the connection, for `connection` of a source and `connectionId` of a tile with SQL. */
  id: Type.String(),
});

/** A connection of a self-hosted server to a database. No answer shows its password. */
export interface ConnectionSummary
  extends ResultOf<typeof ownMembers>,
    Answered<typeof connectionInputs>,
    Answered<typeof connectionOutputs> {}

const connectionSummarySchema = answeredObject<ConnectionSummary>(
  ownMembers,
  connectionInputs,
  connectionOutputs,
);

const open = (connection: PropertyMap) => withoutSecrets(connection, operations.createConnection.secrets);

const connectionArguments = inService({
  /** Exact name of the connection. */
  name: Type.String({ minLength: 1 }),
});

/**
 * The connections of a self-hosted server to databases: sources and tiles of SQL name them by their ids. ClickHouse Cloud
 * shows none.
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 * @example
 * ```typescript
 * export const hosts = pipestack.getConnections().then((connections) => connections.map(({ host }) => host));
 * ```
 */
export const getConnections = listing<ConnectionSummary>(
  "getConnections",
  "listConnections",
  connectionSummarySchema,
  open,
);

/**
 * The connection of a self-hosted server that has this name. Fails unless exactly one exists; the error names all that
 * exist.
 * @throws Error if an argument is invalid, a setting is missing, the service refuses the request, no
 *   answer arrives, or there is not exactly one such connection
 * @example
 * ```typescript
 * export const host = pipestack.getConnection({ name: "Default" }).then((connection) => connection.host);
 * ```
 */
export const getConnection: FunctionDefinition<typeof connectionArguments, typeof connectionSummarySchema> = {
  name: "getConnection",
  arguments: connectionArguments,
  result: connectionSummarySchema,
  run: async (args, session) => {
    const connections = (reading: Reading) => listOf("listConnections", args, session, reading);
    return open(
      await onlyOne(connections, "connection", { name: args.name }),
    ) as unknown as ConnectionSummary;
  },
};

/** Arguments of {@link getConnection}. */
export interface GetConnectionArgs extends Static<typeof connectionArguments> {}
