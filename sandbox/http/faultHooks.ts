import { setTimeout as pause } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Answer, jsonAnswer } from "../core/answer";
import type { ApiError } from "../core/apiError";
import { answerTo } from "../core/faults/answers";
import type { Fault } from "../core/faults/fault";
import { definitionOf, type Timing } from "../core/faults/kinds";
import type { LargeAnswer } from "../core/faults/large";
import type { FaultScript } from "../core/faults/script";
import { FaultyHandlers, type Handler } from "../core/faults/writes";
import type { ApiName } from "../core/operations";
import type { ApiServer } from "../core/routeContext";
import type { Store } from "../core/store";
import type { SandboxContext } from "./context";
import { deliver, deliverHalf, end, reset } from "./delivery";

declare module "fastify" {
  interface FastifyRequest {
    /** The fault to inject into the request. */
    fault?: Fault;
  }
}

/** The API that faults are injected into. */
export interface FaultTarget extends Pick<SandboxContext, "changed"> {
  name: ApiName;
  faults: FaultScript;
  store: Store;
  errorAnswer(request: FastifyRequest, error: ApiError): Answer;
  /** Enters a request into the journal that bypasses the framework's reply. */
  record(request: FastifyRequest, status: number, answer: string): void;
}

/**
 * Injects faults: before authentication and before the body is read, or in place of the answer. Those that delay a request
 * or change what comes of it start once it was read, so that it is carried out even if the client has left by then.
 */
export function addFaultHooks(api: ApiServer, target: FaultTarget): void {
  const { name, faults, store, changed } = target;
  const handlers = new FaultyHandlers(store, faults.aftermath);

  api.addHook("onRoute", (route) => {
    const { handler, config } = route;
    const operation = config?.operation;
    if (!operation) return;
    const carryOut = handlers.serving(operation, handler.bind(api) as Handler);
    route.handler = (request, reply) => {
      const { fault } = request;
      if (!fault || !isDue(request, "later")) return carryOut(request, reply);
      faults.aftermath.later(fault, () => {
        // Nobody is there any more to hear of a refusal.
        carryOut(request, reply).catch(() => undefined);
        changed();
      });
      inject(fault, request, reply, target, jsonAnswer(200, {}));
      return reply;
    };
  });

  api.addHook("onRequest", async (request, reply) => {
    request.fault = faults.match({ api: name, operation: request.routeOptions.config.operation });
    // Here for the answers of faults, in onSend for requests that were under way when a fault was set.
    if (faults.endsConnections(name)) reply.raw.shouldKeepAlive = false;
    if (request.fault?.kind !== "delay" && isDue(request, "before")) {
      inject(request.fault, request, reply, target, jsonAnswer(200, {}));
    }
  });

  api.addHook("preHandler", async (request) => {
    if (request.fault?.kind === "delay" && isDue(request, "before")) await delay(request.fault);
  });

  api.addHook("onSend", (request, reply, payload, done) => {
    if (faults.endsConnections(name)) reply.raw.shouldKeepAlive = false;
    if (!isDue(request, "after")) return done(null, payload);
    if (request.fault.kind === "delay") {
      delay(request.fault).then(() => done(null, payload), done);
      return;
    }
    const headers = reply.getHeaders() as Record<string, string>;
    inject(request.fault, request, reply, target, {
      status: reply.statusCode,
      headers,
      body: String(payload ?? ""),
    });
  });
}

function isDue(request: FastifyRequest, timing: Timing): request is FastifyRequest & { fault: Fault } {
  const { fault } = request;
  if (fault === undefined || definitionOf(fault.kind).affectsWrites) return false;
  return (fault.when ?? definitionOf(fault.kind).when[0]) === timing;
}

async function delay({ milliseconds = 1000 }: Fault): Promise<void> {
  await pause(milliseconds, undefined, { ref: false });
}

/** Answers in another way, or not at all: takes the reply out of the framework's hands. */
function inject(
  fault: Fault,
  request: FastifyRequest,
  reply: FastifyReply,
  target: FaultTarget,
  realAnswer: Answer,
): void {
  reply.hijack();
  const { method, url, id: requestId } = request;
  const { name: api, store } = target;
  const errorAnswer = (error: ApiError) => target.errorAnswer(request, error);
  const answer = answerTo({ fault, api, method, url, requestId, realAnswer, store, errorAnswer });
  target.record(request, answer?.status ?? 0, recordedBody(answer, fault, realAnswer));
  if (!answer) reset(reply.raw.socket);
  else if (fault.kind === "cut-off") deliverHalf(reply.raw, realAnswer, end);
  else if (fault.kind === "reset-during") deliverHalf(reply.raw, realAnswer, reset);
  else deliver(reply.raw, answer);
}

/** What the journal keeps of an answer: of one that is cut the whole, since secrets are found in whole JSON alone. */
function recordedBody(answer: Answer | LargeAnswer | undefined, { kind }: Fault, realAnswer: Answer): string {
  if (!answer) return "";
  if (kind === "cut-short") return realAnswer.body;
  return typeof answer.body === "string" ? answer.body : "(an answer of many megabytes)";
}
