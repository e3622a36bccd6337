import type { Answer } from "../answer";
import type { ApiName } from "../request";

export function enveloped(api: ApiName, payload: unknown, requestId: string): object {
  return api === "management" ? { status: 200, requestId, result: payload } : { data: payload };
}

/** Makes a wrong response for a fault: an object in place of a list, or a list in place of an object. */
export function withOtherShape(api: ApiName, answer: Answer): Answer {
  const change = (payload: unknown) => (Array.isArray(payload) ? { items: payload } : [payload]);
  return withPayload(api, answer, change) ?? { ...answer, body: '["done"]' };
}

/** Makes a wrong response for a fault, in which each object has another id, or none. */
export function withIds(api: ApiName, answer: Answer, change: (id: string) => string | undefined): Answer {
  return withPayload(api, answer, (payload) => changeIds(payload, change)) ?? answer;
}

/** Replaces the payload in the envelope of a response; undefined if the response has no payload. */
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

function changeIds(payload: unknown, change: (id: string) => string | undefined): unknown {
  if (Array.isArray(payload)) return payload.map((entry) => changeIds(entry, change));
  if (typeof payload !== "object" || payload === null) return payload;
  const { id, key, items } = payload as { id?: unknown; key?: unknown; items?: unknown };
  // In the response with a page of a list, the payload has the objects of the list in `items`.
  if (Array.isArray(items)) return { ...payload, items: changeIds(items, change) };
  // The response to the creation of an API key has the created object in `key`.
  if (key !== undefined) return { ...payload, key: changeIds(key, change) };
  return typeof id === "string" ? { ...payload, id: change(id) } : payload;
}

function parse(body: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(body) ?? undefined;
  } catch {
    return undefined;
  }
}
