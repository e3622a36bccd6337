// Made of product/cloud.json by `npm run golden`; test/unit/product/answerTypes.ts has the names.

import type { PropertyMap } from "../values/data";

/**
 * Members of an object in an answer, each of which a server may leave out or show as null. Lists are not read-only, since
 * `Array.isArray` would make elements of read-only ones `any`.
 */
type Shown<Members> = { readonly [Name in keyof Members]?: Members[Name] | null };

export type Activity = Shown<{ actorDetails: string; actorId: string; actorIpAddress: string; actorType: string; createdAt: string; id: string; keyUpdateType: string; organizationId: string; serviceId: string; targetActorIds: string[]; targetKeyId: string; targetResourceIds: string[]; targetRoleIds: string[]; targetRoleNames: string[]; type: string; userAgent: string }>;
export type Alert = Shown<{ channel: Shown<{ emailRecipients: string[]; type: string; severity: string; slackChannelId: string; webhookId: string; webhookService: string }>; channels: Shown<{ emailRecipients: string[]; type: string; severity: string; slackChannelId: string; webhookId: string; webhookService: string }>[]; chartConfig: PropertyMap; createdAt: string; dashboardId: string; displayName: string; executionErrors: Shown<{ message: string; timestamp: string; type: string }>[]; groupBy: string; id: string; interval: string; message: string; name: string; note: string; numConsecutiveWindows: number; savedSearch: string; scheduleOffsetMinutes: number; scheduleStartAt: string; silenced: Shown<{ at: string; by: string; until: string }>; source: string; state: string; tags: string[]; team: string; threshold: number; thresholdMax: number; thresholdType: string; tileId: string; updatedAt: string; detectionMode: string; anomalyConfig: Shown<{ baselineLookbackMinutes: number; bucketSizeSeconds: number; condition: string; maxSeries: number; minAbsoluteDelta: number; nonNegative: boolean; zScoreThreshold: number }> }>;
export type ApiKey = Shown<{ assignedRoles: Shown<{ roleId: string; roleName: string; roleType: string }>[]; createdAt: string; expireAt: string; id: string; ipAccessList: Shown<{ description: string; source: string }>[]; keySuffix: string; name: string; roles: string[]; state: string; usedAt: string }>;
export type Dashboard = Shown<{ containers: PropertyMap[]; filters: Shown<{ appliesToSourceIds: string[]; expression: string; isBroadcastEnabled: boolean; isGlobalRequirement: boolean; isVariableEnabled: boolean; maxSelections: number; minSelections: number; name: string; sourceId: string; sourceMetricType: string; type: string; variableName: string; where: string; whereLanguage: string; id: string; options: string[]; label: string; match: string }>[]; id: string; name: string; savedFilterValues: Shown<{ condition: string; type: string; all: boolean; name: string; values: string[] }>[]; savedQuery: string; savedQueryLanguage: string; tags: string[]; tiles: PropertyMap[] }>;
export type Invitation = Shown<{ assignedRoles: Shown<{ roleId: string; roleName: string; roleType: string }>[]; createdAt: string; email: string; expireAt: string; id: string; role: string }>;
export type Member = Shown<{ assignedRoles: Shown<{ roleId: string; roleName: string; roleType: string }>[]; email: string; joinedAt: string; name: string; role: string; userId: string }>;
export type Pipe = Shown<{ createdAt: string; destination: PropertyMap; fieldMappings: Shown<{ destinationField: string; sourceField: string }>[]; id: string; name: string; scaling: Shown<{ concurrency: number; replicaCpuMillicores: number; replicaMemoryGb: number; replicas: number }>; serviceId: string; settings: Shown<{ engine_max_download_threads: number; engine_max_insert_threads: number; engine_max_threads: number; engine_min_insert_block_size_bytes: number; engine_parallel_distributed_insert_select: number; engine_parallel_view_processing: boolean; kafka_read_committed: boolean; object_storage_concurrency: number; object_storage_max_file_count: number; object_storage_max_insert_bytes: number; object_storage_polling_interval_ms: number; object_storage_use_cluster_function: boolean; streaming_max_insert_wait_ms: number }>; source: PropertyMap; state: string; updatedAt: string }>;
export type PipeCdcScaling = Shown<{ replicaCpuMillicores: number; replicaMemoryGb: number }>;
export type PrivateEndpoint = Shown<{ cloudProvider: string; description: string; id: string; region: string }>;
export type ReversePrivateEndpoint = Shown<{ customPrivateDnsMappings: Shown<{ privateDnsName: string; targetId: string }>[]; description: string; dnsNames: string[]; dnsTargets: Shown<{ id: string; internalDnsName: string; kind: string }>[]; endpointId: string; gcpServiceAttachment: string; id: string; mskAuthentication: string; mskClusterArn: string; privateDnsMappings: Shown<{ internalDnsName: string; privateDnsName: string }>[]; privateDnsNames: string[]; serviceId: string; status: string; type: string; vpcEndpointServiceName: string; vpcResourceConfigurationId: string; vpcResourceShareArn: string }>;
export type Role = Shown<{ actors: string[]; createdAt: string; id: string; name: string; ownerId: string; policies: PropertyMap[]; tenantId: string; type: string; updatedAt: string }>;
export type SavedSearch = Shown<{ createdAt: string; filters: Shown<{ condition: string; type: string }>[]; id: string; name: string; orderBy: string; select: string; sourceId: string; tags: string[]; team: string; updatedAt: string; where: string; whereLanguage: string }>;
export type Service = Shown<{ autoscalingMode: string; availablePrivateEndpointIds: string[]; byocId: string; engineVersion: string; complianceType: string; createdAt: string; currentScaling: Shown<{ activeEntryId: string; effectiveAutoscalingMode: string; effectiveIdleScaling: boolean; effectiveIdleTimeoutMinutes: number; effectiveMaxReplicaMemoryGb: number; effectiveMaxReplicas: number; effectiveMinReplicaMemoryGb: number; effectiveMinReplicas: number }>; dataWarehouseId: string; enableCoreDumps: boolean; encryptionAssumedRoleIdentifier: string; encryptionKey: string; encryptionRoleId: string; endpoints: Shown<{ host: string; port: number; protocol: string; username: string }>[]; hasTransparentDataEncryption: boolean; iamRole: string; id: string; idleScaling: boolean; idleTimeoutMinutes: number; ipAccessList: Shown<{ description: string; source: string }>[]; isPrimary: boolean; isReadonly: boolean; maxReplicaMemoryGb: number; maxReplicas: number; maxTotalMemoryGb: number; minReplicaMemoryGb: number; minReplicas: number; minTotalMemoryGb: number; name: string; numReplicas: number; privateEndpointIds: string[]; profile: string; provider: string; region: string; releaseChannel: string; replicaMemoryGb: number; scalingSchedule: PropertyMap; state: string; tags: Shown<{ key: string; value: string }>[]; tier: string; transparentDataEncryptionKeyId: string }>;
export type ServiceSettings = Shown<{ settings: Shown<{ name: string; value: string | number }>[] }>;
export type ServiceSettingsSchema = Shown<{ settings: Shown<{ deprecationNotice: string; description: string; enum: number[]; example: string; name: string; type: string; warning: string }>[] }>;
export type Whoami = Shown<{ actorType: string; email: string; name: string; organizations: Shown<{ organizationId: string; organizationName: string }>[]; userId: string; keyId: string; organizationId: string }>;

