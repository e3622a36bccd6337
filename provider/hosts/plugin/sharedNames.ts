/**
 * Names in the package schema of types that several properties share, by the path of the first one. Types inside a type begin
 * with its name, so an entry renames these, too.
 */
const sharedNames: readonly (readonly [path: string, name: string])[] = [
  ["ApiKeyIpAccessList", "IpAccessEntry"],
  ["DashboardTileConfigBackgroundChart", "ChartBackground"],
  ["DashboardTileConfigColor", "ChartColor"],
  ["DashboardTileConfigFormula", "ChartFormula"],
  ["DashboardTileConfigLineInterpolation", "ChartLineInterpolation"],
  ["DashboardTileConfigSelectAggFn", "AggFn"],
  ["DashboardTileConfigSelectMetricType", "MetricType"],
  ["DashboardTileConfigSelectNumberFormat", "NumberFormat"],
  ["DashboardTileConfigSelectWhereLanguage", "WhereLanguage"],
  ["DashboardTileConfigSelect", "ChartSelect"],
  ["DashboardTileSeriesSortOrder", "SortOrder"],
  ["PipeDestinationColumn", "PipeColumn"],
  ["PipeSourceKafkaFormat", "PipeSourceStreamFormat"],
  ["PipeSourcePostgresAuthentication", "PipeSourceDatabaseAuthentication"],
  ["PipeSourcePostgresSettingsReplicationMode", "PipeSourceReplicationMode"],
  ["PipeSourcePostgresTableMappingTableEngine", "PipeSourceTableEngine"],
  ["PipeSourcePostgresTableMapping", "PipeSourceTableMapping"],
  ["PipeSourcePubsubAuthentication", "PipeSourceGoogleAuthentication"],
  ["ServiceDesiredState", "DesiredState"],
  ["ServiceScalingAutoscalingMode", "AutoscalingMode"],
  ["ServiceScalingCurrentScaling", "CurrentScaling"],
  ["ServiceScalingEndpoint", "ServiceEndpoint"],
  ["ServiceScalingOnDestroy", "OnDestroy"],
  ["ServiceScalingScalingSchedule", "ScalingSchedule"],
  ["SloPage", "SloAlerts"],
  ["SourceHighlightedTraceAttributeExpression", "SourceHighlightedAttributeExpression"],
];

/** The name of a type at a path, which names no resource and no kind that others beside it share the type with. */
export function sharedName(path: string): string {
  const [first, name] = sharedNames.find(([first]) => path.startsWith(first)) ?? ["", ""];
  return name + path.slice(first.length);
}
