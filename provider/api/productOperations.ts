import { Type } from "../values/schemaBuilders";
import {
  AnyObject,
  change,
  create,
  get,
  Identified,
  inOrganization,
  inService,
  list,
  managed,
  type Operation,
  organization,
  remove,
  replace,
} from "./operation";

const Activity = Type.Object({ id: Type.String(), createdAt: Type.String(), type: Type.String() });
const Member = Type.Object({ userId: Type.String({ minLength: 1 }), email: Type.String() });
const SettingsList = Type.Object({ settings: Type.Array(Type.Object({ name: Type.String() })) });
const DiscoveredSchema = Type.Object({
  fields: Type.Array(Type.Object({ name: Type.String(), type: Type.String() })),
});
const PostgresBackup = Type.Object({ key: Type.String() });
const Certificates = Type.Object({ text: Type.String() });
const CreatedService = Type.Object({ service: Identified, password: Type.Optional(Type.String()) });
const UdfUpload = Type.Object({ uploadId: Type.String(), uploadUrl: Type.String({ minLength: 1 }) });
const Udf = Type.Object({ functionName: Type.String({ minLength: 1 }) });
const UdfAttachment = Type.Object({ functionName: Type.String(), serviceId: Type.String() });
const ofUdf = { idIs: "functionName" } as const;
const attachmentPath = "udfs/{functionName}/attachments/{serviceId}";
const bucketSecrets = ["secretAccessKey", "connectionString"] as const;
const pipeSecrets = {
  secrets: ["credentials", "accessKey", "connectionString", "serviceAccountKey"],
  plain: ["username", "accessKeyId"],
} as const;

