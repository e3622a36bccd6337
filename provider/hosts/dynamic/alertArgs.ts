import type { AlertChannel } from "../../resources/alert/alertChannels";
import type * as charts from "../../resources/alert/alertChart";
import type { ArgsOf } from "./types";

/** The target of an alert's notifications. */
export interface AlertChannelArgs extends ArgsOf<AlertChannel> {}

/** Values over time, by series and group. */
export interface LineAlertChartArgs extends ArgsOf<charts.LineAlertChart> {}

/** Values over time, by series and group, which the server shows as stacked bars. */
export interface StackedBarAlertChartArgs extends ArgsOf<charts.StackedBarAlertChart> {}

/** Values over time, by series and group, which the service shows as stacked areas. ClickHouse Cloud has it. */
export interface StackedLineAlertChartArgs extends ArgsOf<charts.StackedLineAlertChart> {}

/** A chart of an inline alert with one value. */
export interface NumberAlertChartArgs extends ArgsOf<charts.NumberAlertChart> {}

/** Values over time from a query in SQL. It needs an interval, such as `$__timeInterval(Timestamp)`. */
export interface SqlLineAlertChartArgs extends ArgsOf<charts.SqlLineAlertChart> {}

/** Values over time from a query in SQL, which the server shows as stacked bars. It needs an interval. */
export interface SqlStackedBarAlertChartArgs extends ArgsOf<charts.SqlStackedBarAlertChart> {}

/** Values over time from a query in SQL, which the service shows as stacked areas. It needs an interval. */
export interface SqlStackedLineAlertChartArgs extends ArgsOf<charts.SqlStackedLineAlertChart> {}

/** One value from a query in SQL: the last column of the first row. The query alone says which time it looks at. */
export interface SqlNumberAlertChartArgs extends ArgsOf<charts.SqlNumberAlertChart> {}

// The order matters: if several kinds fit equally well, the compiler's error is about the last one. Kinds without SQL
// come last, so that an error about a missing member is about them.
/** The chart of an inline alert: one of the kinds that `displayType` and `configType` tell apart. */
export type AlertChartConfigArgs =
  | SqlLineAlertChartArgs
  | SqlStackedBarAlertChartArgs
  | SqlStackedLineAlertChartArgs
  | SqlNumberAlertChartArgs
  | LineAlertChartArgs
  | StackedBarAlertChartArgs
  | StackedLineAlertChartArgs
  | NumberAlertChartArgs;
