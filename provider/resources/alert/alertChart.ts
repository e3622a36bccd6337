import { enums } from "../../api/enums.golden";
import type { PropertyMap } from "../../values/data";
import { oneOf, oneOfKinds } from "../../values/schema";
import { type Static, type TObject, Type } from "../../values/schemaBuilders";
import type {
  LineTileConfig,
  NumberTileConfig,
  SqlLineTileConfig,
  SqlNumberTileConfig,
  SqlStackedBarTileConfig,
  SqlStackedLineTileConfig,
  StackedBarTileConfig,
  StackedLineTileConfig,
} from "../tiles/tileConfig";
import { builtKinds, sqlKinds } from "../tiles/tileKinds";

const name = {
  /** Name of the alert's chart, under which lists show the alert unless the alert declares `displayName`. Default: none. */
  name: Type.Optional(Type.String({ minLength: 1 })),
};
const filter = {
  /**
   * Filter that selects the records of all series of the alert's chart, in addition to the filter of each series. Default: all
   * records.
   */
  where: Type.Optional(Type.String({ longest: 10_000 })),
  /** Language of the filter `where` in the alert's chart. Default: lucene. */
  whereLanguage: Type.Optional(oneOf(enums.whereLanguage)),
};

const named = Type.Object(name);
const filtered = Type.Object(filter);
/**
 * The members that every chart of an alert has and a dashboard tile lacks. They are an interface of their own, since editors
 * show no documentation of members that are spread from another file.
 */
interface Named extends Static<typeof named> {}
interface Filtered extends Named, Static<typeof filtered> {}

const builtCharts = {
  line: Type.Object({ ...builtKinds.line.properties, ...name, ...filter }),
  stackedBar: Type.Object({ ...builtKinds.stackedBar.properties, ...name, ...filter }),
  stackedLine: Type.Object({ ...builtKinds.stackedLine.properties, ...name, ...filter }),
  number: Type.Object({ ...builtKinds.number.properties, ...name, ...filter }),
};

const sqlCharts = {
  line: Type.Object({ ...sqlKinds.line.properties, ...name }),
  stackedBar: Type.Object({ ...sqlKinds.stackedBar.properties, ...name }),
  stackedLine: Type.Object({ ...sqlKinds.stackedLine.properties, ...name }),
  number: Type.Object({ ...sqlKinds.number.properties, ...name }),
};

/**
 * An alert has no `defaults` that could fill in members, so its chart requires members that the content of a dashboard tile may
 * leave out.
 */
type Complete<Config, Name extends keyof Config> = Omit<Config, Name> & Required<Pick<Config, Name>>;

/** An alert's chart of values over time, by series and group. */
export interface LineAlertChart extends Complete<LineTileConfig, "sourceId">, Filtered {}
/** An alert's chart of values over time, by series and group, which the server shows as stacked bars. */
export interface StackedBarAlertChart extends Complete<StackedBarTileConfig, "sourceId">, Filtered {}
/**
 * An alert's chart of values over time, by series and group, which the service shows as stacked areas. Only ClickHouse Cloud
 * has it.
 */
export interface StackedLineAlertChart extends Complete<StackedLineTileConfig, "sourceId">, Filtered {}
/** An alert's chart that shows one number. */
export interface NumberAlertChart extends Complete<NumberTileConfig, "sourceId">, Filtered {}
/** An alert's chart of values over time from a query in SQL, which needs an interval such as `$__timeInterval(Timestamp)`. */
export interface SqlLineAlertChart extends Complete<SqlLineTileConfig, "connectionId">, Named {}
/**
 * An alert's chart of values over time, shown as stacked bars. Its query is in SQL, and needs an interval such as
 * `$__timeInterval(Timestamp)`.
 */
export interface SqlStackedBarAlertChart extends Complete<SqlStackedBarTileConfig, "connectionId">, Named {}
/**
 * An alert's chart of values over time, shown as stacked areas. Its query is in SQL, and needs an interval such as
 * `$__timeInterval(Timestamp)`.
 */
export interface SqlStackedLineAlertChart extends Complete<SqlStackedLineTileConfig, "connectionId">, Named {}
/**
 * An alert's chart of one value from a query in SQL: the last column of the first row. The server adds no time range to the
 * query.
 */
export interface SqlNumberAlertChart extends Complete<SqlNumberTileConfig, "connectionId">, Named {}

/**
 * The chart of an alert whose `source` is `inline`. Its `displayType` and `configType` together determine which properties it
 * has.
 */
export type AlertChartConfig =
  | LineAlertChart
  | StackedBarAlertChart
  | StackedLineAlertChart
  | NumberAlertChart
  | SqlLineAlertChart
  | SqlStackedBarAlertChart
  | SqlStackedLineAlertChart
  | SqlNumberAlertChart;

const kinds: readonly TObject[] = [...Object.values(builtCharts), ...Object.values(sqlCharts)];

const { select } = builtCharts.line.properties;

export const alertChart = oneOfKinds<AlertChartConfig>(
  kinds,
  {
    select: {
      ...select,
      most: 20,
      items: { ...select.items, identity: ["aggFn", "valueExpression", "metricName"] },
    },
  },
  { identity: ["displayType", "configType"], dialect: "clickhouse", since: "2.38" },
);

/** The schema for the kind of an alert's chart; undefined if a preview does not know the kind. */
export function kindOfChart(chart: PropertyMap): TObject | undefined {
  return kinds.find(({ properties }) =>
    ["displayType", "configType"].every((tag) => chart[tag] === properties[tag]?.const),
  );
}
