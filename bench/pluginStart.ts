import { spawn } from "node:child_process";
import { once } from "node:events";
import { type Client, credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { CheckRequest, ConfigureRequest, ReadRequest } from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";

/** Milliseconds from the start of the plugin's process, each measured to the answer. */
export interface PluginStart {
  /** Milliseconds until the plugin has printed its port. */
  readonly port: number;
  /** Milliseconds of the first check of a dashboard. */
  readonly check: number;
  /** Milliseconds of the first read, of a dashboard that does not exist. */
  readonly read: number;
}

const inputs = {
  name: "Overview",
  tiles: [{ name: "Errors", x: 0, y: 0, w: 12, h: 4, series: [{ type: "number", aggFn: "count" }] }],
};

/** Starts the plugin as the engine does, and takes the time of its first answers. */
export async function timePluginStart(
  [program = "", ...args]: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<PluginStart> {
  const started = performance.now();
  const plugin = spawn(program, [...args, "127.0.0.1:1"], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(plugin.stdout, "data");
  const port = performance.now() - started;
  const client = new ResourceProviderClient(`127.0.0.1:${Number(line)}`, credentials.createInsecure());
  const urn = "urn:pulumi:dev::bench::pipestack:index:Dashboard::overview";
  const news = Struct.fromJavaScript(inputs);
  try {
    await call(client, "configure", new ConfigureRequest().setArgs(Struct.fromJavaScript({})));
    const check = await timed(() => call(client, "check", new CheckRequest().setUrn(urn).setNews(news)));
    const request = new ReadRequest().setUrn(urn).setId("000000000000000000000000");
    const read = await timed(() => call(client, "read", request.setProperties(news).setInputs(news)));
    return { port, check, read };
  } finally {
    client.close();
    // The engine ends a plugin in this way, and the plugin then keeps the code that V8 has compiled.
    plugin.kill("SIGINT");
    await once(plugin, "exit");
  }
}

async function timed(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

type Method = (request: unknown, answered: (error: Error | null, answer: unknown) => void) => void;

function call(client: Client, method: string, request: unknown): Promise<unknown> {
  const { [method]: send } = client as unknown as Record<string, Method>;
  return new Promise((resolve, reject) =>
    send?.call(client, request, (error, answer) => (error ? reject(error) : resolve(answer))),
  );
}
