export { type Credentials, seededCredentials } from "./core/credentials";
export type { FaultDefinition } from "./core/faults/definition";
export { type Fault, faultSchema } from "./core/faults/fault";
export { type FaultKind, faultKindNames, faultKinds } from "./core/faults/kinds";
export type { ActiveFault, Faults } from "./core/faults/script";
export type { IpAccess } from "./core/ipAccess";
export type { JournalEntry } from "./core/journal";
export { type OperationName, operationNames } from "./core/operations";
export type { RateLimit } from "./core/rateLimit";
export type { Organization } from "./core/records";
export type { ApiName } from "./core/request";
export type { AccessToken } from "./core/resources/accessTokens";
export type * from "./core/resources/alertRecords";
export type { BackupBucket } from "./core/resources/backupBuckets";
export type { ClickStackRole } from "./core/resources/clickStackRoles";
export type { Connection } from "./core/resources/connections";
export type * from "./core/resources/dashboardRecords";
export type { Invitation } from "./core/resources/invitations";
export type { ApiKey, KeyRole, KeyState } from "./core/resources/keys";
export type { Member } from "./core/resources/members";
export type {
  KafkaSource,
  KinesisSource,
  ObjectStorageSource,
  Pipe,
  PipeSettings,
  PostgresSource,
} from "./core/resources/pipeRecords";
export type { PostgresService } from "./core/resources/postgresRecords";
export type { QueryApiEndpoint } from "./core/resources/queryApiEndpoints";
export type { QueryEndpoint, QueryEndpointRole } from "./core/resources/queryEndpoints";
export type { CollectionName, RecordOf } from "./core/resources/registry";
export type { ReversePrivateEndpoint } from "./core/resources/reversePrivateEndpoints";
export type { AssignedRole, Policy, Role } from "./core/resources/roleRecords";
export type { SavedQuery } from "./core/resources/savedQueries";
export type { SavedSearch } from "./core/resources/savedSearches";
export type { Service } from "./core/resources/serviceRecords";
export type { Source } from "./core/resources/sources";
export type { SshTunnel } from "./core/resources/sshTunnels";
export type { UdfAttachment } from "./core/resources/udfAttachments";
export type { Udf, UdfVersion } from "./core/resources/udfs";
export type { Webhook } from "./core/resources/webhooks";
export { type Rewrite, rewriteNames } from "./core/rewrites";
export type { Store, StoreContents } from "./core/store";
export type { Dialect, Version } from "./core/vocabulary";
export type { SandboxOptions } from "./http/options";
export { createSandbox, type Sandbox } from "./http/sandbox";
export type { RequestMoment, Watcher } from "./http/watchers";