/** The type of the object in an operation's answer, or of each object in its list. */
export interface AnsweredObjects {
  whoami: Whoami;
  listPipes: Pipe;
  getPipe: Pipe;
  listReversePrivateEndpoints: ReversePrivateEndpoint;
  updateScaling: Service;
  getService: Service;
  listKeys: ApiKey;
  getKey: ApiKey;
  updateKey: ApiKey;
  listDashboards: Dashboard;
  createDashboard: Dashboard;
  getDashboard: Dashboard;
  updateDashboard: Dashboard;
  listAlerts: Alert;
  createAlert: Alert;
  getAlert: Alert;
  updateAlert: Alert;
  listSavedSearches: SavedSearch;
  createSavedSearch: SavedSearch;
  getSavedSearch: SavedSearch;
  updateSavedSearch: SavedSearch;
  createPipe: Pipe;
  updatePipe: Pipe;
  updatePipeTables: Pipe;
  updatePipeScaling: Pipe;
  updatePipeState: Pipe;
  resyncPipe: Pipe;
  getPipeCdcScaling: PipeCdcScaling;
  updatePipeCdcScaling: PipeCdcScaling;
  createReversePrivateEndpoint: ReversePrivateEndpoint;
  getReversePrivateEndpoint: ReversePrivateEndpoint;
  updateReversePrivateEndpoint: ReversePrivateEndpoint;
  listServices: Service;
  updateService: Service;
  updateServiceState: Service;
  getServiceSettings: ServiceSettings;
  getServiceSettingsSchema: ServiceSettingsSchema;
  createPrivateEndpoint: PrivateEndpoint;
  listActivities: Activity;
  listRoles: Role;
  createRole: Role;
  getRole: Role;
  updateRole: Role;
  listMembers: Member;
  getMember: Member;
  updateMember: Member;
  listInvitations: Invitation;
  createInvitation: Invitation;
}
