import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { selfSigned } from "../api/certificate";
import { type Area, key, type World } from "./mistake";

/** Uses a server while it listens. */
async function served(server: Server, use: (port: number) => Promise<string>): Promise<string> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  try {
    return await use((server.address() as AddressInfo).port);
  } finally {
    server.close();
  }
}

/** The same through a proxy of the environment. */
async function through(world: World, proxy: string): Promise<string> {
  process.env.HTTPS_PROXY = proxy;
  try {
    return await world.creation("ApiKey", key, { baseUrl: "https://api.example.com" });
  } finally {
    delete process.env.HTTPS_PROXY;
  }
}

/** Services that cannot be reached, or do not answer in time. */
export const networkMistakes: Area = {
  title: "Network",
  mistakes: [
    {
      made: "Set an address where nobody answers",
      play: (world) => world.creation("ApiKey", key, { baseUrl: "http://127.0.0.1:1" }),
      told: "http://127.0.0.1:<port> cannot be reached (ECONNREFUSED); check the address and the network (createKey: POST /v1/organizations/<organization>/keys)",
      remedy: "Is it the right port, and does the server run?",
    },
    {
      made: "Set a proxy that is not there",
      play: (world) => through(world, "http://user:password@127.0.0.1:1"),
      told: "https://api.example.com cannot be reached through the proxy 127.0.0.1:<port> of HTTPS_PROXY (ECONNREFUSED); check the proxy and the network (createKey: POST /v1/organizations/<organization>/keys)",
      remedy: "Correct the variable, or add the host to `NO_PROXY` ([network](network.md)).",
    },
    {
      made: "Set a proxy without its password",
      play: (world) => {
        const proxy = createHttpServer().on("connect", (_request, socket) =>
          socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"),
        );
        return served(proxy, (port) => through(world, `http://127.0.0.1:${port}`));
      },
      told: "https://api.example.com cannot be reached through the proxy 127.0.0.1:<port> of HTTPS_PROXY (status 407); set the proxy's user and password in its address (createKey: POST /v1/organizations/<organization>/keys)",
      remedy: "Set `HTTPS_PROXY=http://user:password@host:port`. No message shows user or password.",
    },
    {
      made: "Used a server with a certificate of one's own",
      play: (world) =>
        served(createHttpsServer(selfSigned), (port) =>
          world.creation("ApiKey", key, { baseUrl: `https://127.0.0.1:${port}` }),
        ),
      told: "https://127.0.0.1:<port> cannot be reached (DEPTH_ZERO_SELF_SIGNED_CERT): its certificate is not trusted; renew it, or name the file of its authority's certificate in NODE_EXTRA_CA_CERTS (createKey: POST /v1/organizations/<organization>/keys)",
      remedy: "`NODE_EXTRA_CA_CERTS` names a file in PEM ([certificates](network.md#certificates)).",
    },
    {
      made: "Set https for a server that has http alone",
      play: (world) =>
        world.creation("ApiKey", key, { baseUrl: `${world.sandbox.baseUrl}`.replace("http:", "https:") }),
      told: "https://127.0.0.1:<port> cannot be reached (EPROTO); check the address: the server may have http alone (createKey: POST /v1/organizations/<organization>/keys)",
      remedy: "Set `http://` for a server on this machine, or give it a certificate.",
    },
    {
      made: "Set a time limit that is too short",
      play: async (world) => {
        await world.sandbox.faults.add({ kind: "delay", operation: "getService", milliseconds: 3000 });
        return world.creation("ServiceScaling", { numReplicas: 3 }, { timeoutSeconds: "1" });
      },
      told: "no answer within 1 s (getService: GET /v1/organizations/<organization>/services/<service>)",
      remedy:
        "Set a longer `timeoutSeconds`. Without an answer to a create, the provider looks for the object ([faults](faults.md)).",
    },
    {
      made: "Asked more often than the service allows",
      play: (world) => world.failingCreation("429", "ApiKey", key),
      told: "TOO_MANY_REQUESTS: Too many requests, please try again later; set requestsPerSecond to what the service allows, or more maxRetries (createKey: POST /v1/organizations/<organization>/keys answered 429, request <id>)",
      remedy:
        "With `maxRetries` above 0, which it is by default, the provider waits and goes on by itself ([rate limits](rate-limits.md)).",
    },
  ],
};
