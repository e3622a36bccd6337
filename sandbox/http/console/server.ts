import fastify, { type FastifyError } from "fastify";
import { ApiError, notFound } from "../../core/apiError";
import { bodyValidation } from "../../core/bodyValidation";
import { resources } from "../../core/resources/registry";
import { isServedIn, type Resource } from "../../core/resources/resource";
import { Answers } from "../../core/rewrites";
import type { ApiServer, RouteContext } from "../../core/routeContext";
import type { SandboxContext } from "../context";
import { faultRoutes } from "./faults";
import { Feed } from "./feed";
import { addSecurityHeaders, guard, securityHeaders } from "./guard";
import { pageRoutes } from "./pageFiles";
import { seriesRoutes } from "./series";
import { describeBodies, type RequestBodies } from "./snapshot";

/** The server of the console. */
export interface ConsoleServer {
  app: ApiServer;
  /** Tells open pages that something has changed. */
  changed(): void;
}

/**
 * The console: a page that shows what the sandbox holds and which requests it gets, and changes its objects behind a program's
 * back. It has a port of its own, so that faults of the APIs leave it alone. Its own requests are not in the journal.
 */
export function createConsoleServer(context: SandboxContext): ConsoleServer {
  const { store, vocabulary } = context;
  const app: ApiServer = fastify({
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    ...bodyValidation(false, "neutral"),
  });
  const feed = new Feed(context);

  app.addHook("onRequest", addSecurityHeaders);
  app.addHook("onRequest", guard);
  app.addHook("onRequest", async (request) => {
    const { serviceId } = request.params as { serviceId?: string };
    if (serviceId === undefined) return;
    const service = store.services.get(serviceId);
    if (!service) throw notFound("service not found");
    request.service = service;
  });
  app.setErrorHandler<FastifyError>((error, _request, reply) => {
    const { message, statusCode = 500 } = error;
    reply.code(error instanceof ApiError ? error.status : statusCode).send({ error: message });
  });
  app.setNotFoundHandler((_request, reply) => {
    reply.code(404).send({ error: "There is nothing at this address; the console is at /." });
  });

  pageRoutes(app);
  app.get("/events", (request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { ...securityHeaders, "content-type": "text/event-stream" });
    feed.add(reply.raw, Number(request.headers["last-event-id"]) || 0);
  });
  app.get("/requests/:number", async (request): Promise<RequestBodies> => {
    const { number } = request.params as { number: string };
    const entry = context.journal.entries.find((candidate) => String(candidate.number) === number);
    if (!entry) throw notFound("the sandbox no longer knows this request");
    return describeBodies(entry);
  });
  seriesRoutes(app, store, "/services/:serviceId/series");

  app.register(async (changes: ApiServer) => {
    changes.addHook("onResponse", async () => context.changed());
    // Changes follow the rules of the API. The page sees the outcome in its events.
    const routes: RouteContext = {
      api: changes,
      store,
      answers: new Answers(() => undefined, new Set()),
      vocabulary,
      name: "observability",
      envelope: () => ({}),
      list: () => ({}),
    };
    for (const resource of Object.values<Resource>(resources)) {
      const place = resource.place === "organization" ? "" : "/services/:serviceId";
      if (isServedIn(vocabulary, resource)) resource.routes(routes, `${place}/${resource.path(vocabulary)}`);
    }
    faultRoutes(changes, context.faults);
  });
  app.addHook("preClose", async () => feed.close());
  return { app, changed: () => feed.changed() };
}
