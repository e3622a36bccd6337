import { randomUUID } from "node:crypto";
import type http from "node:http";
import { type Received, ScriptedServer } from "../api/server";
import { type Served, served } from "./contract";

export interface WireAnswer {
  readonly status: number;
  readonly headers: http.OutgoingHttpHeaders;
  readonly body: string | Buffer;
  /** True if the server breaks the connection after the body of the answer. */
  readonly breaksOff?: boolean;
}

type Data = { readonly [name: string]: unknown };

const singles: { readonly [noun: string]: Data } = {
  serviceQueryEndpoint: { id: "e", roles: [], openApiKeys: [], allowedOrigins: "" },
  scalingSchedule: { entries: [], baseConfig: {} },
};

/**
 * A server for fuzz tests that judges every request by the API documents. It answers as if it had carried out the request: with
 * the sent values and an id.
 */
export class Judge extends ScriptedServer {
  readonly serviceId = "7c2d9b40-6e15-4a83-b1f7-24d8e6a03c59";
  readonly faults: string[] = [];
  /** Changes each answer of the judge before the server sends it. */
  change: (answer: WireAnswer) => WireAnswer = (answer) => answer;
  readonly #objects = new Map<string, Data>();

  constructor() {
    super();
    this.alwaysAnswer((_request, response) => this.#serve(this.requests.at(-1) as Received, response));
  }

  get settings(): { readonly [name: string]: string } {
    const organizationId = "3f1c6a52-7d0e-4b8f-9a41-5c2e8d7b6f10";
    const key = { keyId: "key-id-93b1", keySecret: "key-secret-4f1d0c9b7a" };
    const places = { baseUrl: this.url, obsBaseUrl: this.url, organizationId, serviceId: this.serviceId };
    return { ...places, ...key, accessToken: "access-token-81c3", maxRetries: "0", timeoutSeconds: "5" };
  }

  reset(): void {
    this.faults.length = 0;
    this.requests.length = 0;
    this.#objects.clear();
    this.change = (answer) => answer;
  }

  #serve({ method, path, headers, body }: Received, response: http.ServerResponse): void {
    const line = `${method} ${path}`;
    const route = served(method, path);
    const fault = this.#faultIn(route, headers.authorization, body);
    if (fault) this.faults.push(`${line}: ${fault}: ${JSON.stringify(body)?.slice(0, 2000)}`);
    const result = this.#resultOf(method, path, body as Data | undefined);
    const isManagement = route?.api !== "observability";
    const envelope = isManagement ? { status: 200, requestId: randomUUID(), result } : { data: result };
    const usual = { "Content-Type": "application/json", Connection: "close" };
    const answer = this.change({ status: 200, headers: usual, body: JSON.stringify(envelope) });
    if (response.destroyed) return;
    response.writeHead(answer.status, answer.headers);
    if (answer.breaksOff && answer.body.length > 0) response.write(answer.body, () => response.destroy());
    else if (answer.breaksOff) response.destroy();
    else response.end(answer.body);
  }

  #faultIn(route: Served | undefined, authorization: string | undefined, body: unknown): string | undefined {
    if (!route) return "no such route";
    const scheme = route.api === "observability" ? /^Bearer [\x21-\x7e]+$/ : /^Basic [\w+/]+=*$/;
    if (!scheme.test(authorization ?? "")) return "not signed";
    return route.faultIn(body);
  }

  #resultOf(method: string, url: string, body: Data | undefined): unknown {
    const path = url
      .replace(/\?.*$/, "")
      .replace(/^\/v1\/organizations\/[^/]+(\/services\/[^/]+)?(\/stack)?/, "")
      .replace("/api/v2", "");
    const [, noun = "", last = "", member] = path.split("/").map(decodeURIComponent);
    if (url.includes("/pipes")) return last === "" ? [pipe] : member ? pipe.settings : { ...pipe, id: last };
    if (noun === "pipesReversePrivateEndpoints") return [{ id: "a", name: "A" }];
    if (noun === "charts") return [{ ts_bucket: 1767225600000, "series_0.data": "5", group: ["a"] }];
    if (noun === "" || noun === "scaling") {
      const [, id] = /\/services\/([^/]+)/.exec(url) ?? [];
      return this.#keep("service", { ...this.#objects.get("service"), id, encryptionKey: "k", ...body });
    }
    if (noun === "services") return [this.#objects.get("service") ?? { id: this.serviceId }];
    const single = singles[noun];
    if (single && method === "DELETE") return void this.#objects.delete(noun);
    if (single) return body ? this.#keep(noun, { ...single, ...body }) : (this.#objects.get(noun) ?? single);
    if (method === "GET" && last === "") {
      const objects = [...this.#objects].filter(([name]) => name.startsWith(`${noun}/`));
      return [
        ...(noun === "sources" ? [{ id: "a", name: "A" }] : []),
        ...objects.map(([, object]) => object),
      ];
    }
    const { hashData, ...members } = body ?? {};
    const id = last || randomUUID();
    const name = `${noun}/${id}`;
    if (method === "DELETE") return void this.#objects.delete(name);
    const tiles = Array.isArray(members.tiles)
      ? { tiles: members.tiles.map((tile) => ({ id: randomUUID(), ...tile })) }
      : {};
    const object = this.#keep(name, { ...this.#objects.get(name), ...members, ...tiles, id });
    return noun === "keys" && method === "POST"
      ? { key: object, keyId: "newKeyId", keySecret: "newKeySecret" }
      : object;
  }

  #keep(name: string, object: Data): Data {
    this.#objects.set(name, object);
    return object;
  }
}

const pipe = {
  id: "1d7b4e92-c063-4f5a-9e28-b6a1d8f30c47",
  name: "orders-stream",
  state: "Running",
  source: { objectStorage: { url: "https://a.example/*", connectionString: "connection-string-77" } },
  settings: { object_storage_concurrency: 1 },
};
