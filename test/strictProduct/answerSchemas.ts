import { flag, list, number, oneOf, orNull, strict, text, when, whenOneOf, whole } from "./schema";
import { alertChartSchema, configSchema, type Server } from "./tileSchemas";

const nullable = orNull(text);
const texts = list(text);
const anything = {};
const objects = list({ type: "object" });

/** An object with members of some schemas, by name; those with an asterisk are always there. */
function answered(...groups: readonly (readonly [schema: object, names: string])[]): object {
  const schemas = groups.flatMap(([schema, names]) =>
    names.split(" ").flatMap((name) => (name === "" ? [] : [[name, schema] as const])),
  );
  return strict(
    Object.fromEntries(schemas.map(([name, schema]) => [name.replace("*", ""), schema])),
    schemas.map(([name]) => name).flatMap((name) => (name.endsWith("*") ? [name.slice(0, -1)] : [])),
  );
}

/** What an answer shows of an alert. The document of the management API has every member in each; a list has no charts. */
export function answeredAlert(server: Server, isListed: boolean): object {
  const always = server === "clickstack" ? "*" : "";
  const webhook = answered(
    [text, "type* webhookId*"],
    ...(server === "clickstack" ? [[nullable, "webhookService slackChannelId severity"] as const] : []),
  );
  const email = answered([text, "type*"], [texts, "emailRecipients*"]);
  const channel = { anyOf: [webhook, email] };
  return answered(
    [text, "id* interval* thresholdType* source* state* teamId* createdAt updatedAt"],
    [number, "threshold*"],
    [nullable, `name* message* note* dashboardId${always} tileId${always} savedSearchId${always}`],
    [nullable, `groupBy${always} scheduleStartAt${always}`],
    [orNull(number), `thresholdMax${always}`],
    [orNull(whole), `numConsecutiveWindows* scheduleOffsetMinutes${always}`],
    [orNull({ type: "object" }), `silenced${always}`],
    [objects, `executionErrors${always}`],
    [channel, "channel*"],
    ...(server === "api"
      ? ([
          [list(channel), "channels*"],
          [{ allOf: [alertChartSchema(), byDefault] }, isListed ? "" : "chartConfig"],
          [text, "displayName"],
          [texts, "tags"],
        ] as const)
      : []),
  );
}

/** Every tile comes back with `config`, and with the members that it has by default. */
export function answeredDashboard(): object {
  // What an answer shows is the same on both servers: the members of either.
  const tile = answered(
    [text, "id* name* containerId tabId"],
    [number, "x* y* w* h*"],
    [{ allOf: [configSchema("api"), byDefault] }, "config*"],
  );
  return answered(
    [text, "id* name*"],
    [list(tile), "tiles*"],
    [texts, "tags*"],
    [list({ type: "object", required: ["id", "type", "name"] }), "filters*"],
    [nullable, "savedQuery* savedQueryLanguage*"],
    [objects, "savedFilterValues*"],
    [{ ...objects, minItems: 1 }, "containers"],
  );
}

const built = { not: { required: ["configType"] } };

/** What the server sets in a tile where the body says nothing. */
const byDefault = {
  allOf: [
    whenOneOf("displayType", ["line", "stacked_bar"], { required: ["fillNulls"] }),
    when(
      { ...built, properties: { displayType: oneOf("line", "stacked_bar", "table") } },
      { required: ["asRatio"] },
    ),
    whenOneOf("displayType", ["search", "event_patterns"], { required: ["where", "whereLanguage"] }),
    when(
      { properties: { displayType: oneOf("heatmap") }, not: { required: ["heatmapMode"] } },
      { required: ["where", "whereLanguage"] },
    ),
    when(
      {
        ...built,
        properties: { select: { type: "array", items: { required: ["aggFn"] } } },
        required: ["select"],
      },
      { properties: { select: { items: { required: ["valueExpression", "where", "whereLanguage"] } } } },
    ),
  ],
};

/** A source shows what it was sent, and the lists that every kind has. */
export const answeredSource = {
  type: "object",
  required: "id name kind connection from timestampValueExpression disabled querySettings".split(" "),
  not: { anyOf: [{ required: ["serviceId"] }, { required: ["teamId"] }] },
  ...whenOneOf("kind", ["log", "trace"], {
    required: ["materializedViews", "highlightedTraceAttributeExpressions"],
  }),
};

const dates = [text, "createdAt* updatedAt*"] as const;

export const answeredWebhook = {
  ...answered([text, "id* name* service* url* description body"], dates),
  // Of other services the body is not shown.
  ...when({ required: ["body"] }, { properties: { service: oneOf("generic") } }),
};

export const answeredSearch = answered(
  [text, "id* teamId* name* sourceId* select* where* whereLanguage* orderBy*"],
  [texts, "tags*"],
  [objects, "filters*"],
  dates,
);

export const answeredConnection = answered(
  [text, "id* name* host* username* hyperdxSettingPrefix"],
  [flag, "isPrometheusEndpoint"],
  dates,
);

const assignedRole = answered([text, "roleId* roleName* roleType*"]);

export const answeredKey = answered(
  [text, "id* name* state* keySuffix* createdAt* usedAt"],
  [nullable, "expireAt*"],
  [texts, "roles*"],
  [list(assignedRole), "assignedRoles*"],
  [objects, "ipAccessList"],
);

/** With hashes of its own, a key is answered without the pair. */
export const answeredNewKey = {
  ...strict({ key: answeredKey, keyId: text, keySecret: text }, ["key"]),
  dependentRequired: { keyId: ["keySecret"], keySecret: ["keyId"] },
};

