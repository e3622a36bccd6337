import type { PropertyMap } from "../../values/data";
import { kindOf, oneOfKinds } from "../../values/schema";
import { type Static, type TObject, Type } from "../../values/schemaBuilders";
import { builtKinds, sqlKinds } from "./tileKinds";
import { selectEntries } from "./tileSelect";

type Built<Name extends keyof typeof builtKinds> = FilledIn<Static<(typeof builtKinds)[Name]>, "sourceId">;
type Sql<Name extends keyof typeof sqlKinds> = FilledIn<Static<(typeof sqlKinds)[Name]>, "connectionId">;

/**
 * The content of a tile, without the need to declare the id of its data source or connection, which the dashboard's `defaults`
 * may have.
 */
type FilledIn<Config, Name extends string> = Pick<Config, Exclude<keyof Config, Name>> &
  Partial<Pick<Config, Extract<keyof Config, Name>>>;

/** The content of a tile that draws a line over time for each series and group. */
export interface LineTileConfig extends Built<"line"> {}
/** The content of a tile that draws bars over time, in which the groups are stacked. */
export interface StackedBarTileConfig extends Built<"stackedBar"> {}
/** The content of a tile that draws stacked areas over time. Only ClickHouse Cloud has it. */
export interface StackedLineTileConfig extends Built<"stackedLine"> {}
/** The content of a tile that shows a table with a row for each group. */
export interface TableTileConfig extends Built<"table"> {}
/** The content of a tile that shows one number. */
export interface NumberTileConfig extends Built<"number"> {}
/** The content of a tile that draws a pie chart of the groups. */
export interface PieTileConfig extends Built<"pie"> {}
/** The content of a tile that draws a bar for each group. */
export interface BarTileConfig extends Built<"bar"> {}
/** The content of a heatmap tile that shows the distribution of a value over time. Its data source holds traces. */
export interface HeatmapTileConfig extends Built<"heatmap"> {}
/**
 * The content of a heatmap tile with a row for each group, colored by the group's value over time. Its data source holds
 * traces, logs or metrics.
 */
export interface HeatmapSeriesTileConfig extends Built<"heatmapOfSeries"> {}
/** The content of a tile that lists the records which a filter selects. */
export interface SearchTileConfig extends Built<"search"> {}
/** The content of a tile that shows the patterns of the records which a filter selects. */
export interface EventPatternsTileConfig extends Built<"eventPatterns"> {}
/** The content of a tile that shows text in Markdown. */
export interface MarkdownTileConfig extends Built<"markdown"> {}
/** The content of a tile that draws the result of a query in SQL as lines over time. */
export interface SqlLineTileConfig extends Sql<"line"> {}
/** The content of a tile that draws the result of a query in SQL as stacked bars over time. */
export interface SqlStackedBarTileConfig extends Sql<"stackedBar"> {}
/** The content of a tile that draws the result of a query in SQL as stacked areas over time. Only ClickHouse Cloud has it. */
export interface SqlStackedLineTileConfig extends Sql<"stackedLine"> {}
/** The content of a tile that shows the result of a query in SQL as a table. */
export interface SqlTableTileConfig extends Sql<"table"> {}
/** The content of a tile that shows the result of a query in SQL as a number. */
export interface SqlNumberTileConfig extends Sql<"number"> {}
/** The content of a tile that draws the result of a query in SQL as a pie chart. */
export interface SqlPieTileConfig extends Sql<"pie"> {}
/** The content of a tile that draws a bar for each row of the result of a query in SQL. */
export interface SqlBarTileConfig extends Sql<"bar"> {}

/** A kind of tile that this version of the provider does not know, declared by a cast: `"flame" as OtherDisplayType`. */
export type OtherDisplayType = string & {
  /**
   * This member exists only in types. It makes a cast necessary for an unknown kind of tile, so that a misspelt kind does not
   * compile.
   */
  readonly [otherKind]: true;
};
declare const otherKind: unique symbol;

/**
 * The content of a tile whose kind or members this version of the provider does not know. It is sent as it is, with a warning.
 */
export interface OtherTileConfig {
  /** Kind of tile. */
  readonly displayType: OtherDisplayType;
  readonly [member: string]: unknown;
}

/** The content of a dashboard tile. Its `displayType` and `configType` together determine which properties it has. */
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

/** The first version of ClickStack whose API shows dashboard tiles whose query is in PromQL. */
export const promqlSince = "2.42";

const kinds: readonly TObject[] = [
  ...Object.values(builtKinds).map((kind) => ({ ...kind, filledIn: ["sourceId"] })),
  ...Object.values(sqlKinds).map((kind) => ({ ...kind, filledIn: ["connectionId"] })),
];

/** The schema of a dashboard tile's `config`. It accepts unknown kinds and members, since newer servers may have them. */
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

/** The schema of a dashboard tile's content by its kind; undefined if this version of the provider does not know the kind. */
export function kindOfTile(config: PropertyMap): TObject | undefined {
  return kindOf(tileConfig, config);
}

/** Whether the entries of `select` in the content of a tile are series. In a heatmap that shows a distribution they are not. */
export function showsSeries(config: PropertyMap): boolean {
  return kindOfTile(config)?.properties.select?.items?.properties.aggFn !== undefined;
}

/** The kinds of tiles that this version of the provider knows, as values of `displayType`. */
export const displayTypes: readonly string[] = [
  ...new Set(Object.values(builtKinds).map(({ properties }) => properties.displayType.const)),
];
