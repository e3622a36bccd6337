import type { SandboxContext } from "../context";
import type { JournalEntry } from "../journal";
import type { Alert, Pipe } from "../records";
import { isRange } from "../vocabulary";

/** The console cuts longer bodies. */
const longestBody = 4000;

/** What the console shows. Members are named one by one, so that no hash, encryption key, connection string or webhook URL is among them. */
export function snapshotOf({ store, vocabulary, faults }: SandboxContext) {
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
    pipes: [...store.pipes.values()].map(describePipe),
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
    alerts: [...store.alerts.values()].map(describeAlert),
    sources: [...store.sources.values()].map(({ id, serviceId, name, kind }) => ({
      id,
      serviceId,
      name,
      kind,
    })),
    faults: faults.list(),
    thresholdTypes: vocabulary.thresholdTypes,
    webhooks: [...store.webhooks.values()].map(({ id, serviceId, name }) => ({ id, serviceId, name })),
  };
}

function describePipe({ id, serviceId, name, state, source, destination, scaling }: Pipe) {
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

/** An alert without what it kept from an earlier source or threshold type: updates keep members that they do not name. */
function describeAlert({ dashboard, tileId, savedSearch, groupBy, thresholdMax, ...alert }: Alert): Alert {
  return {
    ...alert,
    ...(alert.source === "tile" ? { dashboard, tileId } : { savedSearch, groupBy }),
    ...(isRange(alert.thresholdType) && { thresholdMax }),
  };
}

/** A request as the console shows it. The journal has redacted its secrets. */
export function describeRequest({ requestBody, keyId, ...entry }: JournalEntry) {
  const body = requestBody === undefined ? undefined : JSON.stringify(requestBody, undefined, 2);
  return {
    ...entry,
    body: body && body.length > longestBody ? `${body.slice(0, longestBody)}\n… (cut)` : body,
  };
}

export type ConsoleSnapshot = ReturnType<typeof snapshotOf>;
export type ConsoleRequest = ReturnType<typeof describeRequest>;

/** New entries of the journal, oldest first. */
export interface NewRequests {
  /** Whether they replace those sent before, because the journal was emptied. */
  isReset: boolean;
  requests: ConsoleRequest[];
}