const scheduledMode = [oneOf("vertical", "horizontal"), "autoscalingMode"] as const;
const scheduledNumbers = "minReplicaMemoryGb maxReplicaMemoryGb minReplicas maxReplicas idleTimeoutMinutes";
/** Entries always say their mode, and a number of replicas as a range; a schedule without entries has an empty base. */
export const answeredSchedule = answered(
  [
    {
      type: "array",
      items: answered(
        [text, "id* name*"],
        [{ type: "boolean" }, "isActiveNow* idleScaling"],
        [{ type: "array", items: { type: "integer" } }, "weekdays*"],
        [{ type: "number" }, `startHourUtc* endHourUtc* ${scheduledNumbers}`],
        [scheduledMode[0], "autoscalingMode*"],
      ),
    },
    "entries*",
  ],
  [
    answered(
      [...scheduledMode],
      [{ type: "number" }, scheduledNumbers],
      [{ type: "boolean" }, "idleScaling"],
    ),
    "baseConfig*",
  ],
  [text, "activeEntryId"],
);

export const answeredEndpoint = answered([text, "id* allowedOrigins*"], [texts, "roles* openApiKeys*"]);

const textsByName = { type: "object", additionalProperties: text };

/** Lists show neither SQL nor parameters. */
export const listedSavedQuery = answered([text, "id* name* database*"]);
export const answeredSavedQuery = answered([text, "id* name* sql* database*"], [textsByName, "parameters*"]);

const apiEndpoint = [
  [text, "id* name* database* url*"],
  [oneOf("user", "queryApiEndpoint"), "ownerType*"],
  [texts, "apiKeyIds* roles* allowedOrigins*"],
] as const;
export const listedApiEndpoint = answered(...apiEndpoint);
export const answeredApiEndpoint = answered(...apiEndpoint, [text, "sql*"], [textsByName, "parameters*"]);

const scalingMembers = "AutoscalingMode MinReplicaMemoryGb MaxReplicaMemoryGb MinReplicas MaxReplicas";

export const answeredService = {
  ...answered(
    [text, "id* name* provider* region* state* clickhouseVersion* tier createdAt* iamRole* releaseChannel*"],
    [text, "encryptionKey encryptionAssumedRoleIdentifier encryptionRoleId transparentDataEncryptionKeyId"],
    [text, "dataWarehouseId* byocId profile complianceType"],
    [oneOf("vertical", "horizontal"), "autoscalingMode*"],
    [number, "minTotalMemoryGb maxTotalMemoryGb minReplicaMemoryGb* maxReplicaMemoryGb* idleTimeoutMinutes*"],
    [number, "numReplicas minReplicas maxReplicas replicaMemoryGb"],
    [flag, "idleScaling* isPrimary* isReadonly* hasTransparentDataEncryption enableCoreDumps"],
    [objects, "endpoints* ipAccessList* tags*"],
    [texts, "privateEndpointIds* availablePrivateEndpointIds*"],
    [
      answered(
        [anything, `${scalingMembers} IdleScaling IdleTimeoutMinutes`.replace(/(\w+)/g, "effective$1*")],
        [text, "activeEntryId"],
      ),
      "currentScaling*",
    ],
  ),
  oneOf: [
    { properties: { autoscalingMode: oneOf("vertical") }, required: ["numReplicas"] },
    {
      properties: { autoscalingMode: oneOf("horizontal") },
      required: ["minReplicas", "maxReplicas", "replicaMemoryGb"],
      not: { required: ["numReplicas"] },
    },
  ],
};

const kinds = "kafka objectStorage kinesis postgres mysql mongodb bigquery pubsub".split(" ");

/** One member of the source is an object, the others are null. */
export const answeredPipe = answered(
  [text, "id* serviceId* name* state* createdAt* updatedAt*"],
  [{ type: "object" }, "scaling destination* settings*"],
  [objects, "fieldMappings*"],
  [
    {
      ...answered([orNull({ type: "object" }), kinds.map((kind) => `${kind}*`).join(" ")]),
      oneOf: kinds.map((kind) => ({ properties: { [kind]: { type: "object" } } })),
    },
    "source*",
  ],
);

export const answeredReverseEndpoint = answered(
  [text, "id* serviceId* description* type* endpointId* status*"],
  [nullable, "vpcEndpointServiceName* vpcResourceConfigurationId* vpcResourceShareArn*"],
  [nullable, "mskClusterArn* mskAuthentication* gcpServiceAttachment*"],
  [texts, "dnsNames* privateDnsNames*"],
  [objects, "customPrivateDnsMappings*"],
);

export const answeredRole = {
  type: "object",
  required: ["id", "name", "type", "tenantId", "actors", "policies"],
};

export const answeredCaller = answered(
  [oneOf("apiKey", "user"), "actorType*"],
  [text, "keyId name organizationId userId email"],
  [list(answered([text, "organizationId organizationName"])), "organizations"],
);

export const answeredActivity = answered(
  [oneOf("user", "support", "system", "api"), "actorType*"],
  [text, "id* createdAt* type* actorId* actorDetails* organizationId*"],
  [text, "actorIpAddress userAgent serviceId targetKeyId"],
  [
    oneOf(
      ...["created", "deleted", "name-changed", "role-changed", "state-changed", "date-changed"],
      ...["ip-access-list-changed", "org-role-changed", "default-service-role-changed"],
      ...["service-role-changed", "roles-v2-changed"],
    ),
    "keyUpdateType",
  ],
);

export const answeredOutcome = {
  ...strict(
    {
      valid: flag,
      errors: list(strict({ path: text, message: text }, ["path", "message"])),
      normalized: anything,
    },
    ["valid", "errors", "normalized"],
  ),
  ...whenOneOf(
    "valid",
    [true],
    { properties: { errors: { maxItems: 0 }, normalized: { type: "object" } } },
    { properties: { errors: { minItems: 1 }, normalized: { type: "null" } } },
  ),
};
