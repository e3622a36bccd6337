import type { DashboardContainer } from "../../resources/dashboard/dashboardContainers";
import type * as filters from "../../resources/dashboard/dashboardFilters";
import type { NumberFormat } from "../../resources/tiles/numberFormat";
import type { DashboardTile } from "../../resources/tiles/tile";
import type { BackgroundChart, ColorRule } from "../../resources/tiles/tileColors";
import type * as configs from "../../resources/tiles/tileConfig";
import type { TileOnClick } from "../../resources/tiles/tileOnClick";
import type { HeatmapSelect, TileSelect } from "../../resources/tiles/tileSelect";
import type { DashboardSeries } from "../../resources/tiles/tileSeries";
import type { ArgsOf } from "./types";

/** A tile of a dashboard. Its content is either `config` or `series`. */
export interface DashboardTileArgs extends ArgsOf<DashboardTile> {}

/** A group of tiles on a dashboard, with a title and perhaps with tabs. */
export interface DashboardContainerArgs extends ArgsOf<DashboardContainer> {}

/** A dashboard's filter whose values come from an expression over a source. */
export interface QueryExpressionFilterArgs extends ArgsOf<filters.QueryExpressionFilter> {}

/** A dashboard variable whose values the program lists. */
export interface StaticListFilterArgs extends ArgsOf<filters.StaticListFilter> {}

/** A dashboard variable whose values are those of a Prometheus label. */
export interface PrometheusLabelFilterArgs extends ArgsOf<filters.PrometheusLabelFilter> {}

/** A dashboard filter of ClickHouse Cloud whose values come from an expression, and which queries can name. */
export interface SourceFilterArgs extends ArgsOf<filters.SourceFilter> {}

/** A filter or a variable that people set above the dashboard: a union whose types `type` tells apart. */
export type DashboardFilterArgs =
  | QueryExpressionFilterArgs
  | StaticListFilterArgs
  | PrometheusLabelFilterArgs
  | SourceFilterArgs;

/** A condition in SQL that applies when the dashboard is opened. */
export interface SqlFilterValueArgs extends ArgsOf<filters.SqlFilterValue> {}

/** The values that a dashboard's variable has when the dashboard is opened. */
export interface VariableFilterValueArgs extends ArgsOf<filters.VariableFilterValue> {}

/** The conditions that a dashboard's ad hoc filter has when the dashboard is opened. */
export interface AdhocFilterValueArgs extends ArgsOf<filters.AdhocFilterValue> {}

/** The initial choice of a dashboard's filter, by its `type`. */
export type SavedFilterValueArgs = SqlFilterValueArgs | VariableFilterValueArgs | AdhocFilterValueArgs;

/** One series of a dashboard tile. */
export interface DashboardSeriesArgs extends ArgsOf<DashboardSeries> {}

/** A tile with a line for each series and group over time. */
export interface LineTileConfigArgs extends ArgsOf<configs.LineTileConfig> {}

/** A tile with bars over time, on which the groups are stacked. */
export interface StackedBarTileConfigArgs extends ArgsOf<configs.StackedBarTileConfig> {}

/** A tile with stacked areas over time, which only ClickHouse Cloud has. */
export interface StackedLineTileConfigArgs extends ArgsOf<configs.StackedLineTileConfig> {}

/** A table tile with a row for each group. */
export interface TableTileConfigArgs extends ArgsOf<configs.TableTileConfig> {}

/** A tile that shows one number. */
export interface NumberTileConfigArgs extends ArgsOf<configs.NumberTileConfig> {}

/** A tile with a pie chart of the groups. */
export interface PieTileConfigArgs extends ArgsOf<configs.PieTileConfig> {}

/** A tile with a bar for each group. */
export interface BarTileConfigArgs extends ArgsOf<configs.BarTileConfig> {}

/** A tile with the distribution of a value over time. Its source is a source of traces. */
export interface HeatmapTileConfigArgs extends ArgsOf<configs.HeatmapTileConfig> {}

