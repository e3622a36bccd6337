import type { FastifyRequest } from "fastify";
import { createApiServer } from "../http/apiServer";
import type { SandboxContext } from "../http/context";
import { jsonAnswer } from "./answer";
import { ApiError, badRequest, notFound } from "./apiError";
import { isUuid, sha256 } from "./identifiers";
import { allowsAddress } from "./ipAccess";
import type { RateLimiter } from "./rateLimit";
import { resources } from "./resources/registry";
import { isServedIn, type Resource } from "./resources/resource";
import type { ApiServer, RouteContext } from "./routeContext";

const organizationPath = "/v1/organizations/:organizationId";
const servicePath = `${organizationPath}/services/:serviceId`;

const errorCodes: Record<number, string> = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  409: "CONFLICT",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  429: "TOO_MANY_REQUESTS",
  501: "NOT_IMPLEMENTED",
  503: "SERVICE_UNAVAILABLE",
};

/** The management API: Basic authentication with a key, an envelope around results, unknown members refused. */
export function createManagement(
  { store, answers, vocabulary, ...context }: SandboxContext,
  limiter?: RateLimiter,
): ApiServer {
  const api = createApiServer({
    ...context,
    store,
    vocabulary,
    name: "management",
    ignoreUnknownMembers: false,
    secrets: (request) => [basicCredentials(request)?.keySecret ?? ""],
    errorAnswer(request, { status, message, headers }) {
      const error = `${errorCodes[status] ?? "INTERNAL_SERVER_ERROR"}: ${message}`;
      return jsonAnswer(status, { status, error, requestId: request.id }, headers);
    },
  });

  api.addHook("onRequest", async (request) => {
    if (request.is404) return;
    authenticate(request);
    const { organizationId, serviceId } = request.params as Record<string, string | undefined>;
    if (!isUuid(organizationId ?? "")) throw badRequest("Invalid organization id");
    if (organizationId !== store.organization.id) throw notFound("organization not found");
    if (serviceId === undefined) return;
    if (!isUuid(serviceId)) throw badRequest("Invalid service id");
    const service = store.services.get(serviceId);
    if (!service) throw notFound("service not found");
    request.service = service;
  });

  function authenticate(request: FastifyRequest): void {
    const credentials = basicCredentials(request);
    if (!credentials) throw new ApiError(401, "sign the request with Basic authentication");
    const keyIdHash = sha256(credentials.keyId);
    const keySecretHash = sha256(credentials.keySecret);
    const key = [...store.keys.values()].find(
      (candidate) => candidate.keyIdHash === keyIdHash && candidate.keySecretHash === keySecretHash,
    );
    if (!key) throw new ApiError(401, "unknown key id or wrong secret");
    request.signer = { keyRecordId: key.id, keyId: credentials.keyId };
    if (key.state === "disabled") throw new ApiError(401, "the key is disabled");
    if (key.expireAt !== undefined && Date.parse(key.expireAt) <= Date.now()) {
      throw new ApiError(401, "the key has expired");
    }
    if (key.ipAccessList && !allowsAddress(key.ipAccessList, request.ip)) {
      throw new ApiError(403, "the key may not be used from this address");
    }
    const wait = limiter?.count(key.id) ?? 0;
    if (wait > 0) {
      throw new ApiError(429, "too many requests", "message", { "x-ratelimit-reset": wait.toFixed(3) });
    }
    key.usedAt = new Date().toISOString();
  }

  const routes: RouteContext = {
    api,
    store,
    answers,
    vocabulary,
    name: "management",
    list: (request, _reply, items, show) => routes.envelope(request, items.map(show)),
    envelope: (request, result) => ({
      status: 200,
      requestId: request.id,
      ...(result === undefined ? {} : { result }),
    }),
  };
  const places = {
    organization: organizationPath,
    service: servicePath,
    stack: `${servicePath}/${vocabulary.stack}`,
    observability: undefined,
  };
  for (const resource of Object.values<Resource>(resources)) {
    const place = places[resource.place];
    const isServed = place !== undefined && isServedIn(vocabulary, resource);
    if (isServed) resource.routes(routes, `${place}/${resource.path(vocabulary)}`);
  }
  return api;
}

function basicCredentials(request: FastifyRequest): { keyId: string; keySecret: string } | undefined {
  const encoded = /^basic ([\w+/]+=*)$/i.exec(request.headers.authorization ?? "")?.[1];
  const [, keyId, keySecret] = /^([^:]+):(.+)$/s.exec(Buffer.from(encoded ?? "", "base64").toString()) ?? [];
  return keyId && keySecret ? { keyId, keySecret } : undefined;
}
