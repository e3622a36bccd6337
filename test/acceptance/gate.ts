import http from "node:http";
import { text } from "node:stream/consumers";
import { isObject } from "../../provider/values/data";
import type { Asked } from "../life/server";
import type { Api } from "../productJudge";
import { cleanUp, deleteAll } from "./cleanUp";
import { type Answer, Client, contentOf } from "./client";
import { type Documented, documented } from "./documented";
import { Findings, type Proposal } from "./findings";
import { Ledger } from "./ledger";
import { Singletons } from "./singletons";
import { nameOf, type Target } from "./target";
import { Words } from "./words";

/** What the tests ask of the gate, beside the requests that pass it. */
export type Order =
  | { readonly kind: "let"; readonly sample: string; readonly real: string }
  | { readonly kind: "let service"; readonly sample: string; readonly own: string }
  | { readonly kind: "keep" }
  | { readonly kind: "lose"; readonly operation: string }
  | { readonly kind: "tell" }
  | { readonly kind: "reset" }
  | { readonly kind: "end" };

/** The path of the gate to which the tests send orders. */
export const orders = "/acceptance";

/** What a run has done by its end. */
export interface Totals {
  readonly requests: number;
  /** The number of services that it has created, which are billed. */
  readonly services: number;
  readonly judged: number;
  /** Writes that the gate has kept from the server, since they concern what the run has not created. */
  readonly refused: readonly string[];
  /** The paths of objects of the run that are still there. */
  readonly left: readonly string[];
  readonly proposals: readonly Proposal[];
}

/** Requests that change nothing although their method says so. */
const harmless = /\/(validate|charts\/series|search|schemaDiscovery)$/;

/** Collections into which no run adds anything: people get mail, or somebody outside has to provide something. */
const foreign =
  /\/(invitations?|members?|byocInfrastructure|clickpipes|clickpipesReversePrivateEndpoints|clickpipesSshKeyResources|postgres|udfs)$/;

/**
 * Stands between the tests and a real server, in a process of its own since the tests' time is virtual. It lets through no write
 * to an object that this run has not created, writes down each create before it sends it, gives the names of created objects
 * the run's prefix, keeps to the rate of the keys, and compares the answers with the API documents.
 */
class Gate {
  readonly #client: Client;
  readonly #words: Words;
  readonly #findings: Findings;
  readonly #asked: Asked[] = [];
  readonly #kept = new Set<string>();
  readonly #refused: string[] = [];
  #singletons: Singletons | undefined;
  #lost: string | undefined;

  constructor(
    private readonly target: Target,
    private readonly ledger: Ledger,
  ) {
    this.#client = new Client(target);
    this.#words = new Words(ledger.prefix);
    this.#findings = new Findings(target.version);
  }

