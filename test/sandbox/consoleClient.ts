import type { ConsoleSnapshot, NewRequests } from "../../sandbox/http/console/snapshot";
import type { Sandbox } from "../../sandbox/index";
import { Client } from "./requests";

export const consoleHeader = { "x-sandbox-console": "1" };

export async function listen(url: string, headers: Record<string, string> = {}) {
  const leaving = new AbortController();
  const response = await fetch(`${url}/events`, { headers, signal: leaving.signal });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = "";
  const next = async <Data>(kind: string): Promise<Data> => {
    for (;;) {
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const event = text.slice(0, end);
        text = text.slice(end + 2);
        const [, data] = new RegExp(`^event: ${kind}\ndata: (.*)$`, "m").exec(event) ?? [];
        if (data !== undefined) return JSON.parse(data);
      }
      const { value, done } = await reader.read();
      if (done) throw new Error(`the console ended before an event ${kind}`);
      text += decoder.decode(value, { stream: true });
    }
  };
  return {
    response,
    snapshot: () => next<ConsoleSnapshot>("snapshot"),
    requests: () => next<NewRequests>("requests"),
    leave: () => leaving.abort(),
  };
}

export function useConsole() {
  let client: Client<Sandbox>;
  before(async () => {
    client = await Client.start({ consolePort: 0 });
  });
  beforeEach(async () => {
    await client.sandbox.faults.clear();
    await client.sandbox.reset();
  });
  after(() => client.sandbox.close());
  return {
    get client() {
      return client;
    },
    get url() {
      return client.sandbox.consoleUrl;
    },
    get service() {
      return `${client.sandbox.consoleUrl}/services/${client.sandbox.credentials.serviceId}`;
    },
  };
}
