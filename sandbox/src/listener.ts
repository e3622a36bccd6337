import { randomUUID } from "node:crypto";
import { createServer as createTlsServer } from "node:https";
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifySchemaValidationError,
  type FastifyServerFactory,
  type FastifyTypeProvider,
  type RawServerDefault,
} from "fastify";
import { type Answer, pageAnswer } from "./answer";
import { ApiError, badRequest } from "./apiError";
import type { Certificate } from "./certificate";
import { addFaultHooks } from "./faults/hooks";
import type { FaultScript } from "./faults/script";
import type { ApiName, Journal } from "./journal";
import type { ApiKey, Service } from "./records";
import type { Answers } from "./rewrites";
import type { Store } from "./store";
import type { Watchers } from "./watchers";
import type { Words } from "./words";

interface TypeBoxTypes extends FastifyTypeProvider {
  validator: this["schema"] extends TSchema ? Static<this["schema"]> : unknown;
}

/** A fastify server that knows the types of its TypeBox schemas. */
export type Listener = FastifyInstance<
  RawServerDefault,
  FastifyRequest["raw"],
  FastifyReply["raw"],
  FastifyBaseLogger,
  TypeBoxTypes
>;

/** What the routes of a noun need, whichever API serves them. */
export interface Surface {
  api: Listener;
  store: Store;
  answers: Answers;
  words: Words;
  /** Wraps a result as the API does; without one, as it answers a deletion. */
  envelope(request: FastifyRequest, result?: unknown): object;
}

declare module "fastify" {
  interface FastifyRequest {
    /** The service that the request is about; set before a handler runs on every route that has one. */
    service: Service;
    /** The key that signed the request, and its id as it was sent. Management API only. */
    signer?: { key: ApiKey; keyId: string };
    /** The body as it was sent: validation may take members out of `body`. */
    sentBody: unknown;
  }
}

/** The path parameters of a single object. */
export const idParameters = Type.Object({ id: Type.String() });

export interface ListenerOptions {
  name: ApiName;
  journal: Journal;
  watchers: Watchers;
  /** Whether members that a body's schema does not know are left out; otherwise they are refused. */
  ignoreUnknownMembers: boolean;
  /** Called after each request that may have changed the store. */
  changed(): void;
  /** The credentials of a request as plain text, so that the journal can keep them out. */
  secrets(request: FastifyRequest): string[];
  /** How the API words an error. */
  errorAnswer(request: FastifyRequest, error: ApiError): Answer;
  faults: FaultScript;
  store: Store;
  /** Key and certificate, to serve with TLS. */
  tls?: Certificate;
}

/** How long a connection stays open without a request. */
const keepAliveMilliseconds = 72_000;

/** A server with what both APIs share: parsing, validation, journal, errors and unknown routes. */
export function createListener(options: ListenerOptions): Listener {
  const app: Listener = fastify({
    bodyLimit: 32 * 1024 * 1024,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: 1000 },
    frameworkErrors: (_error, request, reply) => unknownRoute(request, reply),
    keepAliveTimeout: keepAliveMilliseconds,
    ...(options.tls && { serverFactory: serverWith(options.tls) }),
    ...bodyValidation(options.ignoreUnknownMembers),
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
    // A client that has gone in the meantime is one whose request was never read.
    if (request.raw.socket.destroyed) return reply.hijack();
  });
  app.addHook("preValidation", async (request) => {
    request.sentBody = structuredClone(request.body);
  });
  const record = (request: FastifyRequest, status: number) => {
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
    );
    options.changed();
  };
  addFaultHooks(app, { ...options, record });
  app.addHook("onSend", async (request, reply) => {
    record(request, reply.statusCode);
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
  // Without a body there is no type either.
  reply
    .code(status)
    .headers(headers)
    .send(body === "" ? undefined : body);
}

/** How a server checks bodies, and says what is wrong with one. */
export function bodyValidation(ignoreUnknownMembers: boolean) {
  return {
    schemaErrorFormatter: (errors: FastifySchemaValidationError[]) =>
      badRequest(errors.map(describe).join("; ")),
    ajv: {
      customOptions: {
        allErrors: true,
        coerceTypes: false,
        useDefaults: false,
        removeAdditional: ignoreUnknownMembers,
        allowUnionTypes: true,
      },
    },
  } as const;
}

/** What a gateway or a web framework says about a route that does not exist: a page, not the API's JSON. */
function unknownRoute(request: FastifyRequest, reply: FastifyReply): void {
  send(reply, pageAnswer(404, `Cannot ${request.method} ${pathOf(request)}`));
}

function pathOf({ url }: FastifyRequest): string {
  return url.split("?", 1)[0] ?? "";
}

function describe(error: FastifySchemaValidationError): string {
  const path = error.instancePath.split("/").slice(1).join(".");
  const subject = path === "" ? "body" : path;
  const { additionalProperty, allowedValues } = error.params;
  if (typeof additionalProperty === "string") return `${subject} has no member ${additionalProperty}`;
  if (Array.isArray(allowedValues)) return `${subject} must be one of ${allowedValues.join(", ")}`;
  return `${subject} ${error.message}`;
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