  /** Opens the gate for one API, and returns the address for the provider. */
  async open(api: Api): Promise<string> {
    const server = http.createServer((request, response) => {
      const isOrder = request.url === orders;
      const answered = isOrder ? this.#answer(request, response) : this.#pass(api, request, response);
      answered.catch((error: Error) => {
        const { message } = error;
        reply(response, { status: 502, body: { error: message, message } });
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    return `http://127.0.0.1:${port}`;
  }

  /** Answers an order of the tests, which they send to a path that no API has. */
  async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const result = await this.#obey(JSON.parse(await text(request)));
    reply(response, { status: 200, body: { result: result ?? null } });
  }

  async #obey(order: Order): Promise<unknown> {
    switch (order.kind) {
      case "let":
        return this.#words.let(order.sample, order.real);
      case "let service":
        return this.#letService(order.sample, order.own);
      case "keep":
        return this.ledger.made.forEach(({ id }) => void this.#kept.add(id));
      case "lose":
        this.#lost = order.operation;
        return undefined;
      case "tell":
        return this.#asked;
      case "reset":
        return this.#reset();
      case "end":
        return this.end();
    }
  }

  async #letService(sample: string, own: string): Promise<void> {
    this.#words.letService(sample, own);
    const path = `/v1/organizations/${this.target.organizationId}/services/${own}`;
    this.#singletons = new Singletons(path, this.#client);
    await this.#singletons.remember();
  }

  async #reset(): Promise<void> {
    this.#lost = undefined;
    await this.#singletons?.restore();
    const made = this.ledger.made.filter(({ id }) => !this.#kept.has(id));
    const left = await deleteAll(made, this.ledger, this.#client);
    if (left.length > 0) throw new Error(`cannot be deleted: ${left.join(", ")}`);
    this.#asked.length = 0;
  }

  async end(): Promise<Totals> {
    const left = await cleanUp(this.ledger, this.#client);
    const { judged, proposals } = this.#findings;
    const { services } = this.ledger;
    return { requests: this.#client.sent, services, judged, proposals, refused: this.#refused, left };
  }

  async #pass(api: Api, request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const { method = "GET", url = "/", headers } = request;
    const sent = await text(request);
    const requestBody: unknown = sent === "" ? undefined : JSON.parse(sent);
    const [path = "", query] = this.#words.exchanged(url, url).split("?");
    const called = documented(api, method, path);
    // The tests look at objects through the gate, too; these requests are not the provider's.
    const isLook = headers["x-acceptance"] !== undefined;
    if (!isLook)
      this.#asked.push({ method, path: url, operation: called?.operation, ...(sent && { requestBody }) });

    const refusal = method === "GET" ? undefined : this.#refusal(method, path, called);
    if (refusal) {
      this.#refused.push(`${method} ${path}: ${refusal}`);
      return reply(response, { status: 403, body: { error: refusal, message: refusal } });
    }
    if (called?.creates) this.ledger.creates(api, path);
    if (method !== "GET") this.#singletons?.write(path);
    const body = sent && JSON.stringify(this.#words.named(JSON.parse(this.#words.exchanged(sent, url))));
    const answer = await this.#client.send(api, method, query ? `${path}?${query}` : path, body || undefined);
    this.#note(api, method, path, called, answer);
    if (called) this.#findings.judge(called, answer.status, answer.body);
    if (called?.operation !== undefined && called.operation === this.#lost && !isLook) {
      this.#lost = undefined;
      response.destroy();
      return;
    }
    const inward = JSON.parse(this.#words.exchanged(JSON.stringify(answer.body ?? null), url));
    reply(response, { status: answer.status, body: this.#words.plain(inward) });
  }

  /** Returns why a write may not reach the server; undefined if it may. */
  #refusal(method: string, path: string, called: Documented | undefined): string | undefined {
    if (!called) return `no document has ${method} ${path}`;
    if (harmless.test(path)) return undefined;
    const ids = Object.entries(called.ids);
    const isOwn = (id: string) => this.ledger.hasHad(id);
    if (called.creates) {
      if (foreign.test(path)) return "acceptance runs create no such object";
      if (path.endsWith("/services") && !this.target.isBilled) return "services are billed: use --billed";
      const places = ids.filter(([name]) => name !== "organizationId").map(([, id]) => id);
      const isPlace = (id: string) => id === this.target.serviceId || isOwn(id);
      return places.every(isPlace) ? undefined : "the run has not created the service";
    }
    const [, own = ""] =
      ids.filter(([name]) => name !== "organizationId" && name !== "settingName").at(-1) ?? [];
    return isOwn(own) ? undefined : `the run has not created ${own || "the organization"}`;
  }

  #note(
    api: Api,
    method: string,
    path: string,
    called: Documented | undefined,
    { status, body }: Answer,
  ): void {
    if (method === "DELETE" && (status < 300 || status === 404))
      this.ledger.remove(path.split("/").at(-1) ?? "");
    if (!called?.creates || status > 299) return;
    const content = contentOf(body);
    const { id, key, service } = Object(content);
    const made = id ?? key?.id ?? service?.id;
    if (typeof made === "string") this.ledger.create({ api, collection: path, id: made });
  }
}

function reply(response: http.ServerResponse, { status, body }: Answer): void {
  const isEmpty = body === undefined || body === null;
  const isJson = isObject(body) || Array.isArray(body);
  response.writeHead(status, isEmpty ? {} : { "content-type": isJson ? "application/json" : "text/plain" });
  response.end(isEmpty ? undefined : isJson ? JSON.stringify(body) : String(body));
}

/** Opens the gate for the APIs of a target, and tells the process that started it the addresses. */
async function main(target: Target): Promise<void> {
  const gate = new Gate(target, Ledger.begin(target.folder, target.prefix, nameOf(target)));
  const addresses: { [api in Api]?: string } = {};
  for (const api of Object.keys(target.addresses) as Api[]) addresses[api] = await gate.open(api);
  // Whoever ends the tests, also by Ctrl-C, waits for the gate, which takes away what they have created.
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);
  process.on("disconnect", () => void gate.end().finally(() => process.exit()));
  process.send?.(addresses);
}

if (require.main === module) void main(JSON.parse(process.env.PIPESTACK_ACCEPTANCE_TARGET ?? ""));
