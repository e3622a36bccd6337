import { setTimeout as pause } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Answer, jsonAnswer } from "../answer";
import type { ApiError } from "../apiError";
import type { ApiName } from "../journal";
import type { Listener } from "../listener";
import type { Store } from "../store";
import { answerTo } from "./answers";
import { deliver, deliverHalf, end, reset } from "./delivery";
import type { Fault } from "./fault";
import { kindOfFault, type Moment } from "./kinds";
import type { FaultScript } from "./script";

declare module "fastify" {
  interface FastifyRequest {
    /** The fault that the request meets. */
    fault?: Fault;
  }
}

/** What faults need to know of the API that they befall. */
export interface Befallen {
  name: ApiName;
  faults: FaultScript;
  store: Store;
  errorAnswer(request: FastifyRequest, error: ApiError): Answer;
  /** Enters a request into the journal that is not answered in the usual way. */
  record(request: FastifyRequest, status: number): void;
}

/**
 * Lets faults happen: before authentication and before the body is read, or in place of the answer. A delay comes once
 * the request was read, so that it is carried out even if the client has left by then.
 */
export function addFaultHooks(api: Listener, befallen: Befallen): void {
  const { name, faults } = befallen;

  api.addHook("onRequest", async (request, reply) => {
    request.fault = faults.meet({ api: name, operation: request.routeOptions.config.operation });
    // Here for answers that a fault gives, in onSend for requests that were under way when a fault was set.
    if (faults.endsConnections(name)) reply.raw.shouldKeepAlive = false;
    if (request.fault?.kind !== "delay" && happensTo(request, "before")) {
      happen(request.fault, request, reply, befallen, jsonAnswer(200, {}));
    }
  });

  api.addHook("preHandler", async (request) => {
    if (request.fault?.kind === "delay" && happensTo(request, "before")) await delay(request.fault);
  });

  api.addHook("onSend", (request, reply, payload, done) => {
    if (faults.endsConnections(name)) reply.raw.shouldKeepAlive = false;
    if (!happensTo(request, "after")) return done(null, payload);
    if (request.fault.kind === "delay") {
      delay(request.fault).then(() => done(null, payload), done);
      return;
    }
    const headers = reply.getHeaders() as Record<string, string>;
    happen(request.fault, request, reply, befallen, {
      status: reply.statusCode,
      headers,
      body: String(payload ?? ""),
    });
  });
}

function happensTo(request: FastifyRequest, moment: Moment): request is FastifyRequest & { fault: Fault } {
  const { fault } = request;
  return fault !== undefined && (fault.when ?? kindOfFault(fault.kind).when[0]) === moment;
}

async function delay({ milliseconds = 1000 }: Fault): Promise<void> {
  await pause(milliseconds, undefined, { ref: false });
}

/** Answers in another way, or not at all: the reply is taken out of the framework's hands. */
function happen(
  fault: Fault,
  request: FastifyRequest,
  reply: FastifyReply,
  { name, store, errorAnswer, record }: Befallen,
  truth: Answer,
): void {
  reply.hijack();
  const { method, url, id: requestId } = request;
  const inOwnWords = (error: ApiError) => errorAnswer(request, error);
  const answer = answerTo({ fault, api: name, method, url, requestId, truth, store, inOwnWords });
  record(request, answer?.status ?? 0);
  if (!answer) reset(reply.raw.socket);
  else if (fault.kind === "cut-off") deliverHalf(reply.raw, truth, end);
  else if (fault.kind === "reset-during") deliverHalf(reply.raw, truth, reset);
  else deliver(reply.raw, answer);
}
