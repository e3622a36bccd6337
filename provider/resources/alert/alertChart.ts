import type { Data } from "../../values/data";
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
} from "../dashboard/tileConfig";
import { builtKinds, sqlKinds } from "../dashboard/tileKinds";

const name = {
  /** Name of the chart: that of the alert in lists, unless `displayName` is declared. Default: none. */
  name: Type.Optional(Type.String({ minLength: 1 })),
};
const filter = {
  /** Filter that selects the records of all series, beside those of each. Default: all records. */
  where: Type.Optional(Type.String({ longest: 10_000 })),
  /** Language of `where`. Default: lucene. */
  whereLanguage: Type.Optional(oneOf(["lucene", "sql"])),
};

const named = Type.Object(name);
const filtered = Type.Object(filter);
/**
 * The members of every chart that tiles lack. They are an interface of their own, since editors show no documentation
 * of members that are spread from another file.
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

/** A chart of an alert has no `defaults` that could fill in members, so these members are required. */
type Complete<Config, Name extends keyof Config> = Omit<Config, Name> & Required<Pick<Config, Name>>;

/** Values over time, by series and group. */
export interface LineAlertChart extends Complete<LineTileConfig, "sourceId">, Filtered {}
/** Values over time, by series and group, which the server shows as stacked bars. */
export interface StackedBarAlertChart extends Complete<StackedBarTileConfig, "sourceId">, Filtered {}
/** Values over time, by series and group, which the service shows as stacked areas. ClickHouse Cloud has it. */
export interface StackedLineAlertChart extends Complete<StackedLineTileConfig, "sourceId">, Filtered {}
/** A chart of an inline alert with one value. */
export interface NumberAlertChart extends Complete<NumberTileConfig, "sourceId">, Filtered {}
/** Values over time from a query in SQL. It needs an interval, such as `$__timeInterval(Timestamp)`. */
export interface SqlLineAlertChart extends Complete<SqlLineTileConfig, "connectionId">, Named {}
/** Values over time from a query in SQL, which the server shows as stacked bars. It needs an interval. */
export interface SqlStackedBarAlertChart extends Complete<SqlStackedBarTileConfig, "connectionId">, Named {}
/** Values over time from a query in SQL, which the service shows as stacked areas. It needs an interval. */
export interface SqlStackedLineAlertChart extends Complete<SqlStackedLineTileConfig, "connectionId">, Named {}
/** One value from a query in SQL: the last column of the first row. The query alone says which time it looks at. */
export interface SqlNumberAlertChart extends Complete<SqlNumberTileConfig, "connectionId">, Named {}

/** The chart of an inline alert: one of the kinds that `displayType` and `configType` tell apart. */
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

/** The schema of `chartConfig`. */
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

/** The schema for a chart's kind; undefined if the kind is not known yet. */
export function kindOfChart(chart: Data): TObject | undefined {
  return kinds.find(({ properties }) =>
    ["displayType", "configType"].every((tag) => chart[tag] === properties[tag]?.const),
  );
}
