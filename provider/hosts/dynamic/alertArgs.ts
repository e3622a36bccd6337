import type { AlertChannel } from "../../resources/alert/alertChannels";
import type * as charts from "../../resources/alert/alertChart";
import type { ArgsOf } from "./types";

/** The target of an alert's notifications, such as a webhook. */
export interface AlertChannelArgs extends ArgsOf<AlertChannel> {}

/** An inline alert's chart of values over time, by series and group. */
export interface LineAlertChartArgs extends ArgsOf<charts.LineAlertChart> {}

/** An inline alert's chart of values over time, by series and group, which the server shows as stacked bars. */
export interface StackedBarAlertChartArgs extends ArgsOf<charts.StackedBarAlertChart> {}

/** An inline alert's chart of values over time, shown as stacked areas, which only ClickHouse Cloud has. */
export interface StackedLineAlertChartArgs extends ArgsOf<charts.StackedLineAlertChart> {}

/** A chart of an inline alert with one value. */
export interface NumberAlertChartArgs extends ArgsOf<charts.NumberAlertChart> {}

/** An inline alert's chart over time from a query in SQL, which needs an interval, such as `$__timeInterval(Timestamp)`. */
export interface SqlLineAlertChartArgs extends ArgsOf<charts.SqlLineAlertChart> {}

/**
 * An inline alert's chart over time from a query in SQL, shown as stacked bars. The query needs an interval, such as
 * `$__timeInterval(Timestamp)`.
 */
export interface SqlStackedBarAlertChartArgs extends ArgsOf<charts.SqlStackedBarAlertChart> {}

/**
 * An inline alert's chart over time from a query in SQL, shown as stacked areas. The query needs an interval, such as
 * `$__timeInterval(Timestamp)`.
 */
export interface SqlStackedLineAlertChartArgs extends ArgsOf<charts.SqlStackedLineAlertChart> {}

/** An inline alert's chart with one value: the last column of a SQL query's first row. Only the query limits its time range. */
export interface SqlNumberAlertChartArgs extends ArgsOf<charts.SqlNumberAlertChart> {}

// Charts without SQL come last: if several types of the union fit equally well, the compiler's error is about the last one.
/** The chart of an inline alert: a union whose types `displayType` and `configType` tell apart. */
export type AlertChartConfigArgs =
  | SqlLineAlertChartArgs
  | SqlStackedBarAlertChartArgs
  | SqlStackedLineAlertChartArgs
  | SqlNumberAlertChartArgs
  | LineAlertChartArgs
  | StackedBarAlertChartArgs
  | StackedLineAlertChartArgs
  | NumberAlertChartArgs;
