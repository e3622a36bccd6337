import { enums } from "../../api/enums.golden";
import { ownMember, type PropertyMap } from "../../values/data";
import { oneOf, openSetOf } from "../../values/schema";
import { type Static, Type } from "../../values/schemaBuilders";
import { type Failure, notOneOf } from "../../values/validate";
import { numberFormat } from "./numberFormat";
import { aggregateFunctions, metricTypes } from "./tileSelect";
import type { Entries } from "./tiles";

const schema = Type.Object(
  {
    /**
     * Kind of chart that shows the series, such as `time`, `table` or `number`. Newer servers also know `search` and
     * `markdown`.
     */
    type: openSetOf(enums.seriesType),
    /** Data source of the series. Newer servers use `sourceId` instead. */
    dataSource: Type.Optional(Type.String({ minLength: 1 })),
    /** Function that aggregates the values of the series, such as `count`, `sum`, `avg` or `max`. */
    aggFn: Type.Optional(openSetOf(aggregateFunctions)),
    /** Filter expression that selects the records of the series. Default: all records. */
    where: Type.Optional(Type.String()),
    /** Fields by which the values of the series are grouped. Only a series of type `number` may leave them out. */
    groupBy: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { most: 10 })),
    /** Id of the data source of the series; newer servers require it. `getSources` lists the ids. */
    sourceId: Type.Optional(Type.String({ minLength: 1, of: "Source" })),
    /** On newer servers: column or expression whose values the series aggregates. Not needed for `count`. */
    field: Type.Optional(Type.String()),
    /** On newer servers: the quantile that the series shows, 0 to 1, if `aggFn` is `quantile`; 0.95 is the 95th percentile. */
    level: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    /** Language of the series' filter expression `where` on newer servers: `lucene` or `sql`. Default: lucene. */
    whereLanguage: Type.Optional(oneOf(enums.whereLanguage)),
    /** On newer servers: name of the series in the chart. */
    alias: Type.Optional(Type.String({ minLength: 1 })),
    /** On newer servers: name of the metric that the series shows, if the data source holds metrics. */
    metricName: Type.Optional(Type.String({ minLength: 1 })),
    /** On newer servers: kind of the metric that the series shows, such as `sum`, `gauge` or `histogram`. */
    metricDataType: Type.Optional(openSetOf(metricTypes)),
    /** On newer servers: whether a series of type `time` is shown as lines or as stacked bars. Default: line. */
    displayType: Type.Optional(oneOf(enums.seriesDisplayType)),
    /** On newer servers: order of the rows in a series of type `table`. */
    sortOrder: Type.Optional(oneOf(enums.sortOrder)),
    /** On newer servers: the format in which the values of the series are shown. */
    numberFormat: Type.Optional(numberFormat),
    /** On newer servers: the columns that a series of type `search` shows. */
    fields: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    /** On newer servers: the text of a tile of type `markdown`, at most 100,000 characters. */
    content: Type.Optional(Type.String({ longest: 100_000 })),
  },
  { additionalProperties: false, identity: ["type", "aggFn", "field", "metricName"] },
);

/**
 * One series of a dashboard tile. The API document does not describe the members for newer servers, which are from the
 * documentation of HyperDX.
 */
export interface DashboardSeries extends Static<typeof schema> {}

export const tileSeries = Type.Unsafe<DashboardSeries>(schema);

type Member = Exclude<keyof DashboardSeries, "type" | "dataSource">;

/** The members that a series of one `type` has in a dashboard tile on servers of ClickHouse Cloud and HyperDX. */
interface Kind {
  readonly required: readonly Member[];
  readonly optional: readonly Member[];
}

const aggregated = ["level", "field", "alias", "numberFormat", "metricDataType", "metricName"] as const;
const filter = ["where", "whereLanguage"] as const;

const kinds: { readonly [type: string]: Kind } = {
  time: { required: ["sourceId", "aggFn", "groupBy"], optional: [...filter, ...aggregated, "displayType"] },
  table: { required: ["sourceId", "aggFn", "groupBy"], optional: [...filter, ...aggregated, "sortOrder"] },
  number: { required: ["sourceId", "aggFn"], optional: [...filter, ...aggregated] },
  search: { required: ["sourceId", "fields"], optional: filter },
  markdown: { required: ["content"], optional: [] },
};

