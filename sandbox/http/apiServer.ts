import { createServer as createTlsServer } from "node:https";
import { setTimeout as pause } from "node:timers/promises";
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerFactory,
  type RawServerDefault,
} from "fastify";
import type { Model } from "../core/model";
import type { ApiName, Request } from "../core/request";
import type { Certificate } from "./certificate";
import { deliver } from "./delivery";
import type { Watchers } from "./watchers";

const keepAliveMilliseconds = 72_000;

export function createServer(
  handle: (request: FastifyRequest, isTooLarge: boolean, reply: FastifyReply) => Promise<unknown>,
  tls?: Certificate,
): FastifyInstance {
  const app = fastify({
    bodyLimit: 32 * 1024 * 1024,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 100_000 },
    frameworkErrors: (_error, request, reply) => void handle(request as never, false, reply as never),
    keepAliveTimeout: keepAliveMilliseconds,
    ...(tls && { serverFactory: serverWith(tls) }),
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/zip", { parseAs: "buffer" }, (_request, body, done) =>
    done(null, body.toString("latin1")),
  );
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
  app.setNotFoundHandler((request, reply) => handle(request, false, reply));
  app.setErrorHandler((error: { code?: string }, request, reply) => {
    if (error.code === "FST_ERR_CTP_BODY_TOO_LARGE") return handle(request, true, reply);
    throw error;
  });
  return app;
}

function serverWith(tls: Certificate): FastifyServerFactory<RawServerDefault> {
  return (handler) => {
    const server = createTlsServer(tls, handler);
    server.keepAliveTimeout = keepAliveMilliseconds;
    return server;
  };
}

export function requestOf(
  { method, url, headers, body, ip: address, protocol, host }: FastifyRequest,
  isTooLarge: boolean,
): Request {
  const origin = `${protocol}://${host}`;
  return { method, url, origin, headers, address, isTooLarge, ...(typeof body === "string" && { body }) };
}

export function createApiServer(
  name: ApiName,
  model: Model,
  watchers: Watchers,
  tls?: Certificate,
): FastifyInstance {
  const app = createServer(async (request, isTooLarge, reply) => {
    const { raw } = reply.hijack();
    const exchange = model.begin(name, requestOf(request, isTooLarge), Date.now());
    if (exchange.delay > 0) await pause(exchange.delay, undefined, { ref: false });
    const outcome = exchange.carryOut(Date.now());
    if (outcome.delay) await pause(outcome.delay, undefined, { ref: false });
    exchange.record(Date.now());
    model.changed();
    await watchers.tell("carriedOut", name, request);
    raw.once("finish", () => watchers.tell("answered", name, request));
    // When a fault of connections is set while a request is under way, it also ends the connection of that request.
    if (model.faults.endsConnections(name)) raw.shouldKeepAlive = false;
    deliver(raw, outcome);
  }, tls);
  app.addHook("onRequest", async (request, reply) => {
    await watchers.tell("received", name, request);
    // If the client has closed the connection before its request is read, the sandbox treats the request as never received.
    if (request.raw.socket.destroyed) return reply.hijack();
  });
  return app;
}