/** A tile with a row for each group, colored by the group's value over time. Its source holds traces, logs or metrics. */
export interface HeatmapSeriesTileConfigArgs extends ArgsOf<configs.HeatmapSeriesTileConfig> {}

/** A tile with the records that a filter selects. */
export interface SearchTileConfigArgs extends ArgsOf<configs.SearchTileConfig> {}

/** A tile with the patterns that the records selected by a filter have in common. */
export interface EventPatternsTileConfigArgs extends ArgsOf<configs.EventPatternsTileConfig> {}

/** A tile that shows text. */
export interface MarkdownTileConfigArgs extends ArgsOf<configs.MarkdownTileConfig> {}

/** A tile with lines over time from a query in SQL. */
export interface SqlLineTileConfigArgs extends ArgsOf<configs.SqlLineTileConfig> {}

/** A tile with stacked bars over time from a query in SQL. */
export interface SqlStackedBarTileConfigArgs extends ArgsOf<configs.SqlStackedBarTileConfig> {}

/** A tile with stacked areas over time from a query in SQL, which only ClickHouse Cloud has. */
export interface SqlStackedLineTileConfigArgs extends ArgsOf<configs.SqlStackedLineTileConfig> {}

/** A table tile with the rows that a query in SQL returns. */
export interface SqlTableTileConfigArgs extends ArgsOf<configs.SqlTableTileConfig> {}

/** A tile with the number that a query in SQL returns. */
export interface SqlNumberTileConfigArgs extends ArgsOf<configs.SqlNumberTileConfig> {}

/** A tile with a pie chart of the rows that a query in SQL returns. */
export interface SqlPieTileConfigArgs extends ArgsOf<configs.SqlPieTileConfig> {}

/** A tile with a bar for each row that a query in SQL returns. */
export interface SqlBarTileConfigArgs extends ArgsOf<configs.SqlBarTileConfig> {}

/** A tile whose type or properties only newer servers have. The provider sends it unchanged, with a warning. */
export interface OtherTileConfigArgs extends ArgsOf<configs.OtherTileConfig> {}

// Tiles without SQL come last: if several types of the union fit equally well, the compiler's error is about the last one.
/** The content of a tile: a union whose types `displayType` and `configType` tell apart. */
export type TileConfigArgs =
  | SqlLineTileConfigArgs
  | SqlStackedBarTileConfigArgs
  | SqlStackedLineTileConfigArgs
  | SqlTableTileConfigArgs
  | SqlNumberTileConfigArgs
  | SqlPieTileConfigArgs
  | SqlBarTileConfigArgs
  | LineTileConfigArgs
  | StackedBarTileConfigArgs
  | StackedLineTileConfigArgs
  | TableTileConfigArgs
  | NumberTileConfigArgs
  | PieTileConfigArgs
  | BarTileConfigArgs
  | HeatmapTileConfigArgs
  | HeatmapSeriesTileConfigArgs
  | SearchTileConfigArgs
  | EventPatternsTileConfigArgs
  | MarkdownTileConfigArgs
  | OtherTileConfigArgs;

/** One series of a tile with `config`: an aggregation of selected records. */
export interface TileSelectArgs extends ArgsOf<TileSelect> {}

/** The settings of a heatmap tile: how it computes and shows its values. */
export interface HeatmapSelectArgs extends ArgsOf<HeatmapSelect> {}

/** How a tile shows a number. */
export interface NumberFormatArgs extends ArgsOf<NumberFormat> {}

/** The color of a tile's number while the number matches a condition. */
export interface ColorRuleArgs extends ArgsOf<ColorRule> {}

/** The trend that a tile shows behind its number. */
export interface BackgroundChartArgs extends ArgsOf<BackgroundChart> {}

/** The target of a click on a row of a table tile: a search, a dashboard, or another page. */
export type TileOnClickArgs = ArgsOf<TileOnClick>;
