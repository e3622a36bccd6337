import type { JournalEntry } from "../journal";
import type { Alert, Pipe } from "../records";
import type { Shared } from "../sandbox";
import { isRange } from "../words";

/** Longer bodies are cut in the console. */
const longestBody = 4000;

/**
 * What the console shows, member by member: hashes, keys of encryption, connection strings and addresses of webhooks are not among
 * them.
 */
export function viewOf({ store, words, faults }: Shared) {
  return {
    organization: store.organization.name,
    services: [...store.services.values()].map((service) => ({
      id: service.id,
      name: service.name,
      engineVersion: service.engineVersion,
      isPrimary: service.isPrimary,
      endpoints: service.endpoints,
      numReplicas: service.numReplicas,
      minReplicaMemoryGb: service.minReplicaMemoryGb,
      maxReplicaMemoryGb: service.maxReplicaMemoryGb,
      idleScaling: service.idleScaling,
      idleTimeoutMinutes: service.idleTimeoutMinutes,
    })),
    keys: [...store.keys.values()].map((key) => ({
      id: key.id,
      name: key.name,
      state: key.state,
      roles: key.roles,
      keySuffix: key.keySuffix,
      createdAt: key.createdAt,
      expireAt: key.expireAt,
      usedAt: key.usedAt,
      ipAccessList: key.ipAccessList,
    })),
    queryEndpoints: [...store.queryEndpoints.values()],
    pipes: [...store.pipes.values()].map(viewOfPipe),
    reversePrivateEndpoints: [...store.reversePrivateEndpoints.values()].map((endpoint) => ({
      id: endpoint.id,
      serviceId: endpoint.serviceId,
      description: endpoint.description,
      type: endpoint.type,
      endpointId: endpoint.endpointId,
      dnsNames: endpoint.dnsNames,
      status: endpoint.status,
    })),
    dashboards: [...store.dashboards.values()],
    alerts: [...store.alerts.values()].map(viewOfAlert),
    sources: [...store.sources.values()].map(({ id, serviceId, name, kind }) => ({
      id,
      serviceId,
      name,
      kind,
    })),
    faults: faults.list(),
    thresholdTypes: words.thresholdTypes,
    webhooks: [...store.webhooks.values()].map(({ id, serviceId, name }) => ({ id, serviceId, name })),
  };
}

function viewOfPipe({ id, serviceId, name, state, source, destination, scaling }: Pipe) {
  const { kafka, objectStorage, kinesis, postgres } = source;
  const [kind, from] = kafka
    ? ["Kafka", `${kafka.topics} of ${kafka.brokers}`]
    : objectStorage
      ? ["Object storage", objectStorage.path]
      : kinesis
        ? ["Kinesis", `${kinesis.streamName} in ${kinesis.region}`]
        : postgres
          ? ["Postgres", `${postgres.database} on ${postgres.host}`]
          : ["Other", ""];
  return {
    id,
    serviceId,
    name,
    state,
    kind,
    from,
    to: `${destination.database}.${destination.table}`,
    replicas: scaling.replicas,
  };
}

/** An alert without what it has kept of a former kind: a change leaves alone what it does not name. */
function viewOfAlert({ dashboard, tileId, savedSearch, groupBy, thresholdMax, ...alert }: Alert): Alert {
  return {
    ...alert,
    ...(alert.source === "tile" ? { dashboard, tileId } : { savedSearch, groupBy }),
    ...(isRange(alert.thresholdType) && { thresholdMax }),
  };
}

/** A request as the console shows it. The journal holds no secrets. */
export function viewOfRequest({ requestBody, keyId, ...entry }: JournalEntry) {
  const body = requestBody === undefined ? undefined : JSON.stringify(requestBody, undefined, 2);
  return {
    ...entry,
    body: body && body.length > longestBody ? `${body.slice(0, longestBody)}\n… (cut)` : body,
  };
}

export type ConsoleView = ReturnType<typeof viewOf>;
export type ConsoleRequest = ReturnType<typeof viewOfRequest>;

/** Newly answered requests, oldest first. */
export interface NewRequests {
  /** Whether these take the place of those sent before: the journal was emptied. */
  afresh: boolean;
  requests: ConsoleRequest[];
}
