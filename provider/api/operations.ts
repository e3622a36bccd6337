import { type Static, type TSchema, Type } from "../values/schemaBuilders";
import type { AnsweredObjects } from "./answers.golden";
import {
  change,
  create,
  get,
  Identified,
  inOrganization,
  inService,
  list,
  managed,
  type Operation,
  onBoth,
  onBothElsewhere,
  onServer,
  organization,
  remove,
  replace,
} from "./operation";
import { permissions } from "./permissions";

const Activity = Type.Object({ id: Type.String(), createdAt: Type.String(), type: Type.String() });

const Member = Type.Object({ userId: Type.String({ minLength: 1 }), email: Type.String() });

/** The response schema of an operation if the provider needs no property of the returned object. */
const AnyObject = Type.Object({});

const QueryEndpoint = Type.Object({
  openApiKeys: Type.Optional(Type.Array(Type.Unknown())),
  roles: Type.Optional(Type.Array(Type.Unknown())),
});
const SettingsList = Type.Object({ settings: Type.Array(Type.Object({ name: Type.String() })) });
const DiscoveredSchema = Type.Object({
  fields: Type.Array(Type.Object({ name: Type.String(), type: Type.String() })),
});
const ScalingSchedule = Type.Object({ entries: Type.Array(Type.Unknown()) });
const PostgresBackup = Type.Object({ key: Type.String() });
const Certificates = Type.Object({ text: Type.String() });
const CreatedKey = Type.Object({
  key: Identified,
  keyId: Type.Optional(Type.String()),
  keySecret: Type.Optional(Type.String()),
});
const CreatedService = Type.Object({ service: Identified, password: Type.Optional(Type.String()) });
const UdfUpload = Type.Object({ uploadId: Type.String(), uploadUrl: Type.String({ minLength: 1 }) });
const Udf = Type.Object({ functionName: Type.String({ minLength: 1 }) });
const UdfAttachment = Type.Object({ functionName: Type.String(), serviceId: Type.String() });
const ofUdf = { idIs: "functionName", isOfProduct: true } as const;
const attachmentPath = "udfs/{functionName}/attachments/{serviceId}";
const Validation = Type.Object({
  errors: Type.Array(Type.Object({ path: Type.String(), message: Type.String() })),
});

const readSource = "use getSource instead of a Source";
const forgetSource = `take the Source out of the program and the state (pulumi state delete), and ${readSource}`;

const webhookSecrets = ["url", "body", "headers", "queryParams"] as const;

const bucketSecrets = ["secretAccessKey", "connectionString"] as const;

const pipeSecrets = {
  secrets: ["credentials", "accessKey", "connectionString", "serviceAccountKey"],
  plain: ["username", "accessKeyId"],
} as const;

