import type { Data } from "../../values/data";
import { kindOf, oneOfKinds } from "../../values/schema";
import { type Static, type TObject, Type } from "../../values/schemaBuilders";
import { builtKinds, sqlKinds } from "./tileKinds";
import { selectEntries } from "./tileSelect";

type Built<Name extends keyof typeof builtKinds> = FilledIn<Static<(typeof builtKinds)[Name]>, "sourceId">;
type Sql<Name extends keyof typeof sqlKinds> = FilledIn<Static<(typeof sqlKinds)[Name]>, "connectionId">;

/** A config in which one member may be left out, since the dashboard's `defaults` can fill it in. */
type FilledIn<Config, Name extends string> = Pick<Config, Exclude<keyof Config, Name>> &
  Partial<Pick<Config, Extract<keyof Config, Name>>>;

/** A tile with a line for each series and group over time. */
export interface LineTileConfig extends Built<"line"> {}
/** A tile with bars over time, on which the groups are stacked. */
export interface StackedBarTileConfig extends Built<"stackedBar"> {}
/** A tile with stacked areas over time. ClickHouse Cloud has it. */
export interface StackedLineTileConfig extends Built<"stackedLine"> {}
/** A tile with a row for each group. */
export interface TableTileConfig extends Built<"table"> {}
/** A tile with one number. */
export interface NumberTileConfig extends Built<"number"> {}
/** A tile with a pie of the groups. */
export interface PieTileConfig extends Built<"pie"> {}
/** A tile with a bar for each group. */
export interface BarTileConfig extends Built<"bar"> {}
/** A tile with the distribution of a value over time. Its source is one of traces. */
export interface HeatmapTileConfig extends Built<"heatmap"> {}
/** A tile with a row for each group, colored by its value over time. Its source is one of traces, logs or metrics. */
export interface HeatmapSeriesTileConfig extends Built<"heatmapOfSeries"> {}
/** A tile with the records that a filter selects. */
export interface SearchTileConfig extends Built<"search"> {}
/** A tile with the patterns of the records that a filter selects. */
export interface EventPatternsTileConfig extends Built<"eventPatterns"> {}
/** A tile with text. */
export interface MarkdownTileConfig extends Built<"markdown"> {}
/** A tile with lines over time from a query in SQL. */
export interface SqlLineTileConfig extends Sql<"line"> {}
/** A tile with stacked bars over time from a query in SQL. */
export interface SqlStackedBarTileConfig extends Sql<"stackedBar"> {}
/** A tile with stacked areas over time from a query in SQL. ClickHouse Cloud has it. */
export interface SqlStackedLineTileConfig extends Sql<"stackedLine"> {}
/** A tile with the rows that a query in SQL returns. */
export interface SqlTableTileConfig extends Sql<"table"> {}
/** A tile with the number that a query in SQL returns. */
export interface SqlNumberTileConfig extends Sql<"number"> {}
/** A tile with a pie of the rows that a query in SQL returns. */
export interface SqlPieTileConfig extends Sql<"pie"> {}
/** A tile with a bar for each row that a query in SQL returns. */
export interface SqlBarTileConfig extends Sql<"bar"> {}

/** A kind of tile that this version does not know, declared by a cast: `"flame" as OtherDisplayType`. */
export type OtherDisplayType = string & {
  /** Exists only in types: it makes the cast necessary, so that a misspelt kind does not compile. */
  readonly [otherKind]: true;
};
declare const otherKind: unique symbol;

/** A tile of a kind, or with members, that only newer servers know. It is sent as it is, with a warning. */
export interface OtherTileConfig {
  /** Kind of tile. */
  readonly displayType: OtherDisplayType;
  readonly [member: string]: unknown;
}

/** The content of a tile: one of the kinds that `displayType` and `configType` tell apart. */
export type TileConfig =
  | LineTileConfig
  | StackedBarTileConfig
  | StackedLineTileConfig
  | TableTileConfig
  | NumberTileConfig
  | PieTileConfig
  | BarTileConfig
  | HeatmapTileConfig
  | HeatmapSeriesTileConfig
  | SearchTileConfig
  | EventPatternsTileConfig
  | MarkdownTileConfig
  | SqlLineTileConfig
  | SqlStackedBarTileConfig
  | SqlStackedLineTileConfig
  | SqlTableTileConfig
  | SqlNumberTileConfig
  | SqlPieTileConfig
  | SqlBarTileConfig
  | OtherTileConfig;

/** The first version of ClickStack whose API shows tiles in PromQL. */
export const promqlSince = "2.42";

const kinds: readonly TObject[] = [
  ...Object.values(builtKinds).map((kind) => ({ ...kind, filledIn: ["sourceId"] })),
  ...Object.values(sqlKinds).map((kind) => ({ ...kind, filledIn: ["connectionId"] })),
];

/** The schema of a tile's `config`. It accepts unknown kinds and members, since newer servers may have them. */
export const tileConfig = oneOfKinds<TileConfig>(
  kinds,
  {
    displayType: Type.String({ minLength: 1 }),
    configType: Type.String({ minLength: 1, since: { promql: promqlSince } }),
    heatmapMode: Type.String({ minLength: 1, since: "2.41" }),
    select: selectEntries,
  },
  { identity: ["displayType", "configType"], notBeside: ["series"] },
);

/** The schema for a tile's kind; undefined if this version does not know the kind. */
export function kindOfTile(config: Data): TObject | undefined {
  return kindOf(tileConfig, config);
}

/** Whether the entries of `select` in this tile are series. */
export function showsSeries(config: Data): boolean {
  return kindOfTile(config)?.properties.select?.items?.properties.aggFn !== undefined;
}

/** The kinds of tiles that this version knows, as values of `displayType`. */
export const displayTypes: readonly string[] = [
  ...new Set(Object.values(builtKinds).map(({ properties }) => properties.displayType.const)),
];
