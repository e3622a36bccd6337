import { type Data, ownMember } from "../values/data";
import { when } from "../values/schema";
import { Type } from "../values/schemaBuilders";
import { type TileMembers, tileMembers } from "./tileMembers";
import { type HeatmapSelect, selectEntries, selects, type TileSelect } from "./tileSelect";

type Member = keyof TileMembers;

/** One kind of tile: how it fills `select`, and the names of its further members. */
interface Kind {
  readonly select?: keyof typeof selects;
  readonly required: readonly Member[];
  readonly optional: readonly Member[];
}

const formulas = ["formulas", "showOperandSeries"] as const;
const timeChart = ["alignDateRangeToGranularity", "fillNulls", "seriesLimit", "numberFormat"] as const;
const lineChart = [...timeChart, "fitYAxisToData", "compareToPreviousPeriod"] as const;

/** The kinds of tile whose query the server builds, by `displayType`. */
const builtKinds = {
  line: {
    select: "several",
    required: ["sourceId"],
    optional: [...lineChart, "groupBy", "asRatio", ...formulas],
  },
  stacked_bar: {
    select: "several",
    required: ["sourceId"],
    optional: [...timeChart, "groupBy", "asRatio", ...formulas],
  },
  table: {
    select: "several",
    required: ["sourceId"],
    optional: [
      ...["groupBy", "having", "orderBy", "asRatio", "numberFormat"],
      ...["groupByColumnsOnLeft", "onClick"],
      ...formulas,
    ],
  },
  number: {
    select: "several",
    required: ["sourceId"],
    optional: ["numberFormat", "color", "colorRules", "backgroundChart", "formulas"],
  },
  pie: { select: "one", required: ["sourceId"], optional: ["groupBy", "orderBy", "numberFormat", "limit"] },
  bar: { select: "one", required: ["sourceId"], optional: ["groupBy", "orderBy", "numberFormat", "limit"] },
  heatmap: {
    select: "heatmap",
    required: ["sourceId"],
    optional: ["where", "whereLanguage", "numberFormat"],
  },
  search: { select: "columns", required: ["sourceId"], optional: ["where", "whereLanguage"] },
  event_patterns: { select: "columns", required: ["sourceId"], optional: ["where", "whereLanguage"] },
  markdown: { required: [], optional: ["markdown"] },
} as const satisfies { readonly [displayType: string]: Kind };

const sqlRequired = ["connectionId", "sqlTemplate"] as const;

/** The kinds of tile that show what a query in SQL returns, by `displayType`. */
const sqlKinds = {
  line: { required: sqlRequired, optional: ["sourceId", ...lineChart] },
  stacked_bar: { required: sqlRequired, optional: ["sourceId", ...timeChart] },
  table: { required: sqlRequired, optional: ["sourceId", "numberFormat", "onClick"] },
  number: { required: sqlRequired, optional: ["sourceId", "numberFormat", "color"] },
  pie: { required: sqlRequired, optional: ["sourceId", "numberFormat"] },
  bar: { required: sqlRequired, optional: ["sourceId", "numberFormat"] },
} as const satisfies { readonly [displayType: string]: Kind };

type MembersOf<Of extends Kind> = Pick<TileMembers, Of["required"][number]> &
  Partial<Pick<TileMembers, Of["optional"][number]>>;
type Built<DisplayType extends keyof typeof builtKinds> = MembersOf<(typeof builtKinds)[DisplayType]>;

interface Series {
  /** The series, 1 to 20. A number shows one, unless `formulas` use more. */
  readonly select: readonly TileSelect[];
}

interface OneSeries {
  /** What is shown: one entry. */
  readonly select: readonly TileSelect[];
}

/** A tile with a line for each series and group over time. */
export interface LineTileConfig extends Built<"line">, Series {
  /** Lines over time. */
  readonly displayType: "line";
}

/** A tile with bars over time, on which the groups are stacked. */
export interface StackedBarTileConfig extends Built<"stacked_bar">, Series {
  /** Stacked bars over time. */
  readonly displayType: "stacked_bar";
}

/** A tile with a row for each group. */
export interface TableTileConfig extends Built<"table">, Series {
  /** A table. */
  readonly displayType: "table";
}

/** A tile with one number. */
export interface NumberTileConfig extends Built<"number">, Series {
  /** A number. */
  readonly displayType: "number";
}

/** A tile with a pie of the groups. */
export interface PieTileConfig extends Built<"pie">, OneSeries {
  /** A pie. */
  readonly displayType: "pie";
}

