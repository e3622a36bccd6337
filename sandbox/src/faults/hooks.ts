import { setTimeout as pause } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Answer, jsonAnswer } from "../answer";
import type { ApiError } from "../apiError";
import type { ApiName } from "../journal";
import type { Listener } from "../listener";
import { answerTo } from "./answers";
import { deliver, deliverHalf, end, reset } from "./delivery";
import type { Fault } from "./fault";
import { kindOfFault } from "./kinds";
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
  errorAnswer(request: FastifyRequest, error: ApiError): Answer;
  /** Enters a request into the journal that is not answered in the usual way. */
  record(request: FastifyRequest, status: number): void;
}

/** Lets faults happen: before authentication and before the body is read, or in place of the answer. */
export function addFaultHooks(api: Listener, befallen: Befallen): void {
  const { name, faults } = befallen;

  api.addHook("onRequest", async (request, reply) => {
    request.fault = faults.meet({ api: name, operation: request.routeOptions.config.operation });
    if (request.fault && momentOf(request.fault) === "before") {
      await happen(request.fault, request, reply, befallen, jsonAnswer(200, {}));
    }
  });

  api.addHook("onSend", (request, reply, payload, done) => {
    if (faults.endsConnections(name)) reply.raw.shouldKeepAlive = false;
    if (!request.fault || momentOf(request.fault) === "before") return done(null, payload);
    const headers = reply.getHeaders() as Record<string, string>;
    const truth = { status: reply.statusCode, headers, body: String(payload ?? "") };
    happen(request.fault, request, reply, befallen, truth).then(() => {
      if (!reply.sent) done(null, payload);
    }, done);
  });
}

function momentOf(fault: Fault): "before" | "after" {
  return fault.when ?? kindOfFault(fault.kind).when[0] ?? "before";
}

/** After a mere delay everything takes its usual course; otherwise the reply is taken out of the framework's hands. */
async function happen(
  fault: Fault,
  request: FastifyRequest,
  reply: FastifyReply,
  { name, errorAnswer, record }: Befallen,
  truth: Answer,
): Promise<void> {
  if (fault.kind === "delay") return pause(fault.milliseconds ?? 1000, undefined, { ref: false });
  reply.hijack();
  const { method, url, id: requestId } = request;
  const inOwnWords = (error: ApiError) => errorAnswer(request, error);
  const answer = answerTo({ fault, api: name, method, url, requestId, truth, inOwnWords });
  record(request, answer?.status ?? 0);
  if (!answer) reset(reply.raw.socket);
  else if (fault.kind === "cut-off") deliverHalf(reply.raw, truth, end);
  else if (fault.kind === "reset-during") deliverHalf(reply.raw, truth, reset);
  else deliver(reply.raw, answer);
}
