/**
 * A sandbox in a process of its own, so that its CPU time is not counted as the CLI's. The parent process sends one
 * message at a time and gets one answer to each.
 */
import { type AddressInfo, createServer, connect as openSocket, type Server } from "node:net";
import { pipeline, Transform } from "node:stream";
import { createSandbox, type Sandbox } from "../sandbox/index";

/** How to start the sandbox. */
export interface SandboxStart {
  /** Number of services to add. */
  services: number;
  /** Delay of each request, in milliseconds. */
  latency: number;
}

export type SandboxRequest = { start: SandboxStart } | "takeRequests";

/** What a program needs to know of the sandbox: the settings as environment variables, and ids of records. */
export interface SandboxFacts {
  environment: Record<string, string>;
  /** Ids of the added services. */
  services: string[];
  webhookId: string;
}

let sandbox: Sandbox | undefined;
const proxies: Server[] = [];

process.on("message", async (request: SandboxRequest) => {
  if (request === "takeRequests") process.send?.(sandbox?.requests.splice(0).length ?? 0);
  else process.send?.(await start(request.start));
});
process.on("disconnect", () => process.exit());

async function start({ services, latency }: SandboxStart): Promise<SandboxFacts> {
  await sandbox?.close();
  for (const proxy of proxies.splice(0)) proxy.close();
  sandbox = await createSandbox();
  const ids = addServices(sandbox, services);
  const { organizationId, serviceId, keyId, keySecret, accessToken } = sandbox.credentials;
  return {
    environment: {
      PIPESTACK_BASE_URL: await delayed(sandbox.baseUrl, latency),
      PIPESTACK_OBS_BASE_URL: await delayed(sandbox.obsBaseUrl, latency),
      PIPESTACK_ORGANIZATION_ID: organizationId,
      PIPESTACK_SERVICE_ID: serviceId,
      PIPESTACK_KEY_ID: keyId,
      PIPESTACK_KEY_SECRET: keySecret,
      PIPESTACK_ACCESS_TOKEN: accessToken,
    },
    services: ids,
    webhookId: [...sandbox.store.webhooks.keys()][0] ?? "",
  };
}

/** Adds copies of the second service, since the first is the primary one of its warehouse. */
function addServices({ store, credentials }: Sandbox, count: number): string[] {
  const model = store.services.get(credentials.secondServiceId);
  const ids = Array.from(
    { length: count },
    (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
  );
  if (model)
    for (const id of ids) store.services.set(id, { ...structuredClone(model), id, name: `service ${id}` });
  return ids;
}

/** The address of a proxy that delays each request by `latency` milliseconds. */
async function delayed(address: string, latency: number): Promise<string> {
  if (latency === 0) return address;
  const { hostname, port } = new URL(address);
  const proxy = createServer((client) => {
    const server = openSocket(Number(port), hostname);
    pipeline(client, later(latency), server, client, () => {});
  });
  proxies.push(proxy);
  await new Promise<void>((listening) => proxy.listen(0, hostname, listening));
  return `http://${hostname}:${(proxy.address() as AddressInfo).port}`;
}

function later(latency: number): Transform {
  return new Transform({
    transform(chunk, _encoding, done) {
      setTimeout(() => done(null, chunk), latency);
    },
  });
}
