import {
  answered,
  type Documented,
  flag,
  list,
  nullable,
  number,
  objects,
  oneOf,
  orNull,
  strict,
  text,
  texts,
  upTo,
} from "./schema";

const ipAccessList = list(strict({ source: text, description: text }, ["source"]));
const replicas = {
  numReplicas: { type: "integer", minimum: 1, maximum: 20 },
  idleScaling: flag,
  idleTimeoutMinutes: { type: "number", minimum: 5 },
};
const totalMemory = { type: "number", minimum: 24, maximum: 1068, multipleOf: 12 };
const replicaMemory = { type: "number", minimum: 8, maximum: 356, multipleOf: 4 };
const positive = { type: "integer", minimum: 1 };

const key = {
  name: text,
  expireAt: { type: ["string", "null"] },
  state: oneOf("enabled", "disabled"),
  roles: list(oneOf("admin", "developer", "query_endpoints"), { minItems: 1 }),
  ipAccessList,
  assignedRoleIds: list(text),
};

/** The members of a query, saved or behind an endpoint: none of its texts may be blank. */
const query = {
  name: { type: "string", pattern: "\\S" },
  sql: { type: "string", pattern: "\\S", maxLength: 4_194_304 },
  database: { type: "string", pattern: "\\S" },
  parameters: { type: "object", additionalProperties: text },
};

/** The bodies that the management API takes, by operation or noun. No member that is not named here is tolerated. */
export const managementBodies = {
  Scaling: strict({ ...replicas, minTotalMemoryGb: totalMemory, maxTotalMemoryGb: totalMemory }),
  ReplicaScaling: strict({
    ...replicas,
    minReplicas: replicas.numReplicas,
    maxReplicas: replicas.numReplicas,
    autoscalingMode: oneOf("vertical", "horizontal"),
    minReplicaMemoryGb: replicaMemory,
    maxReplicaMemoryGb: replicaMemory,
  }),
  createKey: strict({
    ...key,
    hashData: strict({ keyIdHash: text, keyIdSuffix: text, keySecretHash: text }),
  }),
  updateKey: strict(key),
  ScalingSchedule: strict(
    {
      entries: list(
        strict(
          {
            name: text,
            weekdays: list({ type: "integer", minimum: 0, maximum: 6 }, { minItems: 1 }),
            startHourUtc: { type: "integer", minimum: 0, maximum: 23 },
            endHourUtc: { type: "integer", minimum: 1, maximum: 24 },
            autoscalingMode: oneOf("vertical", "horizontal"),
            ...{ minReplicaMemoryGb: replicaMemory, maxReplicaMemoryGb: replicaMemory },
            ...{ numReplicas: positive, minReplicas: positive, maxReplicas: positive },
            idleScaling: { type: "boolean" },
            idleTimeoutMinutes: { type: "number", minimum: 5 },
          },
          ["name", "weekdays", "startHourUtc", "endHourUtc"],
        ),
      ),
    },
    ["entries"],
  ),
  QueryEndpoint: strict({
    roles: list(oneOf("sql_console_read_only", "sql_console_admin")),
    openApiKeys: list(text),
    allowedOrigins: text,
  }),
  QueryApiEndpoint: strict(
    {
      ...query,
      apiKeyIds: list(
        { type: "string", pattern: "^[\\da-f]{8}(-[\\da-f]{4}){3}-[\\da-f]{12}$" },
        { minItems: 1 },
      ),
      roles: list(upTo(Number.MAX_SAFE_INTEGER, 1), { minItems: 1 }),
      allowedOrigins: list(text),
    },
    ["name", "sql", "database", "apiKeyIds", "roles"],
  ),
  SavedQuery: strict(query, ["name", "sql", "database"]),
} satisfies Record<string, Documented>;

const assignedRole = answered([text, "roleId* roleName* roleType*"]);

const answeredKey = answered(
  [text, "id* name* state* keySuffix* createdAt* usedAt"],
  [nullable, "expireAt*"],
  [texts, "roles*"],
  [list(assignedRole), "assignedRoles*"],
  [objects, "ipAccessList"],
);

/** With hashes of its own, a key is answered without the pair. */
const answeredNewKey = {
  ...strict({ key: answeredKey, keyId: text, keySecret: text }, ["key"]),
  dependentRequired: { keyId: ["keySecret"], keySecret: ["keyId"] },
};

const scheduledMode = [oneOf("vertical", "horizontal"), "autoscalingMode"] as const;
const scheduledNumbers = "minReplicaMemoryGb maxReplicaMemoryGb minReplicas maxReplicas idleTimeoutMinutes";
/** Entries always say their mode, and a number of replicas as a range; a schedule without entries has an empty base. */
const answeredSchedule = answered(
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

const answeredEndpoint = answered([text, "id* allowedOrigins*"], [texts, "roles* openApiKeys*"]);

const textsByName = { type: "object", additionalProperties: text };

/** Lists show neither SQL nor parameters. */
const listedSavedQuery = answered([text, "id* name* database*"]);
const answeredSavedQuery = answered([text, "id* name* sql* database*"], [textsByName, "parameters*"]);

const apiEndpoint = [
  [text, "id* name* database* url*"],
  [oneOf("user", "queryApiEndpoint"), "ownerType*"],
  [texts, "apiKeyIds* roles* allowedOrigins*"],
] as const;
const listedApiEndpoint = answered(...apiEndpoint);
const answeredApiEndpoint = answered(...apiEndpoint, [text, "sql*"], [textsByName, "parameters*"]);

const scalingMembers = "AutoscalingMode MinReplicaMemoryGb MaxReplicaMemoryGb MinReplicas MaxReplicas";

const answeredService = {
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
        [{}, `${scalingMembers} IdleScaling IdleTimeoutMinutes`.replace(/(\w+)/g, "effective$1*")],
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
const answeredPipe = answered(
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

const answeredReverseEndpoint = answered(
  [text, "id* serviceId* description* type* endpointId* status*"],
  [nullable, "vpcEndpointServiceName* vpcResourceConfigurationId* vpcResourceShareArn*"],
  [nullable, "mskClusterArn* mskAuthentication* gcpServiceAttachment*"],
  [texts, "dnsNames* privateDnsNames*"],
  [objects, "customPrivateDnsMappings*"],
);

const answeredRole = {
  type: "object",
  required: ["id", "name", "type", "tenantId", "actors", "policies"],
};

const answeredCaller = answered(
  [oneOf("apiKey", "user"), "actorType*"],
  [text, "keyId name organizationId userId email"],
  [list(answered([text, "organizationId organizationName"])), "organizations"],
);

const answeredActivity = answered(
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

/** What answers of the management API show, by operation or noun. */
export const managementAnswers = {
  whoami: answeredCaller,
  createKey: answeredNewKey,
  Key: answeredKey,
  Activity: answeredActivity,
  Role: answeredRole,
  QueryEndpoint: answeredEndpoint,
  ScalingSchedule: answeredSchedule,
  QueryApiEndpoint: (_, isListed) => (isListed ? listedApiEndpoint : answeredApiEndpoint),
  SavedQuery: (_, isListed) => (isListed ? listedSavedQuery : answeredSavedQuery),
  Service: answeredService,
  Scaling: answeredService,
  ReplicaScaling: answeredService,
  Pipe: answeredPipe,
  ReversePrivateEndpoint: answeredReverseEndpoint,
  PipeSettings: { type: "object", additionalProperties: { type: ["number", "boolean"] } },
} satisfies Record<string, Documented>;
