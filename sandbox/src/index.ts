export { type Credentials, seededCredentials } from "./credentials";
export { type Fault, faultSchema } from "./faults/fault";
export { type FaultDefinition, type FaultKind, faultKindNames, faultKinds } from "./faults/kinds";
export type { ActiveFault, Faults } from "./faults/script";
export type { IpAccess } from "./ipAccess";
export type { JournalEntry } from "./journal";
export { type ApiName, type OperationName, operationNames } from "./operations";
export type { SandboxOptions } from "./options";
export type { RateLimit } from "./rateLimit";
export type { Organization } from "./records";
export type { AccessToken } from "./resources/accessTokens";
export type {
  Alert,
  AlertChannel,
  AlertSource,
} from "./resources/alertRecords";
export type { Connection } from "./resources/connections";
export type {
  BodyFailure,
  Dashboard,
  DashboardContainer,
  DashboardFilter,
  Tile,
  TileBody,
  TileSeries,
} from "./resources/dashboardRecords";
export type { ApiKey, KeyRole, KeyState } from "./resources/keys";
export type {
  KafkaSource,
  KinesisSource,
  ObjectStorageSource,
  Pipe,
  PipeSettings,
  PostgresSource,
} from "./resources/pipeRecords";
export type { QueryEndpoint, QueryEndpointRole } from "./resources/queryEndpoints";
export type { CollectionName, RecordOf } from "./resources/registry";
export type { ReversePrivateEndpoint } from "./resources/reversePrivateEndpoints";
export type { Role } from "./resources/roles";
export type { SavedSearch } from "./resources/savedSearches";
export type { Service } from "./resources/serviceRecords";
export type { Source } from "./resources/sources";
export type { Webhook } from "./resources/webhooks";
export { type Rewrite, rewriteNames } from "./rewrites";
export { createSandbox, type Sandbox } from "./sandbox";
export type { Store, StoreContents } from "./store";
export type { Dialect } from "./vocabulary";
export type { RequestMoment, Watcher } from "./watchers";
