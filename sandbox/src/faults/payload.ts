import { randomUUID } from "node:crypto";
import type { Answer } from "../answer";
import { isUuid, newObjectId } from "../identifiers";
import type { ApiName } from "../operations";
import type { Store } from "../store";

/** A payload in the API's envelope. */
export function enveloped(api: ApiName, payload: unknown, requestId: string): object {
  return api === "management" ? { status: 200, requestId, result: payload } : { data: payload };
}

/** An object in place of a list, else a list. */
export function withOtherShape(api: ApiName, answer: Answer): Answer {
  const change = (payload: unknown) => (Array.isArray(payload) ? { items: payload } : [payload]);
  return withPayload(api, answer, change) ?? { ...answer, body: '["done"]' };
}

/** The same answer, each object with the id of another one, or a new id if there is no other. */
export function withOtherIds(api: ApiName, answer: Answer, store: Store): Answer {
  const change = (payload: unknown) =>
    withIds(payload, (id) => store.otherIdThan(id) ?? (isUuid(id) ? randomUUID() : newObjectId()));
  return withPayload(api, answer, change) ?? answer;
}

/** The same answer without ids. */
export function withoutIds(api: ApiName, answer: Answer): Answer {
  return withPayload(api, answer, (payload) => withIds(payload, () => undefined)) ?? answer;
}

/** The same answer with another payload in its envelope; undefined if it has none. */
function withPayload(
  api: ApiName,
  answer: Answer,
  change: (payload: unknown) => unknown,
): Answer | undefined {
  const member = api === "management" ? "result" : "data";
  const body = parse(answer.body);
  if (body?.[member] === undefined) return undefined;
  return { ...answer, body: JSON.stringify({ ...body, [member]: change(body[member]) }) };
}

function withIds(payload: unknown, change: (id: string) => string | undefined): unknown {
  if (Array.isArray(payload)) return payload.map((entry) => withIds(entry, change));
  if (typeof payload !== "object" || payload === null) return payload;
  const { id, key } = payload as { id?: unknown; key?: unknown };
  // Creating a key answers the key inside an object.
  if (key !== undefined) return { ...payload, key: withIds(key, change) };
  return typeof id === "string" ? { ...payload, id: change(id) } : payload;
}

function parse(body: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(body) ?? undefined;
  } catch {
    return undefined;
  }
}
