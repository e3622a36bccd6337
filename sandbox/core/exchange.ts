import { type Answer, jsonAnswer, pageAnswer } from "./answer";
import type { ApiError } from "./apiError";
import type { Api, Handled, Run } from "./apis/api";
import type { Timing } from "./faults/definition";
import type { Fault } from "./faults/fault";
import { kindOf } from "./faults/kinds";
import type { LargeAnswer } from "./faults/large";
import type { FaultScript } from "./faults/script";
import { runWithFault } from "./faults/writes";
import type { Identifiers } from "./identifiers";
import type { Journal } from "./journal";
import type { OperationName } from "./operations";
import { type ApiName, pathOf, type Reply, type Request } from "./request";
import type { FoundRoute } from "./routes";
import type { Store } from "./store";

export interface Surroundings {
  readonly apis: { readonly [name in ApiName]: Api };
  readonly store: Store;
  readonly ids: Identifiers;
  readonly journal: Journal;
  readonly faults: FaultScript;
  /** Called when records of the sandbox may have changed, so that they are saved to the state file and shown in the console. */
  readonly changed: () => void;
}

export class Exchange {
  readonly fault: Fault | undefined;
  readonly #foundRoute: FoundRoute | undefined;
  readonly #requestId: string;
  #handled: Partial<Handled> = {};
  #reply: Reply = {};
  #recorded = "";

  constructor(
    private readonly model: Surroundings,
    private readonly name: ApiName,
    private readonly request: Request,
    now: number,
    private readonly run?: Run,
  ) {
    this.#requestId = model.ids.uuid();
    const api = model.apis[name];
    this.#foundRoute = api.find(request) ?? api.findLacked(request);
    this.fault = model.faults.match({ api: name, operation: this.#operation }, now);
  }

  get #operation(): OperationName | undefined {
    return this.#foundRoute?.route.operation as OperationName | undefined;
  }

  /** Milliseconds for which an injected fault makes the request wait before it is carried out. */
  get delay(): number {
    return delayOf(this.#due("before"));
  }

  carryOut(now: number): Reply {
    this.#reply = this.#replyAt(now);
    return this.#reply;
  }

  record(now: number): void {
    const { name: api, request, fault } = this;
    // In the product, files go to another host.
    if (!this.model.journal.keepsRequests || this.#foundRoute?.route.isUpload) return;
    const { signer } = this.#handled;
    const sentBody = this.#handled.sentBody?.();
    const operation = this.#operation;
    this.model.journal.record(
      now,
      {
        api,
        ...(operation && { operation }),
        method: request.method,
        path: pathOf(request),
        status: this.#reply.answer?.status ?? 0,
        ...(sentBody === undefined ? {} : { requestBody: sentBody }),
        ...(signer && { keyId: signer.keyId }),
        ...(fault && { fault: fault.kind }),
      },
      this.model.apis[api].protocol.secretsOf(request),
      this.#recorded,
    );
  }

  #replyAt(now: number): Reply {
    const { model, name, request, fault } = this;
    const before = this.#due("before");
    if (before && before.kind !== "delay") return this.#faulty(before, jsonAnswer(200, {}), now);
    const foundRoute = this.#foundRoute;
    // For an undocumented route, the gateway of ClickHouse Cloud and HyperDX's server respond with an HTML page, by which
    // clients tell it from a missing object.
    if (!foundRoute) return this.#after(pageAnswer(404, `Cannot ${request.method} ${pathOf(request)}`), now);
    const { store, faults, apis } = model;
    const { routeOf } = apis[name];
    const run = runWithFault(fault, store, faults.aftermath, routeOf, this.run);
    const later = this.#due("later");
    let isPutOff = false;
    this.#handled = apis[name].handle(request, foundRoute, now, this.#requestId, (route, call) => {
      if (!later) return run(route, call);
      isPutOff = true;
      faults.aftermath.later(later, now, (moment) => {
        try {
          run(route, { ...call, now: moment });
        } catch {
          // Because of a fault, this request is carried out after its response was sent. So no client can get the error, and it
          // is ignored.
        }
        model.changed();
      });
      return undefined;
    });
    if (later && isPutOff) return this.#faulty(later, jsonAnswer(200, {}), now);
    return this.#after(this.#handled.answer ?? jsonAnswer(200, {}), now);
  }

  /** Makes the sandbox's reply to a request. An injected fault may have changed the response. */
  #after(answer: Answer, now: number): Reply {
    const after = this.#due("after");
    if (after && after.kind !== "delay") return this.#faulty(after, answer, now);
    this.#recorded = answer.body;
    return { answer, delay: delayOf(after) };
  }

  /** Makes the sandbox's reply to a request with an injected fault: another response, or none. */
  #faulty(fault: Fault, realAnswer: Answer, now: number): Reply {
    const { model, name: api, request } = this;
    const { store, ids } = model;
    const requestId = this.#requestId;
    const { method, url } = request;
    const errorAnswer = (error: ApiError) => model.apis[api].protocol.errorAnswer(error, requestId);
    const { answer: answerTo, cut } = kindOf(fault.kind);
    const answer = answerTo?.({
      fault,
      api,
      method,
      url,
      requestId,
      now,
      realAnswer,
      store,
      ids,
      errorAnswer,
    });
    this.#recorded = recordedBody(answer, fault, realAnswer);
    return answer ? { answer, cut } : {};
  }

  /**
   * Returns the fault that is injected into the request, if it takes effect before the request is carried out, afterwards, or
   * later, as asked.
   */
  #due(timing: Timing): Fault | undefined {
    const { fault } = this;
    if (fault === undefined || kindOf(fault.kind).affectsWrites) return undefined;
    return (fault.when ?? kindOf(fault.kind).when[0]) === timing ? fault : undefined;
  }
}

function delayOf(fault: Fault | undefined): number {
  return fault?.kind === "delay" ? (fault.milliseconds ?? 1000) : 0;
}

/**
 * Returns the response body for the sandbox's journal of requests. A fault may cut the response, but the journal needs the
 * whole body, since it finds secrets only in complete JSON.
 */
function recordedBody(answer: Answer | LargeAnswer | undefined, { kind }: Fault, realAnswer: Answer): string {
  if (!answer) return "";
  if (kind === "cut-short") return realAnswer.body;
  return typeof answer.body === "string" ? answer.body : "(an answer of many megabytes)";
}