/** The operations that only ClickHouse Cloud has, and the neutral API document does not. */
export const productOperations = {
  createPipe: { ...create(inService("pipes")), ...pipeSecrets },
  updatePipe: { ...change(inService("pipes/{id}"), "pipe"), ...pipeSecrets },
  // The service refuses to add a table twice, or to remove it twice, so the client never repeats this request.
  updatePipeTables: { ...change(inService("pipes/{id}"), "pipe"), idempotent: false },
  putPipeSettings: {
    ...change(inService("pipes/{id}/settings"), "pipe", AnyObject),
    ...{ method: "PUT", goesFirst: true },
  },
  updatePipeScaling: change(inService("pipes/{id}/scaling"), "pipe"),
  updatePipeState: change(inService("pipes/{id}/state"), "pipe", AnyObject),
  // Each such request has the pipe load all of its tables anew, so the client never repeats it.
  resyncPipe: { ...change(inService("pipes/{id}/state"), "pipe", AnyObject), idempotent: false },
  deletePipe: remove(inService("pipes/{id}"), "pipe"),
  getPipesContext: get(inService("pipes/context"), "context of pipes", AnyObject),
  // A discovery of a pipe's source that ran into a timeout would run into it again, so it is not repeated.
  discoverPipeSchema: {
    ...create(inService("pipes/schemaDiscovery"), DiscoveredSchema),
    changesNothing: true,
    asksForData: true,
    ...pipeSecrets,
  },
  getPipeCdcScaling: get(inService("pipesCdcScaling"), "scaling of database pipes", AnyObject),
  updatePipeCdcScaling: change(inService("pipesCdcScaling"), "scaling of database pipes", AnyObject),
  createReversePrivateEndpoint: create(inService("pipesReversePrivateEndpoints")),
  getReversePrivateEndpoint: get(inService("pipesReversePrivateEndpoints/{id}"), "reverse private endpoint"),
  updateReversePrivateEndpoint: change(
    inService("pipesReversePrivateEndpoints/{id}"),
    "reverse private endpoint",
  ),
  deleteReversePrivateEndpoint: remove(
    inService("pipesReversePrivateEndpoints/{id}"),
    "reverse private endpoint",
  ),
  listSshTunnels: list(inService("pipesSshKeyResources")),
  createSshTunnel: create(inService("pipesSshKeyResources")),
  getSshTunnel: get(inService("pipesSshKeyResources/{id}"), "SSH tunnel"),
  // The service signs in at the host, and answers with what it found.
  validateSshTunnel: {
    ...change(inService("pipesSshKeyResources/{id}/validate"), "SSH tunnel"),
    method: "POST",
  },
  deleteSshTunnel: remove(inService("pipesSshKeyResources/{id}"), "SSH tunnel"),

  createUdfUpload: { ...create(inOrganization("udfUploads/url"), UdfUpload), idempotent: true },
  // The API names functions and their versions, and gives them no ids.
  listUdfs: { ...list(inOrganization("udfs")), response: Type.Array(Udf), pageSize: 100, ...ofUdf },
  createUdf: { ...create(inOrganization("udfs"), Udf), ...ofUdf },
  getUdf: { ...get(inOrganization("udfs/{id}"), "UDF", Udf), ...ofUdf },
  deleteUdf: remove(inOrganization("udfs/{id}"), "UDF"),
  listUdfVersions: {
    ...list(inOrganization("udfs/{id}/versions")),
    ...{ response: Type.Array(Udf), object: "UDF", pageSize: 100, idIs: "version" },
  },
  // Each such request makes a version, of which the members that it omits are the defaults.
  createUdfVersion: {
    ...change(inOrganization("udfs/{id}/versions"), "UDF", Udf),
    ...{ method: "POST", idempotent: false, replaces: true, ...ofUdf },
  },
  listUdfAttachments: {
    ...list(inOrganization("udfs/{id}/attachments")),
    ...{ response: Type.Array(UdfAttachment), object: "UDF", pageSize: 100, idIs: "serviceId" },
  },
  getUdfAttachment: get(inOrganization(attachmentPath), "UDF", UdfAttachment),
  putUdfAttachment: replace(inOrganization(attachmentPath), "UDF", UdfAttachment),
  deleteUdfAttachment: remove(inOrganization(attachmentPath), "UDF"),

  listBackups: list(inService("backups")),
  listSnapshots: list(inService("snapshots")),
  listServices: list(inOrganization("services")),
  createService: { ...create(inOrganization("services"), CreatedService), wrapped: "service" },
  updateService: change(inOrganization("services/{serviceId}"), "service"),
  updateServiceState: change(inOrganization("services/{serviceId}/state"), "service", AnyObject),
  // ClickHouse Cloud makes a new password for each request without a hash. So the client never repeats this request.
  updateServicePassword: {
    ...change(inOrganization("services/{serviceId}/password"), "service", AnyObject),
    idempotent: false,
    secrets: ["newPasswordHash", "newDoubleSha1Hash"],
  },
  deleteService: remove(inOrganization("services/{serviceId}"), "service"),

  listPostgresServices: list(inOrganization("postgres")),
  createPostgresService: create(inOrganization("postgres")),
  getPostgresService: get(inOrganization("postgres/{id}"), "Postgres service"),
  // An update has access rules to add, which a second request would add again.
  updatePostgresService: {
    ...change(inOrganization("postgres/{id}"), "Postgres service"),
    ...{ idempotent: false, goesFirst: true },
  },
  deletePostgresService: remove(inOrganization("postgres/{id}"), "Postgres service"),
  createPostgresReplica: create(inOrganization("postgres/{id}/readReplica")),
  restorePostgresService: create(inOrganization("postgres/{id}/restoredService")),
  updatePostgresState: {
    ...change(inOrganization("postgres/{id}/state"), "Postgres service", AnyObject),
    idempotent: false,
  },
  // The service makes a new password for each request without one. So the client never repeats this request.
  updatePostgresPassword: {
    ...change(inOrganization("postgres/{id}/password"), "Postgres service", AnyObject),
    idempotent: false,
    secrets: ["password"],
  },
  listPostgresBackups: {
    ...list(inOrganization("postgres/{id}/backups")),
    ...{ response: Type.Array(PostgresBackup), pageSize: 100, idIs: "key" },
  },
  getPostgresCertificates: {
    ...get(inOrganization("postgres/{id}/caCertificates"), "Postgres service", Certificates),
    file: /^-----BEGIN CERTIFICATE-----.*-----END CERTIFICATE-----\s*$/s,
  },
  getPostgresConfig: get(inOrganization("postgres/{id}/config"), "Postgres service", AnyObject),
  updatePostgresConfig: change(inOrganization("postgres/{id}/config"), "Postgres service", AnyObject),
  replacePostgresConfig: {
    ...change(inOrganization("postgres/{id}/config"), "Postgres service", AnyObject),
    method: "POST",
  },

  getBackupConfiguration: get(inService("backupConfiguration"), "backup configuration", AnyObject),
  updateBackupConfiguration: change(inService("backupConfiguration"), "backup configuration", AnyObject),
  getBackupBucket: get(inService("backupBucket"), "backup bucket", AnyObject),
  createBackupBucket: { ...create(inService("backupBucket"), AnyObject), secrets: bucketSecrets },
  updateBackupBucket: {
    ...change(inService("backupBucket"), "backup bucket", AnyObject),
    secrets: bucketSecrets,
  },
  deleteBackupBucket: remove(inService("backupBucket"), "backup bucket"),
  getSnapshotConfiguration: get(inService("snapshotConfiguration"), "snapshot configuration", AnyObject),
  updateSnapshotConfiguration: change(
    inService("snapshotConfiguration"),
    "snapshot configuration",
    AnyObject,
  ),
  getReplicaAwareRouting: get(inService("replicaAwareRouting"), "replica-aware routing", AnyObject),
  updateReplicaAwareRouting: change(inService("replicaAwareRouting"), "replica-aware routing", AnyObject),
  getUpgradeWindow: get(inService("upgradeWindow"), "upgrade window", AnyObject),
  putUpgradeWindow: replace(inService("upgradeWindow"), "upgrade window", AnyObject),
  deleteUpgradeWindow: remove(inService("upgradeWindow"), "upgrade window"),
  getServiceSettings: get(inService("clickhouseSettings"), "settings", SettingsList),
  updateServiceSettings: change(inService("clickhouseSettings"), "settings", AnyObject),
  deleteServiceSetting: remove(inService("clickhouseSettings/{id}"), "setting"),
  getServiceSettingsSchema: get(inService("clickhouseSettings/schema"), "settings", SettingsList),
  // Attaching a private endpoint a second time at most changes its description, so the request may be repeated.
  createPrivateEndpoint: { ...create(inService("privateEndpoint")), idempotent: true },
  getPrivateEndpointConfig: get(inService("privateEndpointConfig"), "service", AnyObject),
  listOrganizations: list(managed("/v1/organizations")),
  getOrganization: get(managed(organization), "organization"),
  updateOrganization: change(managed(organization), "organization"),
  // Only ClickHouse Cloud lists activities, in which `pipestack drift` finds who changed an object.
  listActivities: {
    ...list(inOrganization("activities")),
    ...{ response: Type.Array(Activity), query: ["from_date"] },
  },
  // Only ClickHouse Cloud has objects for roles. On other servers an API key itself names its role.
  listRoles: list(inOrganization("roles")),
  createRole: create(inOrganization("roles")),
  getRole: { ...get(inOrganization("roles/{id}"), "role"), goesFirst: true },
  updateRole: { ...change(inOrganization("roles/{id}"), "role"), goesFirst: true },
  deleteRole: remove(inOrganization("roles/{id}"), "role"),

  getQuotas: get(inOrganization("quotas"), "organization", Type.Array(AnyObject)),
  getServiceProfiles: get(inOrganization("serviceProfiles"), "organization", Type.Array(AnyObject)),
  // The API has no ids of memberships: the id of an organization's member is that of the user.
  listMembers: { ...list(inOrganization("members")), ...{ response: Type.Array(Member), idIs: "userId" } },
  getMember: get(inOrganization("members/{id}"), "member", Member),
  updateMember: change(inOrganization("members/{id}"), "member", Member),
  deleteMember: remove(inOrganization("members/{id}"), "member"),
  listInvitations: list(inOrganization("invitations")),
  createInvitation: create(inOrganization("invitations")),
  deleteInvitation: remove(inOrganization("invitations/{id}"), "invitation"),

  listClickStackRoles: list(inService("clickstack/roles")),
  createClickStackRole: create(inService("clickstack/roles")),
  getClickStackRole: get(inService("clickstack/roles/{id}"), "role"),
  updateClickStackRole: replace(inService("clickstack/roles/{id}"), "role"),
  deleteClickStackRole: remove(inService("clickstack/roles/{id}"), "role"),
} as const satisfies Record<string, Operation>;
