import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { selfSigned } from "../api/certificate";
import { type Area, creationOf, failingCreationOf, key, type World } from "./mistake";

async function served(server: Server, use: (port: number) => Promise<string>): Promise<string> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  try {
    return await use((server.address() as AddressInfo).port);
  } finally {
    server.close();
  }
}

async function through(world: World, proxy: string): Promise<string> {
  process.env.HTTPS_PROXY = proxy;
  try {
    return await world.creation("ApiKey", key, { baseUrl: "https://api.example.com" });
  } finally {
    delete process.env.HTTPS_PROXY;
  }
}

export const networkMistakes: Area = {
  title: "Network",
  mistakes: {
    "Set an address where nobody answers": creationOf("ApiKey", key, { baseUrl: "http://127.0.0.1:1" }),
    "Set a proxy that is not there": (world) => through(world, "http://user:password@127.0.0.1:1"),
    "Set a proxy that is no address": (world) => through(world, "proxy of the office"),
    "Set a proxy without its password": (world) => {
      const proxy = createHttpServer().on("connect", (_request, socket) =>
        socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"),
      );
      return served(proxy, (port) => through(world, `http://127.0.0.1:${port}`));
    },
    "Used a server with a certificate of one's own": (world) =>
      served(createHttpsServer(selfSigned), (port) =>
        world.creation("ApiKey", key, { baseUrl: `https://127.0.0.1:${port}` }),
      ),
    "Set https for a server that has http alone": (world) =>
      world.creation("ApiKey", key, { baseUrl: `${world.sandbox.baseUrl}`.replace("http:", "https:") }),
    "Set a time limit that is too short": async (world) => {
      await world.sandbox.faults.add({ kind: "delay", operation: "getService", milliseconds: 3000 });
      return world.creation("ServiceScaling", { numReplicas: 3 }, { timeoutSeconds: "1" });
    },
    "Asked more often than the service allows": failingCreationOf("429"),
  },
};
