import type { TypeName } from "../../../provider/resources/registry";
import { pipeDifferences } from "./pipeDifferences";
import { numbers } from "./valueVariants";

/**
 * The known differences between the provider's check and the API documents: property paths, by the changed value and the
 * check's verdict.
 */
export const differences: {
  readonly [type in TypeName]?: { readonly [verdict: string]: readonly string[] };
} = {
  Service: {
    // The provider's check accepts any content of `backupEncryptionConfig`, which only the service judges.
    "7 accepted": ["backupEncryptionConfig.key"],
    "[] accepted": ["backupEncryptionConfig.key"],
    "null accepted": ["backupEncryptionConfig.key"],
    "{} accepted": ["backupEncryptionConfig.key"],
    // The check accepts any region, since ClickHouse Cloud adds regions over time. Its API document lists only the regions that
    // existed when it was written.
    "100001 rather than undefined accepted": ["region"],
    "foreign accepted": ["region"],
    // The test lengthens a list by repeating its entry. The provider's check refuses two entries with the same key, so it
    // accepts only one such entry where the API document allows more.
    "1 rather than 50 accepted": ["tags"],
    "1 rather than 501 accepted": ["ipAccessList"],
    "doubled refused": ["ipAccessList tags"],
    "absent refused": [
      "backupId dataWarehouseId hasTransparentDataEncryption ipAccessList.source maxReplicas minReplicas",
    ],
    "empty refused": [
      "byocId dataWarehouseId desiredState ipAccessList.source profile transparentDataEncryptionKeyId",
    ],
    "foreign refused": ["dataWarehouseId desiredState ipAccessList.source"],
    ...Object.fromEntries(
      [-1, 0, 0.5, 1, 4].map((value) => [
        `= ${value} refused`,
        [`idleTimeoutMinutes${value === 1 ? " maxReplicas" : ""}`],
      ]),
    ),
    ...Object.fromEntries(
      [9, 10, 20, 21, 23, 24, 25, 50].map((value) => [`= ${value} refused`, ["minReplicas"]]),
    ),
    "= 8 refused": ["maxReplicaMemoryGb minReplicas"],
    "= 12 refused": ["maxReplicaMemoryGb minReplicas"],
    "= 356 refused": ["minReplicaMemoryGb"],
  },
  PostgresService: {
    // The check accepts any size, version and parameters, since ClickHouse Cloud adds some over time.
    "100001 rather than undefined accepted": ["size"],
    "foreign accepted": ["postgresVersion size"],
    "widened accepted": ["pgConfig"],
    '"text" accepted': ["pgConfig.max_connections"],
    "7 accepted": ["pgBouncerConfig.default_pool_size pgConfig.work_mem"],
    ...Object.fromEntries([-1, 0, 0.5].map((value) => [`= ${value} accepted`, ["pgConfig.max_connections"]])),
    // The test lengthens a list by repeating its entry, which the check refuses.
    "1 rather than 50 accepted": ["tags"],
    "1 rather than 501 accepted": ["ipAccessList"],
    "doubled refused": ["ipAccessList tags"],
    // The service refuses updates with a tag without a value, which no document says.
    "absent refused": ["tags.value"],
    "empty refused": [
      "ipAccessList.portRange ipAccessList.source pgBouncerConfig.default_pool_size pgConfig.work_mem region",
      "restoreOf",
    ],
    "foreign refused": ["ipAccessList.portRange ipAccessList.source restoreOf"],
  },
  Role: {
    "doubled refused": ["policies.permissions policies.resources"],
    "empty refused": ["name policies.permissions policies.resources"],
  },
  ServiceScaling: {
    "absent refused": [
      "maxReplicaMemoryGb maxReplicas maxTotalMemoryGb minReplicaMemoryGb minReplicas minTotalMemoryGb",
    ],
  },
  ServiceScalingSchedule: {
    // An entry of a scaling schedule needs both a least and a highest value of a range, and these must be equal in an entry
    // with vertical scaling.
    "1 rather than 501 accepted": ["entries.weekdays"],
    // The product's page of limits has ten entries for a schedule, and its API document has none.
    "10 rather than 501 accepted": ["entries"],
    "= 1 refused": ["entries.maxReplicas"],
    "= 12 refused": ["entries.maxReplicaMemoryGb entries.minReplicas"],
    "= 356 refused": ["entries.minReplicaMemoryGb entries.minReplicas"],
    "= 8 refused": ["entries.maxReplicaMemoryGb entries.minReplicas"],
    ...Object.fromEntries(
      [9, 10, 20, 21, 23, 24, 25, 50, 51, 360, 1068, 1080, 1439, 1440].map((value) => [
        `= ${value} refused`,
        ["entries.minReplicas"],
      ]),
    ),
    "absent refused": [
      "entries entries.maxReplicaMemoryGb entries.maxReplicas entries.minReplicaMemoryGb entries.minReplicas",
    ],
    "doubled refused": ["entries.weekdays"],
    "empty refused": ["entries entries.name"],
  },
  Member: { "doubled refused": ["assignedRoleIds"] },
  ServiceSettings: {
    // The provider's check accepts a text or a number for every setting of a database, whose types only the service knows.
    '"text" accepted': ["settings.max_concurrent_queries"],
    "7 accepted": ["settings.session_timezone"],
    "empty refused": ["settings.session_timezone"],
  },
  OrganizationSettings: { "empty refused": ["name"] },
  PrivateEndpoint: { "empty refused": ["endpointId"], "foreign refused": ["endpointId"] },
  ReversePrivateEndpoint: {
    // The check has rules that no API document states: which properties belong to which type of reverse private endpoint, and
    // that a private name must be unique.
    "1 rather than 501 accepted": ["customPrivateDnsMappings"],
    "absent refused": [
      "customPrivateDnsMappings.privateDnsName gcpServiceAttachment mskAuthentication mskClusterArn",
      "vpcEndpointServiceName vpcResourceConfigurationId vpcResourceShareArn",
    ],
    "doubled refused": ["customPrivateDnsMappings"],
    ...Object.fromEntries(
      ["empty refused", "foreign refused"].map((title) => [
        title,
        [
          `customPrivateDnsMappings.privateDnsName${title === "empty refused" ? " customPrivateDnsMappings.targetId" : ""}`,
          "gcpServiceAttachment mskClusterArn vpcEndpointServiceName vpcResourceConfigurationId vpcResourceShareArn",
        ],
      ]),
    ),
  },
  // No document says which texts are no host and no user: those with blanks are refused.
  // No document says that an empty text is no type and no format.
  Udf: { "empty refused": ["arguments.type format returnType"] },
  // The path of a request names the function, and no document says which names it takes there.
  UdfAttachment: { "absent refused": ["functionName"], "foreign refused": ["functionName"] },
  SshTunnel: { "foreign refused": ["host username"] },
  Pipe: pipeDifferences,
  PipeCdcScaling: {
    "absent refused": ["replicaCpuMillicores"],
    // The provider's check accepts only the memory that ClickHouse Cloud combines with the declared number of CPU cores.
    ...Object.fromEntries([4, 8, 12, 20, 24].map((value) => [`= ${value} refused`, ["replicaMemoryGb"]])),
  },
  BackupBucket: {
    // The document requires no member of a bucket, and so not even what tells its three kinds apart.
    "absent refused": [
      "accessKeyId bucketPath bucketProvider connectionString containerName iamRoleArn secretAccessKey",
    ],
    "empty refused": [
      "accessKeyId bucketPath connectionString containerName iamRoleArn iamRoleExternalId iamRoleSessionName secretAccessKey",
    ],
  },
  SnapshotConfiguration: {
    // The service takes two pairs of numbers alone, which no API document states.
    ...Object.fromEntries(
      numbers
        .filter((value) => value !== 30)
        .map((value) => [`= ${value} refused`, [value === 1440 ? "gap" : "gap timeFrame"]]),
    ),
    "absent refused": ["enabled gap timeFrame"],
  },
  BackupConfiguration: {
    // The provider's check of backups has rules that no API document states: a start time needs a period of 24 hours, backups
    // are kept for whole days, and other times are whole hours.
    ...Object.fromEntries(
      numbers
        .filter((value) => value !== 24)
        .map((value) => [
          `= ${value} refused`,
          [`backupPeriodInHours${[360, 1080].includes(value) ? "" : " backupRetentionPeriodInHours"}`],
        ]),
    ),
    "empty refused": ["backupStartTime"],
    "foreign refused": ["backupStartTime"],
  },
  ApiKey: {
    "absent refused": ["hashData.keyIdHash hashData.keyIdSuffix hashData.keySecretHash ipAccessList.source"],
    "doubled refused": ["assignedRoleIds roles"],
    "empty refused": [
      "hashData.keyIdHash hashData.keyIdSuffix hashData.keySecretHash ipAccessList.source name roles",
    ],
    "foreign refused": ["ipAccessList.source"],
    "null accepted": ["expireAt"],
  },
  QueryEndpoint: {
    "absent refused": ["roles"],
    "doubled refused": ["openApiKeys roles"],
    '"text" accepted': ["allowedOrigins"],
  },
  SavedQuery: { "empty refused": ["database sql"] },
  // The id of the source is a part of the path.
  SourceLinks: {
    "absent refused": ["sourceId"],
    "empty refused": ["logSourceId metricSourceId sessionSourceId sourceId traceSourceId"],
  },
  ClickStackRole: {
    "empty refused": [
      "name permissions.patterns.name.pattern permissions.rows.connectionId permissions.rows.databaseName permissions.rows.tableName",
    ],
    "widened refused": ["permissions.patterns.name"],
  },
  QueryApiEndpoint: { "doubled refused": ["allowedOrigins apiKeyIds roles"] },
  Webhook: { "empty refused": ["body description"], "foreign refused": ["name"] },
  Connection: { "empty refused": ["host name password"], "foreign refused": ["host"] },
  Source: {
    // The check has limits of the HyperDX server that its API document does not state; for example, no expression may be empty.
    "10 rather than 501 accepted": ["filterSettings.columns querySettings"],
    "= 0.5 refused": ["durationPrecision"],
    "absent refused": [
      "materializedViews.aggregatedColumns.sourceColumn metadataMaterializedViews.granularity",
      "metadataMaterializedViews.kvRollupTable metricTables.gauge",
    ],
    "empty refused": [
      "bodyExpression connection defaultTableSelectExpression displayedTimestampValueExpression",
      "durationExpression eventAttributesExpression filterSettings.columns.label",
      "filterSettings.columns.name filterSettings.columns.valueExpression filterSettings.databaseName",
      "filterSettings.tableName",
      "from.databaseName from.tableName highlightedRowAttributeExpressions.alias",
      "highlightedRowAttributeExpressions.luceneExpression",
      "highlightedRowAttributeExpressions.sqlExpression highlightedTraceAttributeExpressions.alias",
      "highlightedTraceAttributeExpressions.luceneExpression",
      "highlightedTraceAttributeExpressions.sqlExpression implicitColumnExpression",
      "knownColumnsListExpression logSourceId materializedViews.aggregatedColumns",
      "materializedViews.aggregatedColumns.aggFn materializedViews.aggregatedColumns.mvColumn",
      "materializedViews.aggregatedColumns.sourceColumn materializedViews.databaseName",
      "materializedViews.tableName materializedViews.timestampColumn",
      "metadataMaterializedViews.granularity metadataMaterializedViews.keyRollupTable",
      "metadataMaterializedViews.kvRollupTable metricSourceId metricTables.exponentialHistogram",
      "metricTables.gauge metricTables.histogram metricTables.sum metricTables.summary",
      "minAutoGranularity name orderByExpression parentSpanIdExpression querySettings.setting",
      "querySettings.value resourceAttributesExpression sampleRateExpression section seriesTable",
      "serviceNameExpression serviceVersionExpression",
      "sessionSourceId severityTextExpression spanEventsValueExpression spanIdExpression",
      "spanKindExpression spanLinksValueExpression spanNameExpression statusCodeExpression",
      "statusMessageExpression tableFilterExpression timestampValueExpression traceIdExpression traceSourceId",
    ],
    "foreign refused": ["materializedViews.aggregatedColumns.aggFn metadataMaterializedViews.granularity"],
  },
  Dashboard: {
    "absent refused": ["filters.isVariableEnabled savedQuery tiles tiles.containerId"],
    "doubled refused": ["containers containers.tabs tags tiles"],
    "empty refused": [
      "filters.sourceId tiles.config.connectionId",
      "tiles.config.onClick.target.id tiles.config.select.valueExpression tiles.config.sourceId tiles.id",
      "tiles.series.alias tiles.series.metricName tiles.series.sourceId",
    ],
    // The check fills in missing sizes of tiles, so it accepts tiles without them.
    "absent accepted": ["tiles.h tiles.w"],
    "foreign accepted": [
      "tiles.config.configType tiles.config.displayType tiles.config.heatmapMode tiles.series.metricDataType",
    ],
    "100001 rather than undefined accepted": ["tiles.config.heatmapMode"],
    "foreign refused": ["tiles.containerId tiles.tabId"],
    // The HyperDX server has limits that its API document does not state. The provider's check refuses longer values, as the
    // server does.
    "10000 rather than 100001 accepted": [
      "tiles.config.groupBy tiles.config.onClick.filters.expression tiles.config.onClick.filters.template",
      "tiles.config.onClick.target.template tiles.config.onClick.urlTemplate tiles.config.onClick.whereTemplate",
      "tiles.config.select.countExpression tiles.config.select.valueExpression",
    ],
    "50 rather than 501 accepted": ["tiles.config.onClick.filters"],
    "undefined rather than 256 accepted": ["tiles.containerId tiles.tabId"],
  },
  SavedSearch: {
    "doubled refused": ["tags"],
    "empty refused": ["filters.condition sourceId"],
    "foreign accepted": ["filters.condition"],
    "foreign refused": ["name"],
  },
  Alert: {
    "absent refused": ["chartConfig.where"],
    // The check has the limits of the HyperDX server for charts, which no API document states.
    "10 rather than 501 accepted": ["chartConfig.colorRules chartConfig.formulas"],
    "10000 rather than 100001 accepted": [
      "chartConfig.groupBy chartConfig.select.alias chartConfig.select.valueExpression",
      "chartConfig.select.where chartConfig.where",
    ],
    "100000 rather than 100001 accepted": ["chartConfig.sqlTemplate"],
    "1024 rather than 100001 accepted": ["chartConfig.formulas.expression"],
    "= -1 refused": ["chartConfig.seriesLimit"],
    "doubled refused": ["channels tags"],
    "empty refused": [
      "channel.slackChannelId channel.webhookId channel.webhookService channels.webhookId",
      "chartConfig.connectionId chartConfig.name chartConfig.sourceId",
      "chartConfig.where dashboardId groupBy savedSearch tileId",
    ],
    "foreign refused": ["displayName"],
  },
};
