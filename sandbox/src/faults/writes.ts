import type { FastifyReply, FastifyRequest } from "fastify";
import { isWrite, type OperationName } from "../operations";
import type { Records } from "../records";
import type { Aftermath } from "./aftermath";

/** Answers a request. Carries it out at once: nothing else happens between its call and its return. */
export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** The operations that show what an update changes. */
const reads: { readonly [Update in OperationName]?: OperationName } = {
  updateKey: "getKey",
  updateScaling: "getService",
  updateReplicaScaling: "getService",
  putQueryEndpoint: "getQueryEndpoint",
  putPipeSettings: "getPipeSettings",
  updateDashboard: "getDashboard",
  updateAlert: "getAlert",
};

/** The handlers of an API, with the faults of which only writes and later reads know. */
export class FaultyHandlers {
  readonly #handlers = new Map<OperationName, Handler>();

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
    const isIgnored = fault?.kind === "ignored";
    if (!fault || !(isIgnored || fault.kind === "stale" || fault.kind === "stale-list"))
      return handler(request, reply);
    const { store } = this;
    const before = store.snapshot();
    const answer = handler(request, reply);
    const changed = store.changedSince(before);
    if (isIgnored) store.restore(changed);
    else this.aftermath.keep(fault, changed);
    if (fault.kind === "stale-list") return answer;
    const shown = this.#handlers.get(reads[operation] as OperationName)?.(request, reply);
    // A refusal stays one, and so does what was not there before.
    return shown
      ? shown.then(
          (old) => answer.then(() => old),
          () => answer,
        )
      : answer;
  }
}
