import { ApiError, badRequest } from "../../../sandbox/core/apiError";
import type { Model } from "../../../sandbox/core/model";
import { type ApiName, pathOf, type Request } from "../../../sandbox/core/request";
import type { Data } from "../../promises/store";
import type { Behaviour } from "./behaviour";

/** Returns the values that the simulated service stores for a request body, with the unusual behaviour of the history. */
export function stored(body: Data, { rewrites }: Behaviour): Data {
  const { name, tags, interval } = body;
  return {
    ...body,
    ...(rewrites.trims && typeof name === "string" ? { name: name.trim() } : {}),
    ...(rewrites.lowerCase && Array.isArray(tags)
      ? { tags: tags.map((tag) => String(tag).toLowerCase()) }
      : {}),
    ...(rewrites.intervals && interval === "60m" ? { interval: "1h" } : {}),
  };
}

/** Rewrites a request so that the sandbox's model handles it with the unusual behaviour that the history demands. */
export function asAsked(
  request: Request,
  api: ApiName,
  { apis, store }: Model,
  behaviour: Behaviour,
): Request {
  const { method, url, body } = request;
  if (method === "GET") return api === "observability" ? inPages(request, behaviour) : request;
  if (body === undefined) return request;
  const { route, params } = apis[api].find(request) ?? {};
  const sent: Data = JSON.parse(body);
  const kept = behaviour.putNulls ? undefined : store.alerts.get(params?.id ?? "");
  const whole =
    route?.operation === "updateAlert" && kept
      ? { ...textsOf(kept), ...sent }
      : route?.operation === "updateDashboard" && behaviour.putClears
        ? { tags: [], ...sent }
        : sent;
  return { ...request, url, body: JSON.stringify(stored(whole, behaviour)) };
}

function textsOf({ name, message }: { name: string | null; message: string | null }): Data {
  return { ...(name === null ? {} : { name }), ...(message === null ? {} : { message }) };
}

function inPages(request: Request, { page }: Behaviour): Request {
  if (page >= 1000) return request;
  const query = new URLSearchParams(request.url.split("?", 2)[1]);
  query.set("limit", String(Math.min(Number(query.get("limit") ?? page), page)));
  return { ...request, url: `${pathOf(request)}?${query}` };
}

/** Rewrites the result of an operation as the simulated service shows it, with the unusual behaviour of the history. */
export function asAnswered(operation: string, carryOut: () => unknown, behaviour: Behaviour): unknown {
  const { receipts, datesAlerts, showsNull, capitals, invalidIds } = behaviour;
  if (invalidIds && /^(get|update|delete)Key$/.test(operation)) return withInvalidIds(carryOut);
  const result = carryOut();
  if (receipts && /^create(Alert|Dashboard)$/.test(operation)) return { id: (result as Data).id };
  if (/Alerts?$/.test(operation) && !(datesAlerts && showsNull))
    return each(result, (alert) => {
      const shown = Object.entries(alert).filter(
        ([name, value]) => (datesAlerts || name !== "createdAt") && (showsNull || value !== null),
      );
      return Object.fromEntries(shown);
    });
  if (operation === "listKeys" && capitals)
    return each(result, (key) => ({ ...key, id: String(key.id).toUpperCase() }));
  return result;
}

function each(result: unknown, change: (object: Data) => Data): unknown {
  if (Array.isArray(result)) return result.map(change);
  return result === undefined ? undefined : change(result as Data);
}

function withInvalidIds(carryOut: () => unknown): unknown {
  try {
    return carryOut();
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) throw badRequest("Invalid API key id");
    throw error;
  }
}
