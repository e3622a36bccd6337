import { resolved, type Schema, type TableName } from "../../../product/read";
import { enums } from "../../../provider/api/enums.golden";
import { expectMade } from "../../golden";

/** Values of the product's tables that the provider leaves out on purpose. */
const leftOut: { readonly [name: string]: readonly string[] } = {
  // Answers may have the engine with parentheses; requests need none.
  destinationEngine: ["MergeTree()"],
};

/** Where the product's tables have the enumerations that the provider uses: the table, a schema and members inside it. */
const places = {
  aggregateFunction: "cloud ClickStackSelectItem.aggFn",
  alertChannelType: "cloud ClickStackAlertResponse.channels.type",
  alertInterval: "cloud ClickStackAlertResponse.interval",
  alertSeverity: "cloud ClickStackAlertChannelWebhook.severity",
  alertThresholdType: "cloud ClickStackAlertResponse.thresholdType",
  apiKeyRole: "cloud ApiKeyPostRequest.roles",
  apiKeyState: "cloud ApiKeyPostRequest.state",
  autoscalingMode: "cloud ScalingScheduleEntryRequest.autoscalingMode",
  backupBucketProvider: "cloud BackupBucket.bucketProvider",
  backgroundChart: "cloud ClickStackBackgroundChart.type",
  bigqueryAuthentication: "cloud ClickPipeBigQuerySource.authentication",
  chartColor: "cloud ClickStackBackgroundChart.color",
  cloudProvider: "cloud ServicePostRequest.provider",
  colorRuleOperator: "cloud ClickStackNumberBuilderChartConfig.colorRules.operator",
  complianceType: "cloud ServicePostRequest.complianceType",
  declarableWebhookService: "cloud ClickStackWebhookInput.service",
  destinationEngine: "cloud ClickPipePostRequest.destination.tableDefinition.engine.type",
  equalityOperator: "cloud ClickStackEqualityColorCondition.operator",
  clickStackAction: "cloud ClickStackMongoDBCASLPermission.action",
  clickStackIntegration: "cloud ClickStackCASLPermission.integration",
  clickStackSubject: "cloud ClickStackMongoDBCASLPermission.subject",
  granularity: "server SeriesQueryRequest.granularity",
  heatmapMode: "cloud ClickStackHeatmapDistributionChartConfig.heatmapMode",
  heatmapScale: "cloud ClickStackHeatmapSelectItem.heatmapScaleType",
  kafkaAuthentication: "cloud ClickPipePostKafkaSource.authentication",
  kafkaFormat: "cloud ClickPipePostKafkaSource.format",
  kafkaOffsetStrategy: "cloud ClickPipeKafkaOffset.strategy",
  kafkaRegistryAuthentication: "cloud ClickPipeKafkaSource.schemaRegistry.authentication",
  kafkaRegistryType: "cloud ClickPipeKafkaSource.schemaRegistry.type",
  kafkaType: "cloud ClickPipePostKafkaSource.type",
  kinesisAuthentication: "cloud ClickPipePostKinesisSource.authentication",
  kinesisFormat: "cloud ClickPipePostKinesisSource.format",
  kinesisIteratorType: "cloud ClickPipePostKinesisSource.iteratorType",
  kinesisRegistryType: "cloud ClickPipeKinesisSource.schemaRegistry.type",
  lineInterpolation: "cloud ClickStackLineBuilderChartConfig.lineInterpolation",
  metricType: "cloud ClickStackSelectItem.metricType",
  mongodbReadPreference: "cloud ClickPipeMutateMongoDBSource.readPreference",
  mskAuthentication: "cloud CreateReversePrivateEndpoint.mskAuthentication",
  mysqlAuthentication: "cloud ClickPipeMutateMySQLSource.authentication",
  mysqlReplicationMechanism: "cloud ClickPipeMySQLPipeSettings.replicationMechanism",
  mysqlType: "cloud ClickPipeMutateMySQLSource.type",
  numberOutput: "cloud ClickStackNumberFormat.output",
  numericOperator: "cloud ClickStackNumericColorCondition.operator",
  objectStorageAuthentication: "cloud ClickPipePostObjectStorageSource.authentication",
  objectStorageCompression: "cloud ClickPipePostObjectStorageSource.compression",
  objectStorageFormat: "cloud ClickPipePostObjectStorageSource.format",
  objectStorageType: "cloud ClickPipePostObjectStorageSource.type",
  periodAggregateFunction: "cloud ClickStackSelectItem.periodAggFn",
  pipeState: "cloud ClickPipe.state",
  policyEffect: "cloud RBACPolicyCreateRequest.allowDeny",
  postgresAuthentication: "cloud ClickPipeMutatePostgresSource.authentication",
  postgresType: "cloud ClickPipeMutatePostgresSource.type",
  pubsubAuthentication: "cloud ClickPipePubSubSource.authentication",
  pubsubFormat: "cloud ClickPipePubSubSource.format",
  pubsubSeekType: "cloud ClickPipePubSubSource.seekType",
  queryEndpointRole: "cloud ServiceQueryAPIEndpoint.roles",
  releaseChannel: "cloud ServicePostRequest.releaseChannel",
  replicationMode: "cloud ClickPipePostgresPipeSettings.replicationMode",
  reversePrivateEndpointStatus: "cloud ReversePrivateEndpoint.status",
  reversePrivateEndpointType: "cloud ReversePrivateEndpoint.type",
  roleType: "cloud RBACRole.type",
  savedFilterOperator: "server SavedFilterValue.conditions.operator",
  savedSearchOperator: "server SavedSearchInput.filters.operator",
  seriesDisplayType: "cloud ClickStackTimeChartSeries.displayType",
  seriesReturnType: "server SeriesQueryRequest.seriesReturnType",
  seriesType: "cloud ClickStackCreateDashboardRequest.tiles.series.type",
  postgresHaType: "cloud PostgresService.haType",
  postgresProvider: "cloud PostgresService.provider",
  postgresServiceState: "cloud PostgresService.state",
  postgresVersion: "cloud PostgresService.postgresVersion",
  serviceState: "cloud Service.state",
  sortOrder: "server SortOrder",
  sourceKind: "cloud ClickStackSource.kind",
  sqlConsoleRole: "cloud RBACPolicyTags.roleV2",
  tableEngine: "cloud ClickPipePostgresPipeTableMapping.tableEngine",
  textIndexUse: "cloud ClickStackLogSource.useTextIndexForImplicitColumn",
  tombstoneMode: "cloud ClickPipePostKafkaSource.tombstoneMode",
  udfRuntime: "cloud Udf.runtime",
  udfSandboxType: "cloud Udf.sandboxType",
  udfType: "cloud Udf.type",
  webhookService: "cloud ClickStackWebhook.service",
  whereLanguage: "cloud ClickStackSelectItem.whereLanguage",
} as const;

