import type { Reading } from "../lifecycle/lists";
import { inService } from "../lifecycle/scope";
import { sourceInputs } from "../resources/source/source";
import { sourceKinds } from "../resources/source/sourceKinds";
import { openSetOf } from "../values/schema";
import { type Static, Type } from "../values/schemaBuilders";
import { type Answered, answeredObject } from "./answered";
import type { FunctionDefinition, ResultOf } from "./definition";
import { listing, listOf, onlyOne } from "./listing";

const kind = openSetOf(sourceKinds);

const ownMembers = Type.Object({
  /** Id of the data source, for `sourceId` of tiles, saved searches and chart series. */
  id: Type.String(),
  /** Kind of the source's data, such as `log` or `trace`, if the service shows it. */
  kind: Type.Optional(kind),
  /** Table that has the source's records, if the service shows it. */
  from: Type.Optional(
    Type.Object({
      /** Database that has the source's table. */
      databaseName: Type.Optional(Type.String()),
      /** Name of the source's table. */
      tableName: Type.Optional(Type.String()),
    }),
  ),
});

/** A source of data for tiles and chart series. The API document describes only its id. */
export interface DataSource
  extends ResultOf<typeof ownMembers>,
    Answered<typeof sourceInputs, "kind" | "from"> {}

const dataSourceSchema = answeredObject<DataSource>(ownMembers, sourceInputs);

const sourceArguments = inService({
  /** Exact name of the data source. Required unless `kind` is given. */
  name: Type.Optional(Type.String({ minLength: 1 })),
  /** Kind of the source's data, such as `log` or `trace`. */
  kind: Type.Optional(kind),
});

/**
 * The data sources of a service, for tiles, saved searches and chart series.
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 * @example
 * ```typescript
 * export const names = pipestack.getSources().then((sources) => sources.map(({ name }) => name));
 * ```
 */
export const getSources = listing<DataSource>("getSources", "listSources", dataSourceSchema);

/** Why a service of ClickHouse Cloud has no source: no request makes its connection, which each source needs. */
const notOpened =
  "the service has no sources at all: a new service of ClickHouse Cloud gets them when ClickStack is opened in its console, once its tables have data of OpenTelemetry. Do that, then run the update again; what it has made stays";

/**
 * The source of a service that has this name, this kind, or both. Fails unless exactly one exists; the error names all
 * that exist.
 * @throws Error if an argument is invalid, a setting is missing, the service refuses the request, no
 *   answer arrives, or there is not exactly one such source
 * @example
 * ```typescript
 * export const kind = pipestack.getSource({ name: "Logs" }).then((source) => source.kind);
 * ```
 * @example
 * ```typescript
 * export const sourceId = pipestack.getSourceOutput({ kind: "log" }).id;
 * ```
 */
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
    const sources = async (reading: Reading) => {
      const listed = await listOf("listSources", args, session, reading);
      if (
        reading.asOf === "now" &&
        listed.length === 0 &&
        session.settings.dialect === "clickhouse" &&
        session.observabilityVia === "management"
      )
        throw new Error(notOpened);
      return listed;
    };
    return onlyOne<DataSource>(sources, "source", { name, kind });
  },
};

/** Arguments of {@link getSource}. */
export interface GetSourceArgs extends Static<typeof sourceArguments> {}
