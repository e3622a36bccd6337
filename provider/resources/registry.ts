import { alertResource } from "./alert/alert";
import { alertSetResource } from "./alert/alertSet";
import { apiKeyResource } from "./apiKey/apiKey";
import { backupBucketResource } from "./backupBucket/backupBucket";
import { backupConfigurationResource } from "./backupConfiguration/backupConfiguration";
import { clickStackRoleResource } from "./clickStackRole/clickStackRole";
import { connectionResource } from "./connection/connection";
import { dashboardResource } from "./dashboard/dashboard";
import { withDependents } from "./dependents";
import { memberResource } from "./member/member";
import { organizationSettingsResource } from "./organizationSettings/organizationSettings";
import { pipeResource } from "./pipe/pipe";
import { pipeCdcScalingResource } from "./pipeCdcScaling/pipeCdcScaling";
import { postgresServiceResource } from "./postgresService/postgresService";
import { privateEndpointResource } from "./privateEndpoint/privateEndpoint";
import { queryApiEndpointResource } from "./queryApiEndpoint/queryApiEndpoint";
import { queryEndpointResource } from "./queryEndpoint/queryEndpoint";
import { replicaAwareRoutingResource } from "./replicaAwareRouting/replicaAwareRouting";
import { reversePrivateEndpointResource } from "./reversePrivateEndpoint/reversePrivateEndpoint";
import { roleResource } from "./role/role";
import { roleAssignmentResource } from "./roleAssignment/roleAssignment";
import { savedQueryResource } from "./savedQuery/savedQuery";
import { savedSearchResource } from "./savedSearch/savedSearch";
import { serviceResource } from "./service/service";
import { serviceScalingResource } from "./serviceScaling/serviceScaling";
import { serviceScalingScheduleResource } from "./serviceScalingSchedule/serviceScalingSchedule";
import { serviceSettingsResource } from "./serviceSettings/serviceSettings";
import { snapshotConfigurationResource } from "./snapshotConfiguration/snapshotConfiguration";
import { sourceResource } from "./source/source";
import { sourceLinksResource } from "./source/sourceLinks";
import { sshTunnelResource } from "./sshTunnel/sshTunnel";
import { udfResource } from "./udf/udf";
import { udfAttachmentResource } from "./udfAttachment/udfAttachment";
import { upgradeWindowResource } from "./upgradeWindow/upgradeWindow";
import { webhookResource } from "./webhook/webhook";

/**
 * All resource types by name. A type comes before the types that refer to it. A new type is best added at the end: if several
 * types have the same structure, the package schema names it after the first of them.
 */
export const resources = withDependents({
  Role: roleResource,
  ServiceScaling: serviceScalingResource,
  ServiceScalingSchedule: serviceScalingScheduleResource,
  ApiKey: apiKeyResource,
  QueryEndpoint: queryEndpointResource,
  QueryApiEndpoint: queryApiEndpointResource,
  SavedQuery: savedQueryResource,
  Webhook: webhookResource,
  Connection: connectionResource,
  Source: sourceResource,
  Dashboard: dashboardResource,
  SavedSearch: savedSearchResource,
  ClickStackRole: clickStackRoleResource,
  Alert: alertResource,
  Service: serviceResource,
  BackupConfiguration: backupConfigurationResource,
  SnapshotConfiguration: snapshotConfigurationResource,
  ReplicaAwareRouting: replicaAwareRoutingResource,
  UpgradeWindow: upgradeWindowResource,
  ServiceSettings: serviceSettingsResource,
  PrivateEndpoint: privateEndpointResource,
  ReversePrivateEndpoint: reversePrivateEndpointResource,
  SshTunnel: sshTunnelResource,
  Pipe: pipeResource,
  PipeCdcScaling: pipeCdcScalingResource,
  Member: memberResource,
  RoleAssignment: roleAssignmentResource,
  SourceLinks: sourceLinksResource,
  OrganizationSettings: organizationSettingsResource,
  BackupBucket: backupBucketResource,
  PostgresService: postgresServiceResource,
  Udf: udfResource,
  UdfAttachment: udfAttachmentResource,
});

export type TypeName = keyof typeof resources;

/** The types that keep many objects of another type (set resources such as `AlertSet`), by name. */
export const sets = { AlertSet: alertSetResource } as const;

/** All resource types that a program can declare. */
export const declarable = { ...resources, ...sets } as const;

export type DeclarableName = keyof typeof declarable;

/** The names of all resource types except sets. A type comes before the types that refer to it. */
export const typeNames = Object.keys(resources) as readonly TypeName[];
