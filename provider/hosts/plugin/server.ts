import { Server, ServerCredentials } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { EngineLog } from "./engineLog";
import type { Package } from "./packageSchema";
import { createService } from "./pluginService";

export interface PluginServer {
  /** The plugin server's port on the loopback address. */
  readonly port: number;
  close(): void;
}

/** Maximum number of bytes of a gRPC message, since a state with thousands of tiles is a single message. */
const largestMessage = 400 * 1024 * 1024;

/** Serves the provider's package to the engine by the plugin protocol. An engine may also pass its address in its handshake. */
export async function startServer(offer: Package, engineAddress = ""): Promise<PluginServer> {
  const log = new EngineLog();
  const server = new Server({
    "grpc.max_receive_message_length": largestMessage,
    "grpc.max_send_message_length": largestMessage,
  });
  server.addService(ResourceProviderService, createService(offer, log, engineAddress));
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return {
    port,
    close() {
      server.forceShutdown();
      log.close();
    },
  };
}