const known = {
  whoami: { ...managed("/v1/whoami"), method: "GET", response: AnyObject, idempotent: true },

  listPipes: list(inService("pipes")),
  getPipe: get(inService("pipes/{id}"), "pipe"),
  getPipeSettings: { ...get(inService("pipes/{id}/settings"), "pipe"), response: AnyObject },
  createPipe: { ...create(inService("pipes")), isOfProduct: true, ...pipeSecrets },
  updatePipe: { ...change(inService("pipes/{id}"), "pipe"), isOfProduct: true, ...pipeSecrets },
  // The service refuses to add a table twice, or to remove it twice, so the client never repeats this request.
  updatePipeTables: {
    ...change(inService("pipes/{id}"), "pipe"),
    ...{ idempotent: false, isOfProduct: true },
  },
  putPipeSettings: {
    ...change(inService("pipes/{id}/settings"), "pipe"),
    ...{ method: "PUT", response: AnyObject, goesFirst: true, isOfProduct: true },
  },
  updatePipeScaling: { ...change(inService("pipes/{id}/scaling"), "pipe"), isOfProduct: true },
  updatePipeState: {
    ...change(inService("pipes/{id}/state"), "pipe"),
    ...{ response: AnyObject, isOfProduct: true },
  },
  // Each such request has the pipe load all of its tables anew, so the client never repeats it.
  resyncPipe: {
    ...change(inService("pipes/{id}/state"), "pipe"),
    ...{ response: AnyObject, idempotent: false, isOfProduct: true },
  },
  deletePipe: { ...remove(inService("pipes/{id}"), "pipe"), isOfProduct: true },
  getPipesContext: {
    ...get(inService("pipes/context"), "context of pipes"),
    ...{ response: AnyObject, isOfProduct: true },
  },
  // A discovery of a pipe's source that ran into a timeout would run into it again, so it is not repeated.
  discoverPipeSchema: {
    ...create(inService("pipes/schemaDiscovery")),
    ...{ response: DiscoveredSchema, changesNothing: true },
    ...{ asksForData: true, isOfProduct: true },
    ...pipeSecrets,
  },
  getPipeCdcScaling: {
    ...get(inService("pipesCdcScaling"), "scaling of database pipes"),
    ...{ response: AnyObject, isOfProduct: true },
  },
  updatePipeCdcScaling: {
    ...change(inService("pipesCdcScaling"), "scaling of database pipes"),
    ...{ response: AnyObject, isOfProduct: true },
  },
  listReversePrivateEndpoints: list(inService("pipesReversePrivateEndpoints")),
  createReversePrivateEndpoint: {
    ...create(inService("pipesReversePrivateEndpoints")),
    isOfProduct: true,
  },
  getReversePrivateEndpoint: {
    ...get(inService("pipesReversePrivateEndpoints/{id}"), "reverse private endpoint"),
    isOfProduct: true,
  },
  updateReversePrivateEndpoint: {
    ...change(inService("pipesReversePrivateEndpoints/{id}"), "reverse private endpoint"),
    isOfProduct: true,
  },
  deleteReversePrivateEndpoint: {
    ...remove(inService("pipesReversePrivateEndpoints/{id}"), "reverse private endpoint"),
    isOfProduct: true,
  },
  listSshTunnels: { ...list(inService("pipesSshKeyResources")), isOfProduct: true },
  createSshTunnel: { ...create(inService("pipesSshKeyResources")), isOfProduct: true },
  getSshTunnel: { ...get(inService("pipesSshKeyResources/{id}"), "SSH tunnel"), isOfProduct: true },
  // The service signs in at the host, and answers with what it found.
  validateSshTunnel: {
    ...change(inService("pipesSshKeyResources/{id}/validate"), "SSH tunnel"),
    ...{ method: "POST", isOfProduct: true },
  },
  deleteSshTunnel: { ...remove(inService("pipesSshKeyResources/{id}"), "SSH tunnel"), isOfProduct: true },

  createUdfUpload: {
    ...create(inOrganization("udfUploads/url")),
    ...{ response: UdfUpload, idempotent: true, isOfProduct: true },
  },
  // The API names functions and their versions, and gives them no ids.
  listUdfs: { ...list(inOrganization("udfs")), response: Type.Array(Udf), pageSize: 100, ...ofUdf },
  createUdf: { ...create(inOrganization("udfs")), response: Udf, ...ofUdf },
  getUdf: { ...get(inOrganization("udfs/{id}"), "UDF"), response: Udf, ...ofUdf },
  deleteUdf: { ...remove(inOrganization("udfs/{id}"), "UDF"), isOfProduct: true },
  listUdfVersions: {
    ...list(inOrganization("udfs/{id}/versions")),
    ...{ response: Type.Array(Udf), object: "UDF", pageSize: 100, idIs: "version", isOfProduct: true },
  },
  // Each such request makes a version, of which the members that it omits are the defaults.
  createUdfVersion: {
    ...change(inOrganization("udfs/{id}/versions"), "UDF"),
    ...{ method: "POST", response: Udf, idempotent: false, replaces: true, ...ofUdf },
  },
  listUdfAttachments: {
    ...list(inOrganization("udfs/{id}/attachments")),
    ...{
      response: Type.Array(UdfAttachment),
      object: "UDF",
      pageSize: 100,
      idIs: "serviceId",
      isOfProduct: true,
    },
  },
  getUdfAttachment: {
    ...get(inOrganization(attachmentPath), "UDF"),
    ...{ response: UdfAttachment, isOfProduct: true },
  },
  putUdfAttachment: {
    ...replace(inOrganization(attachmentPath), "UDF"),
    ...{ response: UdfAttachment, isOfProduct: true },
  },
  deleteUdfAttachment: { ...remove(inOrganization(attachmentPath), "UDF"), isOfProduct: true },

  listBackups: { ...list(inService("backups")), isOfProduct: true },
  listSnapshots: { ...list(inService("snapshots")), isOfProduct: true },

  updateScaling: change(inService("scaling"), "service"),
  // The newer operation `replicaScaling` also changes values of a service's scaling that the operation `scaling` cannot change.
  updateReplicaScaling: change(inService("replicaScaling"), "service"),
  putScalingSchedule: {
    ...create(inService("scalingSchedule")),
    ...{ response: ScalingSchedule, idempotent: true, replaces: true },
  },
  getScalingSchedule: {
    ...get(inService("scalingSchedule"), "scaling schedule"),
    response: ScalingSchedule,
  },
  deleteScalingSchedule: remove(inService("scalingSchedule"), "scaling schedule"),
  listServices: { ...list(inOrganization("services")), isOfProduct: true },
  getService: get(inOrganization("services/{serviceId}"), "service"),
  createService: {
    ...create(inOrganization("services")),
    ...{ response: CreatedService, wrapped: "service", isOfProduct: true },
  },
  updateService: { ...change(inOrganization("services/{serviceId}"), "service"), isOfProduct: true },
  updateServiceState: {
    ...change(inOrganization("services/{serviceId}/state"), "service"),
    ...{ response: AnyObject, isOfProduct: true },
  },
  // ClickHouse Cloud makes a new password for each request without a hash. So the client never repeats this request.
  updateServicePassword: {
    ...change(inOrganization("services/{serviceId}/password"), "service"),
    ...{ response: AnyObject, idempotent: false, isOfProduct: true },
    secrets: ["newPasswordHash", "newDoubleSha1Hash"],
  },
  deleteService: { ...remove(inOrganization("services/{serviceId}"), "service"), isOfProduct: true },

  listPostgresServices: { ...list(inOrganization("postgres")), isOfProduct: true },
  createPostgresService: { ...create(inOrganization("postgres")), isOfProduct: true },
  getPostgresService: { ...get(inOrganization("postgres/{id}"), "Postgres service"), isOfProduct: true },
  // An update has access rules to add, which a second request would add again.
  updatePostgresService: {
    ...change(inOrganization("postgres/{id}"), "Postgres service"),
    ...{ idempotent: false, goesFirst: true, isOfProduct: true },
  },
  deletePostgresService: {
    ...remove(inOrganization("postgres/{id}"), "Postgres service"),
    isOfProduct: true,
  },
  createPostgresReplica: { ...create(inOrganization("postgres/{id}/readReplica")), isOfProduct: true },
  restorePostgresService: { ...create(inOrganization("postgres/{id}/restoredService")), isOfProduct: true },
  updatePostgresState: {
    ...change(inOrganization("postgres/{id}/state"), "Postgres service"),
    ...{ response: AnyObject, idempotent: false, isOfProduct: true },
  },
  // The service makes a new password for each request without one. So the client never repeats this request.
  updatePostgresPassword: {
    ...change(inOrganization("postgres/{id}/password"), "Postgres service"),
    ...{ response: AnyObject, idempotent: false, isOfProduct: true },
    secrets: ["password"],
  },
  listPostgresBackups: {
    ...list(inOrganization("postgres/{id}/backups")),
    ...{ response: Type.Array(PostgresBackup), pageSize: 100, idIs: "key", isOfProduct: true },
  },
  getPostgresCertificates: {
    ...get(inOrganization("postgres/{id}/caCertificates"), "Postgres service"),
    ...{ response: Certificates, isOfProduct: true },
    file: /^-----BEGIN CERTIFICATE-----.*-----END CERTIFICATE-----\s*$/s,
  },
  getPostgresConfig: {
    ...get(inOrganization("postgres/{id}/config"), "Postgres service"),
    ...{ response: AnyObject, isOfProduct: true },
  },
  updatePostgresConfig: {
    ...change(inOrganization("postgres/{id}/config"), "Postgres service"),
    ...{ response: AnyObject, isOfProduct: true },
  },
  replacePostgresConfig: {
    ...change(inOrganization("postgres/{id}/config"), "Postgres service"),
    ...{ method: "POST", response: AnyObject, isOfProduct: true },
  },

  getBackupConfiguration: {
    ...get(inService("backupConfiguration"), "backup configuration"),
    ...{ response: AnyObject, isOfProduct: true },
  },
  updateBackupConfiguration: {
    ...change(inService("backupConfiguration"), "backup configuration"),
    ...{ response: AnyObject, isOfProduct: true },
  },
  getBackupBucket: {
    ...get(inService("backupBucket"), "backup bucket"),
    ...{ response: AnyObject, isOfProduct: true },
  },
  createBackupBucket: {
    ...create(inService("backupBucket")),
    ...{ response: AnyObject, secrets: bucketSecrets, isOfProduct: true },
  },
  updateBackupBucket: {
    ...change(inService("backupBucket"), "backup bucket"),
    ...{ response: AnyObject, secrets: bucketSecrets, isOfProduct: true },
  },
  deleteBackupBucket: { ...remove(inService("backupBucket"), "backup bucket"), isOfProduct: true },
  getSnapshotConfiguration: {
    ...get(inService("snapshotConfiguration"), "snapshot configuration"),
    ...{ response: AnyObject, isOfProduct: true },
  },
  updateSnapshotConfiguration: {
    ...change(inService("snapshotConfiguration"), "snapshot configuration"),
    ...{ response: AnyObject, isOfProduct: true },
  },
  getReplicaAwareRouting: {
    ...get(inService("replicaAwareRouting"), "replica-aware routing"),
    ...{ response: AnyObject, isOfProduct: true },
  },
  updateReplicaAwareRouting: {
    ...change(inService("replicaAwareRouting"), "replica-aware routing"),
    ...{ response: AnyObject, isOfProduct: true },
  },
  getUpgradeWindow: {
    ...get(inService("upgradeWindow"), "upgrade window"),
    ...{ response: AnyObject, isOfProduct: true },
  },
  putUpgradeWindow: {
    ...replace(inService("upgradeWindow"), "upgrade window"),
    ...{ response: AnyObject, isOfProduct: true },
  },
  deleteUpgradeWindow: { ...remove(inService("upgradeWindow"), "upgrade window"), isOfProduct: true },
  getServiceSettings: {
    ...get(inService("clickhouseSettings"), "settings"),
    ...{ response: SettingsList, isOfProduct: true },
  },
  updateServiceSettings: {
    ...change(inService("clickhouseSettings"), "settings"),
    ...{ response: AnyObject, isOfProduct: true },
  },
  deleteServiceSetting: {
    ...remove(inService("clickhouseSettings/{id}"), "setting"),
    isOfProduct: true,
  },
  getServiceSettingsSchema: {
    ...get(inService("clickhouseSettings/schema"), "settings"),
    ...{ response: SettingsList, isOfProduct: true },
  },
  // Attaching a private endpoint a second time at most changes its description, so the request may be repeated.
  createPrivateEndpoint: {
    ...create(inService("privateEndpoint")),
    ...{ idempotent: true, isOfProduct: true },
  },
  getPrivateEndpointConfig: {
    ...get(inService("privateEndpointConfig"), "service"),
    ...{ response: AnyObject, isOfProduct: true },
  },
  listOrganizations: { ...list(managed("/v1/organizations")), isOfProduct: true },
  getOrganization: { ...get(managed(organization), "organization"), isOfProduct: true },
  updateOrganization: {
    ...change(managed(organization), "organization"),
    isOfProduct: true,
  },

  createKey: {
    ...create(inOrganization("keys")),
    response: CreatedKey,
    wrapped: "key",
    secrets: ["hashData"],
  },
  listKeys: list(inOrganization("keys")),
  getKey: get(inOrganization("keys/{id}"), "key"),
  updateKey: change(inOrganization("keys/{id}"), "key"),
  deleteKey: remove(inOrganization("keys/{id}"), "key"),
  // Only ClickHouse Cloud lists activities, in which `pipestack drift` finds who changed an object.
  listActivities: {
    ...list(inOrganization("activities")),
    ...{ response: Type.Array(Activity), query: ["from_date"], isOfProduct: true },
  },
  // Only ClickHouse Cloud has objects for roles. On other servers an API key itself names its role.
  listRoles: { ...list(inOrganization("roles")), isOfProduct: true },
  createRole: { ...create(inOrganization("roles")), isOfProduct: true },
  getRole: { ...get(inOrganization("roles/{id}"), "role"), goesFirst: true, isOfProduct: true },
  updateRole: { ...change(inOrganization("roles/{id}"), "role"), goesFirst: true, isOfProduct: true },
  deleteRole: { ...remove(inOrganization("roles/{id}"), "role"), isOfProduct: true },

  getQuotas: {
    ...get(inOrganization("quotas"), "organization"),
    ...{ response: Type.Array(AnyObject), isOfProduct: true },
  },
  getServiceProfiles: {
    ...get(inOrganization("serviceProfiles"), "organization"),
    ...{ response: Type.Array(AnyObject), isOfProduct: true },
  },
  // The API has no ids of memberships: the id of an organization's member is that of the user.
  listMembers: {
    ...list(inOrganization("members")),
    ...{ response: Type.Array(Member), idIs: "userId", isOfProduct: true },
  },
  getMember: { ...get(inOrganization("members/{id}"), "member"), ...{ response: Member, isOfProduct: true } },
  updateMember: {
    ...change(inOrganization("members/{id}"), "member"),
    ...{ response: Member, isOfProduct: true },
  },
  deleteMember: { ...remove(inOrganization("members/{id}"), "member"), isOfProduct: true },
  listInvitations: { ...list(inOrganization("invitations")), isOfProduct: true },
  createInvitation: { ...create(inOrganization("invitations")), isOfProduct: true },
  deleteInvitation: { ...remove(inOrganization("invitations/{id}"), "invitation"), isOfProduct: true },

  putQueryEndpoint: {
    ...create(inService("serviceQueryEndpoint")),
    response: QueryEndpoint,
    idempotent: true,
    replaces: true,
  },
  getQueryEndpoint: {
    ...get(inService("serviceQueryEndpoint"), "query endpoint"),
    response: QueryEndpoint,
  },
  deleteQueryEndpoint: remove(inService("serviceQueryEndpoint"), "query endpoint"),

  listQueryApiEndpoints: {
    ...list(inService("query-api-endpoints")),
    pageSize: 100,
  },
  createQueryApiEndpoint: create(inService("query-api-endpoints")),
  getQueryApiEndpoint: get(inService("query-api-endpoints/{id}"), "query API endpoint"),
  updateQueryApiEndpoint: replace(inService("query-api-endpoints/{id}"), "query API endpoint"),
  deleteQueryApiEndpoint: remove(inService("query-api-endpoints/{id}"), "query API endpoint"),

  listSavedQueries: { ...list(inService("saved-queries")), pageSize: 100 },
  createSavedQuery: create(inService("saved-queries")),
  getSavedQuery: get(inService("saved-queries/{id}"), "saved query"),
  updateSavedQuery: replace(inService("saved-queries/{id}"), "saved query"),
  deleteSavedQuery: remove(inService("saved-queries/{id}"), "saved query"),

  listDashboards: list(onBoth("dashboards")),
  createDashboard: create(onBoth("dashboards")),
  // A failed validation request is not repeated, since the later create of the dashboard reports the same faults.
  validateDashboard: {
    ...create(onBoth("dashboards/validate")),
    response: Validation,
    changesNothing: true,
    isBare: true,
  },
  getDashboard: get(onBoth("dashboards/{id}"), "dashboard"),
  updateDashboard: replace(onBothElsewhere("dashboards/{id}"), "dashboard"),
  deleteDashboard: remove(onBoth("dashboards/{id}"), "dashboard"),

  listAlerts: { ...list(onBoth("alerts")), hasOffsets: true },
  createAlert: create(onBoth("alerts")),
  getAlert: get(onBoth("alerts/{id}"), "alert"),
  updateAlert: replace(onBothElsewhere("alerts/{id}"), "alert"),
  deleteAlert: remove(onBoth("alerts/{id}"), "alert"),

  listConnections: list(onServer("connections")),
  createConnection: { ...create(onServer("connections")), secrets: ["password"] },
  getConnection: get(onServer("connections/{id}"), "connection"),
  // The PUT of a connection, unlike other PUTs, keeps the properties that its body omits.
  updateConnection: {
    ...replace(onServer("connections/{id}"), "connection"),
    replaces: false,
    secrets: ["password"],
  },
  deleteConnection: remove(onServer("connections/{id}"), "connection"),

  listSources: list(onBoth("sources")),
  createSource: { ...create(onBoth("sources")), whereFullyManaged: readSource },
  getSource: get(onBoth("sources/{id}"), "source"),
  updateSource: { ...replace(onBoth("sources/{id}"), "source"), whereFullyManaged: forgetSource },
  deleteSource: { ...remove(onBoth("sources/{id}"), "source"), whereFullyManaged: forgetSource },

  // No server has a route to read a single webhook, so the provider reads it from the list of webhooks.
  listWebhooks: { ...list(onBoth("webhooks")), hasOffsets: true },
  createWebhook: { ...create(onBoth("webhooks")), secrets: webhookSecrets },
  updateWebhook: { ...replace(onBoth("webhooks/{id}"), "webhook"), secrets: webhookSecrets },
  deleteWebhook: remove(onBoth("webhooks/{id}"), "webhook"),

  listSavedSearches: { ...list(onBoth("saved-searches")), hasOffsets: true },
  createSavedSearch: create(onBoth("saved-searches")),
  getSavedSearch: get(onBoth("saved-searches/{id}"), "saved search"),
  updateSavedSearch: replace(onBoth("saved-searches/{id}"), "saved search"),
  deleteSavedSearch: remove(onBoth("saved-searches/{id}"), "saved search"),

  listClickStackRoles: { ...list(inService("clickstack/roles")), isOfProduct: true },
  createClickStackRole: { ...create(inService("clickstack/roles")), isOfProduct: true },
  getClickStackRole: { ...get(inService("clickstack/roles/{id}"), "role"), isOfProduct: true },
  updateClickStackRole: { ...replace(inService("clickstack/roles/{id}"), "role"), isOfProduct: true },
  deleteClickStackRole: { ...remove(inService("clickstack/roles/{id}"), "role"), isOfProduct: true },

  getChartSeries: {
    ...create(onServer("charts/series")),
    response: Type.Array(AnyObject),
    idempotent: true,
    asksForData: true,
    changesNothing: true,
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof known;

/** Every operation of the two APIs that the provider knows. */
export const operations = Object.fromEntries(
  Object.entries(known).map(([name, operation]) => {
    const taken = permissions[name as OperationName];
    return [name, { ...operation, ...(taken && { permissions: taken }) }];
  }),
) as { readonly [Name in OperationName]: (typeof known)[Name] & Pick<Operation, "permissions"> };

/**
 * The API for dashboards, alerts, sources and webhooks. With `both`, each operation goes to the API that the API document shows
 * for it.
 */
export const observabilityRoutes = ["both", "management", "observability"] as const;

export type ObservabilityVia = (typeof observabilityRoutes)[number];

/** An operation's method and path on the API that serves it under the given settings. */
export function operationOn(observabilityVia: ObservabilityVia, name: OperationName): Operation {
  const operation: Operation = operations[name];
  const { otherPath } = operation;
  if (otherPath !== undefined && observabilityVia !== "both" && observabilityVia !== operation.api)
    return { ...operation, api: observabilityVia, path: otherPath };
  return operation;
}

/** What the API document says of an operation's object. The service may send other values, so code that reads them checks them. */
type Documented<Name> = Name extends keyof AnsweredObjects ? AnsweredObjects[Name] : Record<string, unknown>;

/** The result of a successful API call. The client checks only the properties that the operation's schema names. */
export type Answer<Name extends OperationName> = Name extends OperationName
  ? (typeof operations)[Name] extends { response: infer Schema extends TSchema }
    ? Static<Schema> extends (infer Item)[]
      ? (Item & Documented<Name>)[]
      : Static<Schema> & Documented<Name>
    : undefined
  : never;

/** The names of operations whose answer is one object. */
export type ObjectOperation = {
  [Name in OperationName]: Answer<Name> extends { readonly [name: string]: unknown } ? Name : never;
}[OperationName];

/** The names of operations that list objects. */
export type ListOperation = Extract<OperationName, `list${string}`>;

/** One object of a list that the API has returned. */
export type Listed<Name extends ListOperation> = Answer<Name> extends (infer Item)[] ? Item : never;

/** Path and query parameters of an API call, by name. A missing parameter that the path needs is an error of the call. */
export type PathParameters = { readonly [parameter: string]: string | undefined };
