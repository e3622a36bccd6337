import { jsonAnswer } from "../answer";
import { ApiError, badRequest, notFound } from "../apiError";
import { seededCredentials } from "../credentials";
import { isUuid, sha256 } from "../identifiers";
import { allowsAddress } from "../ipAccess";
import { cursorPageOf, pageOf } from "../paging";
import type { RateLimiter } from "../rateLimit";
import { authorizationOf, type Request } from "../request";
import { permits } from "../resources/assignments";
import type { Store } from "../store";
import type { Vocabulary } from "../vocabulary";
import type { Protocol } from "./protocol";

const organization = "/v1/organizations/:organizationId";
const service = `${organization}/services/:serviceId`;

const seededServiceIds = [seededCredentials.serviceId, seededCredentials.secondServiceId];

const errorCodes: Record<number, string> = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  409: "CONFLICT",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  424: "FAILED_DEPENDENCY",
  429: "TOO_MANY_REQUESTS",
  501: "NOT_IMPLEMENTED",
  503: "SERVICE_UNAVAILABLE",
};

/**
 * The protocol of the management API: Basic authentication with a key, envelopes around results, and unknown properties
 * refused.
 */
export function management(
  store: Store,
  vocabulary: Vocabulary,
  limiter?: RateLimiter,
  enforcesPermissions = true,
): Protocol {
  const places = {
    ...{ management: "/v1", organization, service },
    ...{ stack: `${service}/${vocabulary.stack}`, observability: undefined },
  };

  /**
   * ClickHouse Cloud responds differently to a request about a deleted service (404) and about a service that never existed
   * (400).
   */
  const missingService = (id: string): ApiError => {
    const { deletedServiceIds = [] } = store.organization;
    const hasExisted = [...deletedServiceIds, ...seededServiceIds].includes(id);
    return vocabulary.dialect === "neutral" || hasExisted
      ? notFound("service not found")
      : badRequest("Invalid service id string");
  };

  return {
    name: "management",
    dropsUnknownMembers: false,
    pathOf(resource) {
      const place = places[resource.place];
      return place && `${place}/${resource.path(vocabulary)}`;
    },
    signerOf(request) {
      const { keyId, keySecret } = basicCredentials(request) ?? {};
      if (keyId === undefined || keySecret === undefined) return undefined;
      const [keyIdHash, keySecretHash] = [sha256(keyId), sha256(keySecret)];
      const signing = [...store.keys.values()].find(
        (key) => key.keyIdHash === keyIdHash && key.keySecretHash === keySecretHash,
      );
      return signing && { keyRecordId: signing.id, keyId };
    },
    admit(request, { organizationId, serviceId }, now, signer) {
      if (!basicCredentials(request)) throw new ApiError(401, "sign the request with Basic authentication");
      const key = store.keys.get(signer?.keyRecordId ?? "");
      if (!key) throw new ApiError(401, "unknown key id or wrong secret");
      if (key.state === "disabled") throw new ApiError(401, "the key is disabled");
      if (key.expireAt !== undefined && Date.parse(key.expireAt) <= now)
        throw new ApiError(401, "the key has expired");
      if (key.ipAccessList && !allowsAddress(key.ipAccessList, request.address ?? "127.0.0.1"))
        throw new ApiError(403, "the key may not be used from this address");
      const wait = limiter?.count(key.id, now) ?? 0;
      if (wait > 0)
        throw new ApiError(429, "too many requests", "message", { "x-ratelimit-reset": wait.toFixed(3) });
      key.usedAt = new Date(now).toISOString();
      if (organizationId === undefined) return undefined;
      if (!isUuid(organizationId)) throw badRequest("Invalid organization id");
      if (organizationId !== store.organization.id) throw notFound("organization not found");
      if (serviceId === undefined) return undefined;
      if (!isUuid(serviceId)) throw badRequest("Invalid service id");
      if (!store.services.has(serviceId)) throw missingService(serviceId);
      return { id: serviceId };
    },
    authorize({ permissions = [] }, { serviceId }, signer) {
      if (!enforcesPermissions) return;
      const keyId = signer?.keyRecordId ?? "";
      if (!permissions.every((permission) => permits(store, keyId, permission, serviceId)))
        throw new ApiError(403, "the key is not authorized to do this");
    },
    answer({ paging, entriesOfPage, status = 200 }, { query }, result, requestId) {
      // Certificates are a file, without the envelope around other answers.
      if (typeof result === "string")
        return { status, headers: { "content-type": "application/x-pem-file" }, body: result };
      const entries = result as { id: string }[];
      const content =
        paging?.by === "cursor"
          ? cursorPageOf(entries, query, paging, entriesOfPage)
          : paging?.by === "offset"
            ? // ClickHouse Cloud returns only the page of a list, without the number of all entries.
              { result: pageOf(entries, query, paging).items }
            : result === undefined
              ? {}
              : { result };
      return jsonAnswer(status, { status, requestId, ...content });
    },
    errorAnswer({ status, message, headers }, requestId) {
      const error = `${errorCodes[status] ?? "INTERNAL_SERVER_ERROR"}: ${message}`;
      return jsonAnswer(status, { status, error, requestId }, headers);
    },
    secretsOf: (request) => [basicCredentials(request)?.keySecret ?? ""],
  };
}

/**
 * Reads the key id and the secret of a management request from its Basic authentication, whether or not the sandbox has that
 * key.
 */
function basicCredentials(request: Request): { keyId: string; keySecret: string } | undefined {
  const encoded = /^basic ([\w+/]+=*)$/i.exec(authorizationOf(request))?.[1];
  const [, keyId, keySecret] = /^([^:]+):(.+)$/s.exec(Buffer.from(encoded ?? "", "base64").toString()) ?? [];
  return keyId && keySecret ? { keyId, keySecret } : undefined;
}
