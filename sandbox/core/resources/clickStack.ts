import { notFound } from "../apiError";
import type { Identifiers } from "../identifiers";
import type { Records } from "../records";
import type { Route } from "../routes";
import { connections } from "./connections";
import { services } from "./services";
import { sources, sourcesOfOtel } from "./sources";

/**
 * Does what ClickHouse Cloud does when a person opens ClickStack in the console of a service for the first time: the service
 * gets its connection, which no request of the API makes, and sources of the tables that an OpenTelemetry collector fills. A
 * new service has neither.
 */
export function openClickStack(store: Records, serviceId: string, ids: Identifiers, now: number): void {
  const service = store.of(services).get(serviceId);
  if (!service) throw notFound("service not found");
  if (store.ofService(connections, serviceId).length > 0) return;
  const at = new Date(now).toISOString();
  const connection = {
    ...{ id: ids.object(now), serviceId, name: "Default", host: `https://${serviceId}.example.com:8443` },
    ...{ username: "default", password: "", createdAt: at, updatedAt: at },
  };
  store.write(connections, connection);
  const made = sourcesOfOtel(serviceId, connection.id, [ids.object(now), ids.object(now), ids.object(now)]);
  for (const source of made) store.write(sources, source);
}

/** The console's request to open ClickStack. */
export function opening(store: Records, ids: Identifiers): Route {
  return {
    method: "POST",
    path: "",
    run: ({ service, now }) => openClickStack(store, service.id, ids, now),
  };
}
