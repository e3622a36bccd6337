import type { FastifyReply, FastifyRequest } from "fastify";
import { isWrite, type OperationName } from "../operations";
import type { Records } from "../records";
import type { Aftermath } from "./aftermath";
import { definitionOf } from "./kinds";

/** Answers a request. Carries it out at once: nothing else happens between its call and its return. */
export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** The handlers of an API, with the faults of which only writes and later reads know. */
export class FaultyHandlers {
  readonly #handlers = new Map<string, Handler>();

  constructor(
    private readonly store: Records,
    private readonly aftermath: Aftermath,
  ) {}

  /** A handler that does what the faults of its requests say. */
  serving(operation: OperationName, handler: Handler): Handler {
    const isList = operation.startsWith("list");
    const serve: Handler = isWrite(operation)
      ? (request, reply) => this.#write(operation, handler, request, reply)
      : (request, reply) => this.aftermath.read(this.store, isList, () => handler(request, reply));
    this.#handlers.set(operation, serve);
    return serve;
  }

  #write(
    operation: OperationName,
    handler: Handler,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<unknown> {
    const { fault } = request;
    if (!fault || !definitionOf(fault.kind).affectsWrites) return handler(request, reply);
    const { store } = this;
    const before = store.snapshot();
    const answer = handler(request, reply);
    const changed = store.changedSince(before);
    if (fault.kind === "ignored") store.restore(changed);
    else this.aftermath.keep(fault, changed);
    if (fault.kind !== "ignored" && fault.kind !== "stale") return answer;
    const shown = this.#shown(operation, request, reply);
    // A refusal stays one, and so does what was not there before.
    return shown
      ? shown.then(
          (old) => answer.then(() => old),
          () => answer,
        )
      : answer;
  }
  /** What a read shows of the object that an update is about; undefined for other writes. */
  #shown(operation: string, request: FastifyRequest, reply: FastifyReply): Promise<unknown> | undefined {
    const [, noun] = /^(?:update|put)(.+)$/.exec(operation) ?? [];
    if (noun === undefined) return undefined;
    const name = noun.endsWith("Scaling") ? "Service" : noun;
    const get = this.#handlers.get(`get${name}`);
    if (get) return get(request, reply);
    const { id } = request.params as { id?: string };
    return this.#handlers
      .get(`list${name}s`)?.(request, reply)
      .then((list) => entryOf(list as object, id));
  }
}

/** The answer of a list, with one entry in place of all. */
function entryOf({ meta, ...answer }: { meta?: unknown }, id: string | undefined): object {
  const members = Object.entries(answer).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.find((entry) => entry.id === id) : value,
  ]);
  return Object.fromEntries(members);
}
