import { inService } from "../lifecycle/scope";
import { connectionInputs, connectionOutputs } from "../resources/connection/connection";
import { type Static, Type } from "../values/schemaBuilders";
import { type Answered, answered } from "./answered";
import type { FunctionDefinition, ResultOf } from "./definition";
import { listing, listOf, onlyOne } from "./listing";

const ownMembers = Type.Object({
  /** Id of the connection, for `connection` of a source and `connectionId` of a tile with SQL. */
  id: Type.String(),
});

/** A connection of a self-hosted server to a database. No answer shows its password. */
export interface ConnectionSummary
  extends ResultOf<typeof ownMembers>,
    Answered<typeof connectionInputs>,
    Answered<typeof connectionOutputs> {}

const connectionSummarySchema = Type.Unsafe<ConnectionSummary>(
  Type.Object({
    ...answered(connectionInputs),
    ...answered(connectionOutputs),
    ...ownMembers.properties,
  }),
);

const connectionArguments = inService({
  /** Exact name of the connection. */
  name: Type.String({ minLength: 1 }),
});

export const getConnections = listing<ConnectionSummary>(
  "getConnections",
  "listConnections",
  connectionSummarySchema,
);

export const getConnection: FunctionDefinition<typeof connectionArguments, typeof connectionSummarySchema> = {
  name: "getConnection",
  arguments: connectionArguments,
  result: connectionSummarySchema,
  run: async (args, session) => {
    const connections = await listOf("listConnections", args, session);
    return onlyOne<ConnectionSummary>(connections, "connection", { name: args.name });
  },
};

/** Arguments of {@link getConnection}. */
export interface GetConnectionArgs extends Static<typeof connectionArguments> {}
