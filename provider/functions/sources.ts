import { inService } from "../lifecycle/scope";
import { sourceInputs } from "../resources/source/source";
import { sourceKinds } from "../resources/source/sourceKinds";
import { openSetOf } from "../values/schema";
import { type Static, Type } from "../values/schemaBuilders";
import { type Answered, answered } from "./answered";
import type { FunctionDefinition, ResultOf } from "./definition";
import { listing, listOf, onlyOne } from "./listing";

const kind = openSetOf(sourceKinds);

const ownMembers = Type.Object({
  /** Id of the source: `sourceId` of tiles, saved searches and chart series. */
  id: Type.String(),
  /** Kind of the data, such as `log` or `trace`, if the service shows it. */
  kind: Type.Optional(kind),
  /** Table of its records, if the service shows it. */
  from: Type.Optional(
    Type.Object({
      /** Database of the table. */
      databaseName: Type.Optional(Type.String()),
      /** Name of the table. */
      tableName: Type.Optional(Type.String()),
    }),
  ),
});

/** A source of data for tiles and chart series. The API document describes only its id. */
export interface DataSource
  extends ResultOf<typeof ownMembers>,
    Answered<typeof sourceInputs, "kind" | "from"> {}

const dataSourceSchema = Type.Unsafe<DataSource>(
  Type.Object({
    ...answered(sourceInputs),
    ...ownMembers.properties,
  }),
);

const sourceArguments = inService({
  /** Name of the source, exactly. Required unless `kind` is given. */
  name: Type.Optional(Type.String({ minLength: 1 })),
  /** Kind of the source. */
  kind: Type.Optional(kind),
});

export const getSources = listing<DataSource>("getSources", "listSources", dataSourceSchema);

export const getSource: FunctionDefinition<typeof sourceArguments, typeof dataSourceSchema> = {
  name: "getSource",
  arguments: sourceArguments,
  result: dataSourceSchema,
  failures: ({ name, kind }) =>
    name === undefined && kind === undefined
      ? [{ path: "name", message: "is required unless kind is given" }]
      : [],
  run: async (args, session) => {
    const { name, kind } = args;
    return onlyOne<DataSource>(await listOf("listSources", args, session), "source", { name, kind });
  },
};

/** Arguments of {@link getSource}. */
export interface GetSourceArgs extends Static<typeof sourceArguments> {}
