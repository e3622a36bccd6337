/**
 * A sandbox in a process of its own, so that its CPU time is not counted as the CLI's. The parent process sends one
 * message at a time and gets one answer to each.
 */
import { createSandbox, type Sandbox } from "../sandbox/index";

/** Starts the sandbox anew with so many further services, or takes the number of requests since the last time. */
export type SandboxRequest = { readonly start: number } | "takeRequests";

/** What a program needs to know of the sandbox: the settings as environment variables, and ids of records. */
export interface SandboxFacts {
  environment: Record<string, string>;
  /** Ids of the added services. */
  services: string[];
  webhookId: string;
}

let sandbox: Sandbox | undefined;

process.on("message", async (request: SandboxRequest) => {
  if (request === "takeRequests") process.send?.(sandbox?.requests.splice(0).length ?? 0);
  else process.send?.(await start(request.start));
});
process.on("disconnect", () => process.exit());

async function start(services: number): Promise<SandboxFacts> {
  await sandbox?.close();
  sandbox = await createSandbox();
  const ids = addServices(sandbox, services);
  const { organizationId, serviceId, keyId, keySecret, accessToken } = sandbox.credentials;
  return {
    environment: {
      PIPESTACK_BASE_URL: sandbox.baseUrl,
      PIPESTACK_OBS_BASE_URL: sandbox.obsBaseUrl,
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
