import type { FastifyRequest } from "fastify";
import { createApiServer } from "../http/apiServer";
import type { SandboxContext } from "../http/context";
import { jsonAnswer, pageAnswer } from "./answer";
import { ApiError } from "./apiError";
import { sha256 } from "./identifiers";
import { pageOf } from "./paging";
import type { RateLimiter } from "./rateLimit";
import { resources } from "./resources/registry";
import { isServedIn, type Resource } from "./resources/resource";
import type { ApiServer, RouteContext } from "./routeContext";

/**
 * The observability API: a bearer token, results in `data`, unknown members ignored.
 * A token belongs to one service and sees only its dashboards, alerts, sources and webhooks.
 * The seeded token belongs to the first service.
 */
export function createObservability(
  { store, answers, vocabulary, ...context }: SandboxContext,
  limiter?: RateLimiter,
): ApiServer {
  const api = createApiServer({
    ...context,
    store,
    vocabulary,
    name: "observability",
    ignoreUnknownMembers: true,
    secrets: (request) => [bearerToken(request) ?? ""],
    errorAnswer(_request, { status, message, shape, headers }) {
      if (shape === "empty") return { status, headers, body: "" };
      if (shape === "html") return pageAnswer(status, message, headers);
      const type = { "content-type": "text/plain; charset=utf-8" };
      if (shape === "text") return { status, headers: { ...type, ...headers }, body: message };
      return jsonAnswer(status, { [shape]: message }, headers);
    },
  });

  api.addHook("onRequest", async (request) => {
    if (request.is404) return;
    const token = bearerToken(request);
    const wait = limiter?.count(token ?? request.ip) ?? 0;
    if (wait > 0) {
      throw new ApiError(429, "Too many requests, please try again later.", "html", {
        "retry-after": String(Math.ceil(wait)),
      });
    }
    const tokenHash = sha256(token ?? "");
    const known = [...store.accessTokens.values()].find((candidate) => candidate.tokenHash === tokenHash);
    const service = known && store.services.get(known.serviceId);
    if (!service) throw new ApiError(401, "Unauthorized", "text");
    request.service = service;
  });

  const routes: RouteContext = {
    api,
    store,
    answers,
    vocabulary,
    name: "observability",
    list(request, reply, items, show) {
      if (vocabulary.dialect === "neutral") return routes.envelope(request, items.map(show));
      const { items: shown, meta } = pageOf(items, request.query);
      reply.header("x-total-count", meta.total);
      return { data: shown.map(show), meta };
    },
    envelope: (_request, result) => (result === undefined ? {} : { data: result }),
  };
  for (const resource of Object.values<Resource>(resources)) {
    const isHere = resource.place === "stack" || resource.place === "observability";
    if (isHere && isServedIn(vocabulary, resource))
      resource.routes(routes, `/api/v2/${resource.path(vocabulary)}`);
  }
  return api;
}

/** The token of a request. As on the product's server, "Bearer" is case-sensitive. */
function bearerToken(request: FastifyRequest): string | undefined {
  return /^Bearer (\S+)$/.exec(request.headers.authorization ?? "")?.[1];
}
