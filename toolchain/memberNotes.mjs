/**
 * The notes of docs/members.md about the properties of API requests, beyond the facts in the API documents and the resource
 * definitions. Properties that share a note stand in one key. A note that begins with `not declared` gives the reason why no
 * program can declare the property; a note that begins with `as` names the input that declares it.
 *
 * @typedef {{ before?: readonly string[], members: Record<string, string>, after?: readonly string[], content?: {
 * before: readonly string[], between: readonly string[], members: Record<string, string> } }} Section
 */

/** @type {string[]} */
export const introduction = [
  "A program can declare every member that the documents of ClickHouse Cloud (management API) and HyperDX (observability API) let a",
  "client send, under the name that it has there. The tables list those of which there is more to say; what is not listed is",
  "declared through either API, or through that of the member that it is in. The [reference](README.md) describes all.",
  "",
  "Only the management API has scaling, keys and the query endpoint, and only the observability API has connections; for these,",
  "`both` means that no setting rules a member out. An update carries over every member that the program does not declare and the",
  "API shows. What a program declares is sent through whichever API is used: a member that only the other one has is refused by ClickHouse",
  "Cloud, whose words the error repeats, and dropped by HyperDX, of which a warning tells.",
];

/** @type {Record<string, Section>} */
export const sections = {
  Alert: {
    members: {
      source: "`search` stands for `saved_search`. `inline` from ClickStack 2.38 on",
      dashboardId: "where `source` is `tile`",
      tileId: "where `source` is `tile`; refused on a tile that is declared as one without alerts",
      savedSearchId: "as `savedSearch`, where `source` is `search`",
      groupBy: "on a saved search; servers before ClickStack 2.33 keep one that is dropped, with a warning",
      thresholdMax: "for ranges; never sent as null, which servers refuse",
      scheduleOffsetMinutes:
        "sent as 0 once it is dropped, since servers refuse null; an update to another than 0 clears a `scheduleStartAt` that somebody else has set",
      scheduleStartAt: "sent as null once it is dropped",
      channel: "unless `channels` is declared",
      "channel.type": "`email` through the management API only",
      "channel.emailRecipients": "an empty list, which tells nobody, is warned of",
      channels: "in place of `channel`",
      chartConfig:
        "where `source` is `inline`, from ClickStack 2.38 on; in an update it has the members that the program does not declare. Members that a chart of its kind does not have are refused, since servers drop them",
      detectionMode:
        "a beta of ClickHouse Cloud, in no document yet, declared through the management API only; sent as `threshold` once it is dropped. An update repeats what somebody else has set, since one without it makes a threshold alert",
      anomalyConfig:
        "where `detectionMode` is `anomaly`, through the management API only; in an update it has the members that the program does not declare. No source states its ranges and defaults",
      displayName:
        "from ClickStack 2.38 on; sent as null once it is dropped. Otherwise never sent: what answers show may be the name of what the alert watches",
      tags: "from ClickStack 2.38 on, `[]` for none; sent as null once they are dropped, and left out through the management API. Otherwise never sent, like `displayName`",
    },
    after: ["No request sets `state`, `silenced` and `executionErrors`: they are outputs."],
  },
  Dashboard: {
    members: {
      "tags filters savedFilterValues containers": "sent as `[]` once they are dropped",
      tiles: "all of them",
      "tiles.id": "kept by the name or else the position of the tile, unless declared",
      "tiles.x tiles.y tiles.w tiles.h": "a whole number through the management API",
      "tiles.containerId": "the `id` of a container",
      "tiles.tabId": "the `id` of a tab of that container",
      "tiles.asRatio": "with `series`",
      "tiles.series": "deprecated by these servers",
      "tiles.config": "in place of `series`",
      "filters.id":
        "not declared: kept by the name or else the position of the filter; the service gives new ones",
      "filters.type":
        "`QUERY_EXPRESSION` unless declared. Those of other types, such as `ADHOC`, are in every update as they are",
      "filters.isBroadcastEnabled": "of the types `STATIC_LIST` and `PROMETHEUS_LABEL` false",
      "filters.variableName": "needed by the type `SOURCE_FILTER`",
      "filters.isVariableEnabled": "of other types than `QUERY_EXPRESSION` true",
      "filters.isGlobalRequirement": "has an effect with `minSelections: 1` alone",
      "filters.options": "of the type `STATIC_LIST`",
      "filters.label filters.match": "of the type `PROMETHEUS_LABEL`",
      savedQuery: "sent as null, with its language, once it is dropped",
      savedQueryLanguage: "with `savedQuery`",
      "savedFilterValues.type": "`sql` unless declared. `adhoc` through the observability API only",
      "savedFilterValues.name": "of the types `variable` and `adhoc`",
      "savedFilterValues.values savedFilterValues.all": "of the type `variable`",
      "savedFilterValues.conditions": "of the type `adhoc`",
      "containers.id containers.tabs.id": "the program chooses it",
      "containers.collapsed": "false unless declared",
    },
    content: {
      before: [
        "`displayType`, and `configType` where the query is in SQL, tell the kinds of `config` apart",
        "([what they show](dashboards.md#kinds-of-tiles)). The columns have the further members of each kind. Another member, which a newer",
        "server may know, is sent with a warning. Both dialects have the same kinds; a server that has no more than the API document takes",
        "`series` alone.",
      ],
      between: [
        "A `heatmapMode` of `series` makes the second kind of heatmap, whose `select` is a series as of a line (version 2.41 or newer).",
        "",
        "What only the product's own page sets, such as `ratioMode` or the filters of a tile, is in no request: any update of a",
        "dashboard removes it. Tiles in PromQL, which servers show and take since version 2.42, are in every update as they are.",
      ],
      members: {
        "tiles.series.dataSource":
          "left out beside a `sourceId`, refused without one: these servers do not know it",
        "tiles.series.where": 'sent as `""` where not declared',
        "tiles.series.whereLanguage": "sent as `lucene` where not declared",
        "tiles.series.sortOrder": "servers drop it, with a warning",
        "tiles.config.whereLanguage": "sent as `lucene` in a search where not declared",
        "tiles.config.select.whereLanguage":
          "sent as `lucene` of a series where not declared, since the product's page saves no dashboard without it",
      },
    },
  },
  ServiceScaling: {
    before: [
      "One request changes a scaling: `PATCH …/replicaScaling`, or `PATCH …/scaling` where a total memory is declared. A program",
      "that declares members of both sends two. The rules of horizontal scaling are checked before any request.",
    ],
    members: {
      numReplicas: "not for horizontal scaling",
      minTotalMemoryGb: "deprecated: use `minReplicaMemoryGb`",
      maxTotalMemoryGb: "deprecated: use `maxReplicaMemoryGb`",
      minReplicaMemoryGb: "equal to `maxReplicaMemoryGb` for horizontal scaling",
      autoscalingMode: "a change is refused without the number of replicas in the new mode",
      minReplicas:
        "together with `maxReplicas`; an equal pair is refused unless the mode is `horizontal`: use `numReplicas`",
    },
  },
  Service: {
    before: [
      "The management API of ClickHouse Cloud alone has services. An update sends one request for what it adds, one for what it removes,",
      "one for the scaling, one for the password, and one to start or stop.",
    ],
    members: {
      name: "the name of the resource where not declared",
      "provider region dataWarehouseId isReadonly hasTransparentDataEncryption complianceType byocId profile":
        "a change replaces the service, which `deletionProtection` refuses",
      "backupId backupEncryptionConfig privatePreviewTermsChecked":
        "sent at creation alone; a later change has no effect",
      ipAccessList: "entry by entry: those of others stay",
      "ipAccessList.add ipAccessList.remove ipAccessList.add.source ipAccessList.remove.source ipAccessList.add.description ipAccessList.remove.description":
        "as `ipAccessList`",
      tags: "entry by entry: those of others stay. The program's are removed once they are dropped",
      "tags.add tags.remove tags.add.key tags.remove.key tags.add.value tags.remove.value": "as `tags`",
      "endpoints endpoints.protocol endpoints.enabled": "as `mysqlEndpoint`",
      "newPasswordHash newDoubleSha1Hash": "as `password`",
      command: "as `desiredState`",
      "privateEndpointIds privateEndpointIds.add privateEndpointIds.remove":
        "not declared: a `PrivateEndpoint` is one of them",
      "tier minTotalMemoryGb maxTotalMemoryGb": "not declared: deprecated, and refused in the tiers of today",
    },
    after: [
      "`generatedPassword` is the answer to the create, or to the request for the password without a hash. No request has",
      "`deletionProtection`, `passwordKeepers`, `waitMinutes` and `allowSameName`.",
    ],
  },
  BackupConfiguration: {
    members: {
      backupPeriodInHours: "null once it is dropped; 24 or 48 with a start time",
      backupRetentionPeriodInHours: "null once it is dropped",
      backupStartTime: "null once it is dropped",
    },
  },
  BackupBucket: {
    members: {
      bucketProvider: "sent with each change; another one replaces the resource",
      "secretAccessKey connectionString": "sent with each change; no answer shows it",
      "iamRoleSessionName iamRoleExternalId": "null once it is dropped",
    },
  },
  SnapshotConfiguration: {
    members: { "gap timeFrame": "stay as they are once they are dropped" },
  },
  ReplicaAwareRouting: {
    members: { "httpEnabled nativeEnabled": "stay as they are once they are dropped" },
  },
  PipeCdcScaling: {
    members: {
      replicaMemoryGb: "that of the cores where not declared: 4 for each",
    },
    after: ["No request has `wakeService` and `onDestroy`."],
  },
  UpgradeWindow: {
    members: {
      weekday: "of the primary service of a warehouse alone: others show its window",
    },
    after: ["Answers have the `duration` besides, which is an output."],
  },
  ServiceSettings: {
    members: {
      settings:
        "by name: one that the service has is not sent again, others stay; compared as texts. Its `warnings` are shown",
    },
  },
  OrganizationSettings: {
    members: {
      "privateEndpoints privateEndpoints.add privateEndpoints.add.cloudProvider privateEndpoints.add.description privateEndpoints.add.id privateEndpoints.add.region privateEndpoints.remove privateEndpoints.remove.cloudProvider privateEndpoints.remove.description privateEndpoints.remove.id privateEndpoints.remove.region":
        "not declared: of a `PrivateEndpoint`",
    },
  },
  PostgresService: {
    before: [
      "A read replica and a restored service are made by requests of their own, with `name`, `tags` and parameters alone.",
    ],
    members: {
      name: "the name of the resource by default; a change gives the service another host name and other certificates",
      "provider region size": "required unless `readReplicaOf` or `restoreOf` is declared",
      tags: "sent whole with each update, with those of others, since the service drops what an update leaves out",
      "tags.value": "required: the service refuses updates with a tag without a value",
      "ipAccessList ipAccessList.source ipAccessList.portRange ipAccessList.description":
        "compared without order; updates send what is added, changed and removed, by the ids that the service gave",
      "ipAccessList.id": "not declared: the service gives it",
      "ipAccessList.add ipAccessList.add.source ipAccessList.add.portRange ipAccessList.add.description ipAccessList.add.id ipAccessList.remove ipAccessList.remove.id":
        "as `ipAccessList`",
      command:
        "as `readReplicaOf`, without which a replica is promoted; and as `restartForConfig`. Nothing declares a switchover",
      "readReplicaOf restoreOf": "in the path of the request that creates the service",
      "pgConfig pgBouncerConfig": "by name, compared as texts; an update has a request of its own for them",
    },
    after: [
      "No request has `keepOtherAddresses`, `restartForConfig`, `passwordKeepers`, `deletionProtection`, `waitMinutes` and `allowSameName`.",
    ],
  },
  PrivateEndpoint: {
    members: {
      id: "as `endpointId`, of which a change replaces the resource",
      description: "no list shows it; the empty text once it is dropped",
    },
  },
  ReversePrivateEndpoint: {
    before: ["A change of any other member than `customPrivateDnsMappings` replaces the endpoint."],
    members: {
      vpcEndpointServiceName: "with the `type` `VPC_ENDPOINT_SERVICE`, which needs it",
      "vpcResourceConfigurationId vpcResourceShareArn": "with the `type` `VPC_RESOURCE`, which needs both",
      "mskClusterArn mskAuthentication": "with the `type` `MSK_MULTI_VPC`, which needs both",
      gcpServiceAttachment: "with the `type` `GCP_PSC_SERVICE_ATTACHMENT`, which needs it",
      customPrivateDnsMappings: "compared without order; sent as `[]` once they are dropped",
      "customPrivateDnsMappings.targetId": "with the `type` `VPC_RESOURCE`",
    },
    after: [
      "No request has `awaitReady` and `waitMinutes`. Answers have `dnsTargets` besides, which are an output, and `privateDnsMappings`,",
      "which repeat the private names.",
    ],
  },
  Udf: {
    before: [
      "Each version has all members anew: what a program no longer declares has its default in the next one.",
    ],
    members: {
      uploadId: "not declared: the provider uploads what is at `sourcePath`",
      functionName: "the name of the resource where not declared",
      sourceHash:
        "of what is at `sourcePath`; no answer shows it, so it drifts where somebody else has published a version",
      poolSize: "where `type` is `executable_pool`",
      maxCommandExecutionTime: "never sent as null, for no limit",
      sandboxType: "`netenable` where `runtime` is `python3.11`",
    },
    after: ["No request has `sourcePath` and `waitMinutes`."],
  },
  UdfAttachment: {
    members: {
      functionName: "in the path of the request",
      version: "the one that is attached where not declared, or else the newest",
    },
    after: ["No request has `wakeService` and `waitMinutes`."],
  },
  SshTunnel: {
    before: [
      "No document of the product has SSH tunnels yet: these are the members of its provider for Terraform. A change replaces the tunnel.",
    ],
    members: {
      name: "the name of the resource where not declared",
    },
    after: ["No request has `awaitActive` and `waitMinutes`."],
  },
  Pipe: {
    before: [
      "The management API of ClickHouse Cloud alone has pipes that programs declare. An update sends one request for the name, the source and",
      "columns, two at most for the tables of a database, and one each for settings, scaling and the state. A change of a member",
      "of the `source` or of the `destination` replaces the pipe, unless its note says otherwise.",
    ],
    members: {
      name: "the name of the resource where not declared; updated in place",
      credentials:
        "of the source, where the document has `credentials`, `accessKey`, `connectionString` or `serviceAccountKey`; sent when they change",
      schemaRegistryCredentials: "sent at creation alone; a change replaces the pipe",
      "source.kafka.brokers source.kafka.topics": "compared without order",
      "source.kafka.authentication source.kafka.iamRole source.kafka.caCertificate source.kafka.reversePrivateEndpointIds":
        "updated in place",
      "source.kinesis.authentication source.kinesis.iamRole": "updated in place",
      "source.objectStorage.authentication source.objectStorage.iamRole source.objectStorage.path source.objectStorage.azureContainerName source.objectStorage.skipInitialLoad source.objectStorage.startAfter":
        "updated in place until the pipe is `Completed`; `authentication` of `gcs` not to or from a service account",
      "source.pubsub.authentication source.pubsub.ackDeadline": "updated in place",
      "source.postgres.host source.postgres.port source.postgres.database source.mysql.host source.mysql.port source.mysql.authentication source.mysql.iamRole source.mysql.serverId source.mongodb.uri source.mongodb.readPreference":
        "updated in place",
      "source.postgres.tlsHost source.postgres.caCertificate source.postgres.disableTls source.postgres.skipCertVerification source.mysql.tlsHost source.mysql.caCertificate source.mysql.disableTls source.mysql.skipCertVerification source.mongodb.tlsHost source.mongodb.caCertificate source.mongodb.disableTls source.mongodb.skipCertVerification":
        "updated in place",
      "source.postgres.settings.syncIntervalSeconds source.postgres.settings.pullBatchSize source.mysql.settings.syncIntervalSeconds source.mysql.settings.pullBatchSize source.mysql.settings.useCompression source.mongodb.settings.syncIntervalSeconds source.mongodb.settings.pullBatchSize":
        "updated in place",
      "source.postgres.tableMappings source.mysql.tableMappings source.mongodb.tableMappings":
        "compared without order; updated in place, while the pipe is paused",
      "source.kafka.sshKeyResourceId source.postgres.sshKeyResourceId source.mysql.sshKeyResourceId source.mongodb.sshKeyResourceId":
        "sent at creation alone; answers may leave it out",
      "source.kafka.protobufSchema source.kinesis.protobufSchema destination.roles":
        "sent at creation alone, and shown by no answer",
      "source.validateSamples": "not declared: an experiment of the service",
      "destination.columns": "updated in place, together with `fieldMappings`; the table stays as it is",
      fieldMappings: "compared without order; updated in place",
      startPaused: "as `state`",
      "scaling.concurrency": "not declared: deprecated",
      settings: "those that are not declared stay as they are",
      state: "a command, where it differs",
    },
    after: [
      "No request has `resyncTrigger`, `allowReplacement`, `wakeService`, `awaitRunning`, `waitMinutes` and `allowSameName`. Answers have the",
      "`status` besides, which is an output.",
    ],
  },
  Role: {
    before: ["A write replaces the lists that it names."],
    members: {
      name: "the name of the resource where not declared",
      policies:
        "compared by content and without order: their ids change at each write. What the service adds is recorded, and what others add is drift",
      actors: "not declared: sent empty at creation, and later by `RoleAssignment` alone",
    },
  },
  Member: {
    members: {
      email: "in lower case; a change replaces the resource",
      assignedRoleIds:
        "compared with the `assignedRoles` of answers. Nothing changes an invitation, so another one takes its place",
      role: "not declared: deprecated",
    },
  },
  RoleAssignment: {
    before: [
      "One actor of a role. A write sends the list that a read has just shown, with this one or without it.",
    ],
    members: {
      actors: "as `roleId` with `apiKeyId` or `userId`: the others stay",
      "name policies policies.allowDeny policies.permissions policies.resources policies.tags policies.tags.grants policies.tags.roleV2":
        "not declared: of a `Role`",
    },
  },
  ApiKey: {
    members: {
      expireAt: "null once it is dropped",
      state: "`enabled` once it is dropped",
      roles:
        "called deprecated by the document of ClickHouse Cloud, which still takes it; refused together with `assignedRoleIds`: no document says which counts",
      assignedRoleIds: "compared with the `assignedRoles` of answers",
      ipAccessList:
        "the empty list too, which may lock the key out of every address; never sent where it is not declared",
      hashData: "sent at creation alone",
    },
  },
  ServiceScalingSchedule: {
    members: {
      entries: "all of them; known again by their names",
      "entries.autoscalingMode":
        "answers always say it, so `vertical` is drift only where a program declares the mode",
      "entries.numReplicas": "answers say it as equal `minReplicas` and `maxReplicas`, which is no drift",
      "entries.minReplicas": "with `maxReplicas`, in place of `numReplicas`",
      "entries.maxReplicas": "with `minReplicas`",
    },
    after: [
      "The ids of entries, which change at each write, `isActiveNow` and `baseConfig` are not shown; `activeEntryId` is an output.",
    ],
  },
  QueryEndpoint: {
    before: ["A write replaces the whole record."],
    members: {
      "roles openApiKeys": "may be empty",
      allowedOrigins: 'sent as `""` once it is dropped',
    },
  },
  Webhook: {
    members: {
      titleEmoji:
        "not declared, since no document has its name for sure: an update keeps what the service shows",
      name: "the name of the resource where not declared",
      service:
        "`slack_api` and `pagerduty_api`, which only the product's page makes, of a webhook that has it",
      url: "kept encrypted in state",
      description: "omitted, and so cleared, once it is dropped",
      body: "not for Slack; answered of generic webhooks alone, so that an update clears an undeclared one of incident.io, which is then sent with the service's own. A name in `{{…}}` that alerts do not have, or that the server is too old for, is warned of",
      headers: "not for Slack; never answered, kept encrypted in state; sent as `{}` once they are dropped",
      queryParams: "like `headers`",
    },
    after: [
      "The service keeps `headers` and `queryParams` that are not sent, unless `url` or `service` changes.",
    ],
  },
  Connection: {
    before: [
      "A self-hosted server alone has connections. Its answers never show a password, and it keeps what is not sent.",
    ],
    members: {
      name: "the name of the resource where not declared",
      username: "may be empty",
      password: "never answered, kept encrypted in state; stays once it is dropped, with a warning",
      hyperdxSettingPrefix: "sent as null once it is dropped",
      isPrometheusEndpoint: "sent as false once it is dropped",
    },
  },
  Source: {
    before: [
      "No document has the members that only the observability API takes; its server has them.",
      "Further members that a newer server shows are in every update through the observability API as they are; so are those of a",
      "webhook.",
    ],
    members: {
      rowKeyExpression:
        "not declared, since no document has its name for sure: an update keeps what the service shows",
      id: "not declared: the service's; refused in a program and never sent, since a path says which source is meant",
      name: "the name of the resource where not declared",
      kind: "a change keeps the id",
      "from.tableName": 'sent as `""` of metrics where not declared',
      section: "like all further members omitted, and so cleared, once it is dropped",
      "defaultTableSelectExpression eventAttributesExpression implicitColumnExpression knownColumnsListExpression useTextIndexForImplicitColumn highlightedTraceAttributeExpressions highlightedRowAttributeExpressions materializedViews metadataMaterializedViews traceIdExpression spanIdExpression metricSourceId":
        "of logs and traces",
      serviceNameExpression: "of logs and traces; of metrics through the observability API only",
      "serviceVersionExpression orderByExpression": "of logs and traces",
      "severityTextExpression bodyExpression": "of logs",
      resourceAttributesExpression: "of all kinds but PromQL",
      displayedTimestampValueExpression: "of logs and traces",
      filterSettings: "of logs and traces; refused through the observability API, whose servers drop it",
      tableFilterExpression: "of logs; deprecated by the server",
      "eventNameExpression severityNumberExpression": "of logs",
      minAutoGranularity: "of metrics and PromQL",
      "durationExpression parentSpanIdExpression spanNameExpression spanKindExpression statusCodeExpression statusMessageExpression spanEventsValueExpression sessionSourceId":
        "of traces",
      durationPrecision: "of traces; sent as 3 where not declared",
      "spanLinksValueExpression sampleRateExpression": "of traces",
      metricTables: "of metrics",
      "metricTables.exponentialHistogram": "sent as `exponential histogram`",
      seriesTable: "of metrics",
      logSourceId: "of traces and metrics",
      traceSourceId: "of logs and sessions",
    },
  },
  SourceLinks: {
    before: [
      "Some members of a `Source`. A write sends the whole source that a read has just shown, with these links in it.",
    ],
    members: {
      id: "as `sourceId`, of which a change replaces the resource",
      logSourceId: "of traces and metrics; like all links omitted, and so cleared, once it is dropped",
      traceSourceId: "of logs and sessions",
      metricSourceId: "of logs and traces",
      sessionSourceId: "of traces",
    },
  },
  QueryApiEndpoint: {
    members: {
      name: "the name of the resource where not declared",
      sql: "a text or a file",
      parameters: "managed as a whole; sent as `{}` once they are dropped",
      allowedOrigins: "sent as `[]` once they are dropped",
    },
  },
  SavedQuery: {
    members: {
      name: "the name of the resource where not declared",
      sql: "a text or a file",
      parameters: "managed as a whole; sent as `{}` once they are dropped",
    },
  },
  ClickStackRole: {
    members: {
      name: "the name of the resource where not declared",
      description: 'sent as `""` once it is dropped',
      permissions:
        "in the order of the program; the service adds one to read connections, which is left as it is",
      "permissions.conditions permissions.patterns permissions.rows":
        "in requests all three are `conditions`: values, regular expressions, or rows of data",
    },
  },
  SavedSearch: {
    members: {
      name: "the name of the resource where not declared",
      "select where orderBy": 'sent as `""` once it is dropped',
      whereLanguage: "`lucene` once it is dropped",
      tags: "sent as `[]` once they are dropped",
      filters:
        "sent as `[]` once they are dropped. Those that people made on the product's page are kept as they are, through the observability API: the other one refuses them, and so an update of their search",
      "filters.type":
        "`sql` unless declared. Servers take `lucene` and `sql_ast` only of a filter that they have",
      "filters.operator": "of a filter of type `sql_ast`; likewise `left` and `right`",
    },
  },
};
