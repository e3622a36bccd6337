import { jsonAnswer, pageAnswer } from "../answer";
import { ApiError } from "../apiError";
import { sha256 } from "../identifiers";
import { pageOf } from "../paging";
import type { RateLimiter } from "../rateLimit";
import { authorizationOf, type Request } from "../request";
import type { Store } from "../store";
import type { Vocabulary } from "../vocabulary";
import type { Protocol } from "./protocol";

/**
 * The protocol of the observability API: a bearer token, results in `data`, and unknown properties ignored. A token belongs to
 * one service and gives access only to its dashboards, alerts, sources and webhooks. The token of a new sandbox belongs to the
 * first service.
 */
export function observability(store: Store, vocabulary: Vocabulary, limiter?: RateLimiter): Protocol {
  return {
    name: "observability",
    dropsUnknownMembers: true,
    pathOf: (resource) =>
      resource.place === "stack" || resource.place === "observability"
        ? `/api/v2/${resource.path(vocabulary)}`
        : undefined,
    admit(request, _params, now) {
      const token = bearerToken(request);
      const wait = limiter?.count(token ?? request.address ?? "", now) ?? 0;
      if (wait > 0)
        throw new ApiError(429, "Too many requests, please try again later.", "html", {
          "retry-after": String(Math.ceil(wait)),
        });
      const tokenHash = sha256(token ?? "");
      const accessToken = [...store.accessTokens.values()].find(
        (candidate) => candidate.tokenHash === tokenHash,
      );
      if (!accessToken || !store.services.has(accessToken.serviceId))
        throw new ApiError(401, "Unauthorized", "text");
      return { id: accessToken.serviceId };
    },
    answer({ isBare, paging }, { query }, result) {
      if (result === undefined) return jsonAnswer(200, {});
      if (isBare) return jsonAnswer(200, result);
      if (paging?.by !== "offset") return jsonAnswer(200, { data: result });
      const { items, meta } = pageOf(result as { id: string }[], query, paging);
      return jsonAnswer(200, { data: items, meta }, { "x-total-count": String(meta.total) });
    },
    errorAnswer({ status, message, shape, headers }) {
      if (shape === "empty") return { status, headers, body: "" };
      if (shape === "html") return pageAnswer(status, message, headers);
      const type = { "content-type": "text/plain; charset=utf-8" };
      if (shape === "text") return { status, headers: { ...type, ...headers }, body: message };
      return jsonAnswer(status, { [shape]: message }, headers);
    },
    secretsOf: (request) => [bearerToken(request) ?? ""],
  };
}

/** Reads the bearer token of an observability request. The word "Bearer" is case-sensitive, as on HyperDX's server. */
function bearerToken(request: Request): string | undefined {
  return /^Bearer (\S+)$/.exec(authorizationOf(request))?.[1];
}