/** A tile with a bar for each group. */
export interface BarTileConfig extends Built<"bar">, OneSeries {
  /** A bar for each group. */
  readonly displayType: "bar";
}

/** A tile with the distribution of a value over time. Its source is one of traces. */
export interface HeatmapTileConfig extends Built<"heatmap"> {
  /** A heatmap. */
  readonly displayType: "heatmap";
  /** What is shown: one entry. */
  readonly select: readonly HeatmapSelect[];
}

/** A tile with the records that a filter selects. */
export interface SearchTileConfig extends Built<"search"> {
  /** A list of records. */
  readonly displayType: "search";
  /** The columns that are shown, separated by commas. */
  readonly select: string;
}

/** A tile with the patterns of the records that a filter selects. */
export interface EventPatternsTileConfig extends Built<"event_patterns"> {
  /** Patterns of records. */
  readonly displayType: "event_patterns";
  /** Columns or expressions, separated by commas. Default: those of the source. */
  readonly select?: string;
}

/** A tile with text. */
export interface MarkdownTileConfig extends Built<"markdown"> {
  /** Text in Markdown. */
  readonly displayType: "markdown";
}

/** A tile with what a query in SQL returns. Which optional members it has follows from `displayType`. */
export interface SqlTileConfig extends MembersOf<(typeof sqlKinds)[keyof typeof sqlKinds]> {
  /** The query is in SQL. */
  readonly configType: "sql";
  /** How the result is shown. */
  readonly displayType: keyof typeof sqlKinds;
}

/** A kind of tile that this version does not know, by a cast: `"flame" as OtherDisplayType`. */
export type OtherDisplayType = string & {
  /** In types alone: it makes the cast necessary. */
  readonly [other]: true;
};
declare const other: unique symbol;

/** A tile of a kind, or with members, that only newer servers know. It is sent as it is, with a warning. */
export interface OtherTileConfig {
  /** Kind of tile. */
  readonly displayType: OtherDisplayType;
  readonly [member: string]: unknown;
}

/** What a tile shows: one of the kinds that `displayType` tells apart. */
export type TileConfig =
  | LineTileConfig
  | StackedBarTileConfig
  | TableTileConfig
  | NumberTileConfig
  | PieTileConfig
  | BarTileConfig
  | HeatmapTileConfig
  | SearchTileConfig
  | EventPatternsTileConfig
  | MarkdownTileConfig
  | SqlTileConfig
  | OtherTileConfig;

/** What a tile of one kind needs. */
function rulesOf([displayType, { select, required }]: [string, Kind]): object {
  // The server has a default for the columns of patterns.
  const isRequired = select !== undefined && displayType !== "event_patterns";
  const selected = select ? { properties: { select: selects[select] } } : {};
  return when("displayType", displayType, {
    required: isRequired ? ["select", ...required] : required,
    ...selected,
  });
}

/** The schema of `config`. It allows members that it does not have: newer servers may know them. */
export const tileConfig = Type.Unsafe<TileConfig>({
  type: "object",
  identity: ["displayType", "configType"],
  notBeside: ["series"],
  required: ["displayType"],
  properties: {
    displayType: Type.String({ minLength: 1 }),
    configType: Type.String({ minLength: 1 }),
    select: selectEntries,
    ...tileMembers,
  },
  allOf: [
    when("configType", "sql", { allOf: Object.entries(sqlKinds).map(rulesOf) }),
    { if: { required: ["configType"] }, else: { allOf: Object.entries(builtKinds).map(rulesOf) } },
  ],
});

/** The kind of a tile; undefined if this version does not know it. */
function kindOf({ configType, displayType }: Data): Kind | undefined {
  const kinds: { readonly [displayType: string]: Kind } =
    configType === undefined ? builtKinds : configType === "sql" ? sqlKinds : {};
  return typeof displayType === "string" ? (ownMember(kinds, displayType) as Kind | undefined) : undefined;
}

/** Whether the entries of `select` are series. */
export function showsSeries(config: Data): boolean {
  return ["several", "one"].includes(kindOf(config)?.select ?? "");
}

/** The names of the members of a tile; undefined if this version does not know its kind. */
export function memberNames(config: Data): readonly string[] | undefined {
  const kind = kindOf(config);
  if (kind === undefined) return undefined;
  const { select, required, optional } = kind;
  return ["displayType", "configType", ...(select ? ["select"] : []), ...required, ...optional];
}

/** The kinds of tile that this version knows. */
export const displayTypes: readonly string[] = Object.keys(builtKinds);