/** The words that a schema, or a member inside it, may have in any of its forms. */
function wordsIn(schema: Schema, [member, ...further]: readonly string[]): readonly unknown[] {
  const { anyOf = [], oneOf = [], allOf = [], items } = schema;
  const inside = member === undefined ? undefined : schema.properties?.[member];
  const own = member === undefined ? (schema.enum ?? []) : inside ? wordsIn(inside, further) : [];
  const forms = [...anyOf, ...oneOf, ...allOf, ...(items ? [items] : [])];
  const path = member === undefined ? [] : [member, ...further];
  return [...own, ...forms.flatMap((form) => wordsIn(form, path))];
}

/** The words at a place of the product's tables: those that the provider has in their order, and then new ones. */
function wordsAt(name: keyof typeof places): string[] {
  const [table, path = ""] = places[name].split(" ") as [TableName, string];
  const [schema, ...members] = path.split(".");
  const found = wordsIn(resolved({ $ref: `#/schemas/${schema}` }, table), members);
  const words = found.filter((word): word is string => typeof word === "string");
  if (words.length === 0) throw new Error(`the table ${table} has no enumeration ${path}`);
  const known: readonly string[] = enums[name] ?? [];
  const all = new Set([...known.filter((word) => words.includes(word)), ...words]);
  return [...all].filter((word) => !leftOut[name]?.includes(word));
}

describe("The enumerations of the product", () => {
  it("the provider has the values of the product's tables (npm run golden writes them)", () => {
    const names = Object.keys(places) as (keyof typeof places)[];
    const lines = names.map(
      (name) => `  ${name}: ${JSON.stringify(wordsAt(name)).replaceAll('","', '", "')},`,
    );
    expectMade(
      "provider/api/enums.golden.ts",
      [
        "// Made of product/cloud.json and product/server.json by `npm run golden`; test/unit/product/enums.test.ts has the places.",
        "",
        "/** The enumerations of the product's documents that the provider uses. */",
        "export const enums = {",
        ...lines,
        "} as const;",
        "",
      ].join("\n"),
    );
  });
});
