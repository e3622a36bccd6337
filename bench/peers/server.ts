import { createSandbox, type Sandbox } from "../../sandbox/index";
import type { Used } from "./programs";

/** A server with HyperDX's API, which all compared providers use with the same objects and credentials. */
export interface Server {
  readonly sandbox: Sandbox;
  readonly used: Used;
  /**
   * The environment variables by which all compared providers find the server. They lift ClickHouse Cloud's known rate limits,
   * since the sandbox has none.
   */
  readonly environment: Record<string, string>;
}

export async function startServer(): Promise<Server> {
  const sandbox = await createSandbox({ dialect: "clickhouse", apis: "observability" });
  const { store, obsBaseUrl, credentials } = sandbox;
  return {
    sandbox,
    used: {
      webhookId: firstId(store.webhooks),
      savedSearchId: firstId(store.savedSearches),
      sourceId: firstId(store.sources),
    },
    environment: {
      ...{ PIPESTACK_DIALECT: "clickhouse", PIPESTACK_OBSERVABILITY_VIA: "observability" },
      ...{ PIPESTACK_OBS_BASE_URL: obsBaseUrl, PIPESTACK_ACCESS_TOKEN: credentials.accessToken },
      PIPESTACK_REQUESTS_PER_SECOND: "1000",
      ...{ CLICKSTACK_ENDPOINT: obsBaseUrl, CLICKSTACK_API_KEY: credentials.accessToken },
    },
  };
}

function firstId(records: ReadonlyMap<string, unknown>): string {
  const [id] = records.keys();
  if (id === undefined) throw new Error("the sandbox has no sample data of a kind that the programs use");
  return id;
}
