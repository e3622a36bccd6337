import { Client } from "./requests";

export const sourceId = "65f1c0a2b3d4e5f607182911";
export const traceSourceId = "65f1c0a2b3d4e5f607182912";
export const savedSearchId = "65f1c0a2b3d4e5f607182931";
/** An id that nothing has. */
export const unknownId = "65f1c0a2b3d4e5f6071829ff";

export const webhook = { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182921" };

/** A valid alert for both APIs. */
export const alert = {
  source: "saved_search",
  savedSearchId,
  threshold: 1,
  thresholdType: "above",
  interval: "5m",
  channel: webhook,
};

/** Which API a request goes to. */
export const apis = ["management", "observability"] as const;
export type Api = (typeof apis)[number];

/** A sandbox in the dialect of the product, reset before each test of the surrounding `describe`. */
export function useProduct() {
  const product = {} as { client: Client };
  before(async () => {
    product.client = Client.inProcess({ dialect: "clickhouse" });
  });
  beforeEach(() => product.client.sandbox.reset());
  after(() => product.client.sandbox.close());
  return {
    get client(): Client {
      return product.client;
    },
    /** Sends a request about dashboards, alerts and the like to one of the APIs. */
    async send(api: Api, method: string, path: string, body?: unknown) {
      const answer =
        api === "management"
          ? await product.client.service(method, `/clickstack${path}`, body)
          : await product.client.observability(method, path, body);
      const payload = answer.body?.result ?? answer.body?.data;
      return { ...answer, payload, reason: answer.body?.error ?? answer.body?.message };
    },
  };
}
