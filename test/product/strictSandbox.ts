import { startSandbox } from "../../sandbox/http/sandbox";
import type { RecordOf, Sandbox, Store } from "../../sandbox/index";
import { judge } from "../strictProduct/judge";

/** A sandbox of the product that refuses what its documents do not name, and holds little. */
export interface StrictProduct
  extends Pick<Store, "dashboards" | "alerts" | "sources" | "webhooks" | "savedSearches" | "connections"> {
  readonly sandbox: Sandbox;
  /** Method, path and status of every request, oldest first. */
  readonly lines: string[];
  readonly service: RecordOf<"services">;
  /** Those that the program made: not the one that signs. */
  readonly keys: Map<string, RecordOf<"keys">>;
  readonly queryEndpoint: RecordOf<"queryEndpoints"> | undefined;
  close(): Promise<void>;
}

/** Starts one with a source and its connection. */
export async function startStrictProduct(): Promise<StrictProduct> {
  const sandbox = await startSandbox({ dialect: "clickhouse" }, judge);
  const { store, credentials } = sandbox;
  const { organizationId, serviceId } = credentials;
  const { dashboards, alerts, sources, webhooks, savedSearches, connections } = store;
  const [, ...furtherSources] = sources.keys();
  for (const id of furtherSources) sources.delete(id);
  for (const records of [webhooks, savedSearches]) records.clear();
  const [signing] = store.keys.keys();
  return {
    ...{ sandbox, dashboards, alerts, sources, webhooks, savedSearches, connections },
    get lines() {
      const base = new RegExp(`^/v1/organizations/${organizationId}(/services/${serviceId})?`);
      return sandbox.requests.map(
        ({ method, path, status }) => `${method} ${path.replace(base, "")} ${status}`,
      );
    },
    get service() {
      return store.services.get(serviceId) as RecordOf<"services">;
    },
    get keys() {
      return new Map([...store.keys].filter(([id]) => id !== signing));
    },
    get queryEndpoint() {
      return store.queryEndpointOf(serviceId);
    },
    close: () => sandbox.close(),
  };
}
