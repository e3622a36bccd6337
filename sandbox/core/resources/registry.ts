import { accessTokens } from "./accessTokens";
import { activities } from "./activities";
import { alerts } from "./alerts";
import { backupBuckets } from "./backupBuckets";
import { caller } from "./caller";
import { chartSeries } from "./chartSeries";
import { clickStackRoles } from "./clickStackRoles";
import { connections } from "./connections";
import { dashboards } from "./dashboards";
import { invitations } from "./invitations";
import { keys } from "./keys";
import { members } from "./members";
import { organizations } from "./organizations";
import { pipeCdcScaling } from "./pipeCdcScaling";
import { pipes } from "./pipes";
import { postgresServices } from "./postgresServices";
import { queryApiEndpoints } from "./queryApiEndpoints";
import { queryEndpoints } from "./queryEndpoints";
import type { Resource } from "./resource";
import { reversePrivateEndpoints } from "./reversePrivateEndpoints";
import { roles } from "./roles";
import { savedQueries } from "./savedQueries";
import { savedSearches } from "./savedSearches";
import { scalingSchedules } from "./scalingSchedules";
import { services } from "./services";
import { sources } from "./sources";
import { sshTunnels } from "./sshTunnels";
import { udfAttachments } from "./udfAttachments";
import { udfs } from "./udfs";
import { udfUploads } from "./udfUploads";
import { webhooks } from "./webhooks";

export const resources = {
  caller,
  organizations,
  activities,
  keys,
  roles,
  members,
  invitations,
  services,
  backupBuckets,
  scalingSchedules,
  queryEndpoints,
  pipes,
  pipeCdcScaling,
  reversePrivateEndpoints,
  sshTunnels,
  postgresServices,
  udfUploads,
  udfs,
  udfAttachments,
  savedQueries,
  queryApiEndpoints,
  dashboards,
  alerts,
  connections,
  sources,
  webhooks,
  savedSearches,
  clickStackRoles,
  chartSeries,
  accessTokens,
} as const satisfies Record<string, Resource>;

type Resources = typeof resources;

/** The names of the collections of records. A resource type whose objects the sandbox does not store has no collection. */
export type CollectionName = {
  [Name in keyof Resources]: Resources[Name] extends { seed(dialect: never): object[] } ? Name : never;
}[keyof Resources];

export type RecordOf<Name extends CollectionName> = ReturnType<Resources[Name]["seed"]>[number];

export const collectionNames = (Object.keys(resources) as (keyof Resources)[]).filter(
  (name): name is CollectionName => "seed" in resources[name],
);
