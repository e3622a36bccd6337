import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";

/** Credentials that no message may show. */
export const secrets = {
  keySecret: "key-secret-4f1d0c9b7a",
  accessToken: "access-token-81c3e5f2d6",
};

/** A local server that counts what it is asked: what is refused beforehand must not reach it. */
export interface UnaskedService {
  /** Settings with which every request would go to this server. */
  readonly settings: { readonly [name: string]: string };
  readonly requests: number;
  close(): Promise<void>;
}

export async function startUnaskedService(): Promise<UnaskedService> {
  let requests = 0;
  const server = http.createServer((_request, response) => {
    requests += 1;
    response.writeHead(200, { "content-type": "application/json" }).end('{"result":[],"data":[]}');
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    settings: {
      baseUrl: address,
      obsBaseUrl: address,
      organizationId: "3f1c6a52-7d0e-4b8f-9a41-5c2e8d7b6f10",
      serviceId: "7c2d9b40-6e15-4a83-b1f7-24d8e6a03c59",
      keyId: "key-id-93b1",
      ...secrets,
    },
    get requests() {
      return requests;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
