import { isDeepStrictEqual } from "node:util";
import type { Data, Store } from "../../promises/store";
import type { Random } from "../random";
import type { Behaviour } from "./behaviour";
import type { Fault } from "./faults";
import { type Answer, foreignAnswers } from "./foreign";
import { isCollection, nouns } from "./nouns";
import { noRouteText, type Result, type Routes, type Understood } from "./routes";

/** What the service answers, and what it answers in place of that where something goes wrong. */
export class Answers {
  constructor(
    private readonly store: Store,
    private readonly routes: Routes,
    private readonly behaviour: Behaviour,
  ) {}

  /** A write that is not carried out, or carried out and answered as if it was not. */
  masked(request: Understood, fault: Fault): Result {
    const { kind, id = "" } = request;
    const before = this.store.get(kind, id);
    if (!before) return this.routes.carryOut(request);
    const old = { status: 200, payload: this.routes.shown(kind, before) };
    if (fault.kind === "swallowed")
      return fault.shows === "old"
        ? old
        : { status: 200, payload: { ...old.payload, ...request.body, id: before.id } };
    const result = this.routes.carryOut(request);
    return result.status === 200 ? old : result;
  }

  /** An object in the answer to a create that does not exist. */
  phantom({ kind, body }: Understood, random: Random): Result {
    if (kind === "keys") {
      const id = `00000000-0000-4000-a000-${random.hex(12)}`;
      return {
        status: 200,
        payload: { key: { ...body, id }, keyId: `key${random.hex(24)}`, keySecret: random.hex(36) },
      };
    }
    const tiles = ((body.tiles as Data[] | undefined) ?? []).map((tile) => ({ ...tile, id: random.hex(24) }));
    return {
      status: 200,
      payload: { ...body, ...(kind === "dashboards" ? { tiles } : {}), id: random.hex(24) },
    };
  }

  /** A create that is carried out and answered with another id; `*` in it stands for the right one. */
  withId(request: Understood, form: string): Result {
    const result = this.routes.carryOut(request);
    if (result.status !== 200) return result;
    const payload = result.payload as Data;
    const renamed = (object: Data) => ({ ...object, id: form.replace("*", String(object.id)) });
    const isKey = request.kind === "keys";
    return {
      ...result,
      payload: isKey ? { ...payload, key: renamed(payload.key as Data) } : renamed(payload),
    };
  }

  /** Another object of the kind in place of the one that was asked for. */
  otherObject(request: Understood, result: Result | undefined): Result {
    const { kind, id, method, body } = request;
    // Without a list, no client can tell one with the sent content from the object that it has created.
    const isTwin = (record: Data) =>
      method === "POST" &&
      Object.entries(body).every(([name, value]) => isDeepStrictEqual(record[name], value));
    const others = this.store
      .all(kind)
      .filter((record) => String(record.id).toLowerCase() !== id?.toLowerCase() && !isTwin(record));
    const [other] = others;
    if (!other) return result ?? { status: 500, error: "INTERNAL_ERROR" };
    const payload = this.routes.shown(kind, other);
    return {
      status: 200,
      payload: kind === "keys" && request.method === "POST" ? { key: payload } : payload,
    };
  }

  /** A result as the API sends it. */
  inEnvelope({ api, kind, method }: Understood, result: Result, random: Random): Answer {
    const { status, payload, error, meta } = result;
    if (error === noRouteText) return foreignAnswers.express;
    const date = new Date(Date.now() + this.behaviour.skew).toUTCString();
    const headers: Record<string, string> = { "content-type": "application/json", date };
    if (api === "management") {
      const requestId = `00000000-0000-4000-8000-${random.hex(12)}`;
      const code = /^[A-Z_]+:/.test(error ?? "") ? "" : "NOT_FOUND: ";
      const body =
        error === undefined
          ? { status, requestId, result: payload }
          : { status, error: `${code}${error}`, requestId };
      return { status, headers, body: JSON.stringify(body) };
    }
    if (error !== undefined) {
      if (isCollection(kind) && nouns[kind].isMissingAsText && status === 404)
        return { status, headers: { "content-type": "text/plain" }, body: "Not Found" };
      return { status, headers, body: JSON.stringify({ message: error }) };
    }
    if (method === "DELETE") return { status, headers, body: "{}" };
    if (result.isBare) return { status, headers, body: JSON.stringify(payload) };
    return { status, headers, body: JSON.stringify({ data: payload, ...(meta ? { meta } : {}) }) };
  }
}