function kindOf(type: unknown): Kind | undefined {
  return typeof type === "string" ? (ownMember(kinds, type) as Kind | undefined) : undefined;
}

export function seriesMembers(type: unknown): readonly string[] {
  const { required = [], optional = [] } = kindOf(type) ?? {};
  return [...required, ...optional];
}

const ungrouped = 'is required unless type is "number"';

/** The failures for series without `groupBy`, which the API document requires. */
export function ungroupedFailures(entries: Entries, path: string): Failure[] {
  return entries
    .filter(([, { type, groupBy }]) => typeof type === "string" && type !== "number" && groupBy === undefined)
    .map(([index]) => ({ path: `${path}[${index}].groupBy`, message: ungrouped }));
}

/**
 * The failures for the series of a tile: members that servers of ClickHouse Cloud and HyperDX require, refuse or do not
 * understand.
 */
export function seriesFailures(entries: Entries, path: string): Failure[] {
  return entries.flatMap(([index, series]) =>
    failuresOf(series, entries[0]?.[1].type).map(({ path: member, message }) => ({
      path: `${path}[${index}].${member}`,
      message,
    })),
  );
}

const missingMessages: { readonly [name: string]: string } = {
  sourceId: "is required: the id of a source; getSources lists them",
  groupBy: ungrouped,
};

function failuresOf(series: PropertyMap, firstType: unknown): Failure[] {
  const { type, dataSource, sourceId, aggFn } = series;
  if (typeof type !== "string") return [];
  const kind = kindOf(type);
  if (kind === undefined) return [notOneOf("type", type, Object.keys(kinds))];
  const failures: Failure[] = [];
  const fail = (path: string, message: string) => void failures.push({ path, message });
  if (typeof firstType === "string" && firstType !== type) fail("type", "must be equal to that of series[0]");
  if (dataSource !== undefined && sourceId === undefined)
    fail(
      "dataSource",
      "is not known to these servers: declare sourceId, the id of a source; getSources lists them",
    );
  const missing = kind.required.filter(
    (name) => series[name] === undefined && !(name === "sourceId" && dataSource !== undefined),
  );
  for (const name of missing) fail(name, missingMessages[name] ?? "is required");
  const names: readonly string[] = ["type", "dataSource", ...kind.required, ...kind.optional];
  const foreign = Object.keys(translated(series)).filter((name) => !names.includes(name));
  for (const name of foreign) fail(name, `does not apply when type is "${type}"`);
  if (typeof aggFn === "string" && !aggregateFunctions.some((candidate) => candidate === aggFn))
    failures.push(notOneOf("aggFn", aggFn, aggregateFunctions));
  return failures;
}

/**
 * A tile's series as servers of ClickHouse Cloud and HyperDX accept it. Members that only these servers require are added if
 * they follow from the rest, and unknown ones are removed. A `dataSource`, which cannot be translated to the id of a source, is
 * left out.
 */
export function translated({ dataSource, ...series }: PropertyMap): PropertyMap {
  const { type, groupBy, ...members } = series;
  const hasFilter = kindOf(type)?.optional.includes("where");
  const isUngrouped = type === "number" && Array.isArray(groupBy) && groupBy.length === 0;
  return {
    ...(hasFilter ? { where: "", whereLanguage: "lucene" } : {}),
    ...(isUngrouped ? { type, ...members } : series),
  };
}

/** Names the properties of a series that servers do not store as declared, for a warning. */
export function seriesLosses(entries: Entries): string[] {
  const [, first] = entries[0] ?? [];
  return [
    ...(first?.type === "number" && entries.length > 1 ? ["further series of a number"] : []),
    ...(entries.some(([, { sortOrder }]) => sortOrder !== undefined) ? ["sortOrder"] : []),
    ...(entries.some(([, { level }]) => typeof level === "number" && ![0.5, 0.9, 0.95, 0.99].includes(level))
      ? ["levels other than 0.5, 0.9, 0.95 and 0.99"]
      : []),
  ];
}
