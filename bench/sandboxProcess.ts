/**
 * This program runs a sandbox in its own process, so that its CPU time does not count as the CLI's. The parent process sends
 * one message at a time and gets one answer to each.
 */
import { createSandbox, type Sandbox } from "../sandbox/index";

/**
 * The messages to the process of the sandbox. `start` starts the sandbox anew and is answered with its address and ids;
 * `takeRequests` is answered with the number of requests since the last call.
 */
export type SandboxRequest = "start" | "takeRequests";

let sandbox: Sandbox | undefined;

process.on("message", async (request: SandboxRequest) => {
  process.send?.(request === "start" ? await start() : (sandbox?.requests.splice(0).length ?? 0));
});
process.on("disconnect", () => process.exit());

async function start(): Promise<Record<string, string>> {
  await sandbox?.close();
  sandbox = await createSandbox();
  const { organizationId, serviceId, keyId, keySecret, accessToken } = sandbox.credentials;
  return {
    PIPESTACK_BASE_URL: sandbox.baseUrl,
    PIPESTACK_OBS_BASE_URL: sandbox.obsBaseUrl,
    PIPESTACK_ORGANIZATION_ID: organizationId,
    PIPESTACK_SERVICE_ID: serviceId,
    PIPESTACK_KEY_ID: keyId,
    PIPESTACK_KEY_SECRET: keySecret,
    PIPESTACK_ACCESS_TOKEN: accessToken,
    BENCH_WEBHOOK: [...sandbox.store.webhooks.keys()][0] ?? "",
  };
}
