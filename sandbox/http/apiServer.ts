import { randomUUID } from "node:crypto";
import { createServer as createTlsServer } from "node:https";
import fastify, {
  type FastifyError,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerFactory,
  type RawServerDefault,
} from "fastify";
import { type Answer, pageAnswer } from "../core/answer";
import { ApiError, badRequest } from "../core/apiError";
import { bodyValidation } from "../core/bodyValidation";
import type { ApiName } from "../core/operations";
import type { ApiServer } from "../core/routeContext";
import type { Certificate } from "./certificate";
import type { SandboxContext } from "./context";
import { addFaultHooks } from "./faultHooks";

type Shared = Pick<
  SandboxContext,
  "store" | "vocabulary" | "journal" | "faults" | "watchers" | "changed" | "tls"
>;

/** What differs between the APIs, and what they share. */
interface ApiOptions extends Shared {
  name: ApiName;
  /** Whether unknown members of a body are dropped; otherwise they are refused. */
  ignoreUnknownMembers: boolean;
  /** The credentials of a request in plain text, so that the journal can redact them. */
  secrets(request: FastifyRequest): string[];
  /** How the API reports an error. */
  errorAnswer(request: FastifyRequest, error: ApiError): Answer;
}

/** How long an idle connection stays open. */
const keepAliveMilliseconds = 72_000;

/** A server with what both APIs share: parsing, validation, journal, faults, errors and unknown routes. */
export function createApiServer(options: ApiOptions): ApiServer {
  const app: ApiServer = fastify({
    bodyLimit: 32 * 1024 * 1024,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: 1000 },
    frameworkErrors: (_error, request, reply) => unknownRoute(request, reply),
    keepAliveTimeout: keepAliveMilliseconds,
    ...(options.tls && { serverFactory: serverWith(options.tls) }),
    ...bodyValidation(options.ignoreUnknownMembers, options.vocabulary.dialect),
  });

  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body === "") done(null, undefined);
    else parseJson(request, body as string, done);
  });

  app.setErrorHandler<FastifyError>((error, request, reply) => {
    if (request.is404) unknownRoute(request, reply);
    else send(reply, options.errorAnswer(request, toApiError(error)));
  });
  app.setNotFoundHandler(unknownRoute);

  const { name, watchers } = options;
  app.addHook("onRequest", async (request, reply) => {
    await watchers.tell("received", name, request);
    // If the client has left in the meantime, its request counts as never read.
    if (request.raw.socket.destroyed) return reply.hijack();
  });
  app.addHook("preValidation", async (request) => {
    request.sentBody = structuredClone(request.body);
  });
  const record = (request: FastifyRequest, status: number, answer: string) => {
    const { operation } = request.routeOptions.config;
    options.journal.record(
      {
        api: options.name,
        ...(operation && { operation }),
        method: request.method,
        path: pathOf(request),
        status,
        ...(request.sentBody === undefined ? {} : { requestBody: request.sentBody }),
        ...(request.signer && { keyId: request.signer.keyId }),
        ...(request.fault && { fault: request.fault.kind }),
      },
      options.secrets(request),
      answer,
    );
    options.changed();
  };
  addFaultHooks(app, { ...options, record });
  app.addHook("onSend", async (request, reply, payload) => {
    record(request, reply.statusCode, String(payload ?? ""));
    await watchers.tell("carriedOut", name, request);
  });
  app.addHook("onResponse", (request) => watchers.tell("answered", name, request));
  return app;
}

function serverWith(tls: Certificate): FastifyServerFactory<RawServerDefault> {
  return (handler) => {
    const server = createTlsServer(tls, handler);
    server.keepAliveTimeout = keepAliveMilliseconds;
    return server;
  };
}

function send(reply: FastifyReply, { status, headers, body }: Answer): void {
  // fastify would add a content type to an empty body.
  reply
    .code(status)
    .headers(headers)
    .send(body === "" ? undefined : body);
}

/** A missing route answers as gateways and web frameworks do: with a page, not the API's JSON. */
function unknownRoute(request: FastifyRequest, reply: FastifyReply): void {
  send(reply, pageAnswer(404, `Cannot ${request.method} ${pathOf(request)}`));
}

function pathOf({ url }: FastifyRequest): string {
  return url.split("?", 1)[0] ?? "";
}

function toApiError(error: FastifyError): ApiError {
  if (error instanceof ApiError) return error;
  if (error.code === "FST_ERR_CTP_BODY_TOO_LARGE")
    return new ApiError(413, "request body too large", "empty");
  if (error.code === "FST_ERR_CTP_INVALID_MEDIA_TYPE")
    return new ApiError(415, "the body must be application/json");
  if (error instanceof SyntaxError || error.statusCode === 400) return badRequest("Invalid JSON payload");
  return new ApiError(error.statusCode ?? 500, error.message);
}
