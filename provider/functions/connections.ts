import type { FunctionDefinition, ResultOf } from "../lifecycle/function";
import { inService } from "../lifecycle/scope";
import { type Static, Type } from "../values/schemaBuilders";
import { listed, listing, onlyOne } from "./listing";

const connectionSummarySchema = Type.Object({
  /** Id of the connection: `connection` of a source, `connectionId` of a tile of SQL. */
  id: Type.String(),
  /** Name of the connection. */
  name: Type.Optional(Type.String()),
  /** Address of the database. */
  host: Type.Optional(Type.String()),
  /** User of the database. */
  username: Type.Optional(Type.String()),
});

/** A connection of a self-hosted server to a database. No answer shows its password. */
export interface ConnectionSummary extends ResultOf<typeof connectionSummarySchema> {}

const connectionArguments = inService({
  /** Name of the connection, exactly. */
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
    const all = await listed("listConnections", args, session);
    return onlyOne(all, "connection", { name: args.name }) as ConnectionSummary;
  },
};

/** Arguments of {@link getConnection}. */
export interface GetConnectionArgs extends Static<typeof connectionArguments> {}
