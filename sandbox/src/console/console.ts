import fastify, { type FastifyError } from "fastify";
import { ApiError, notFound } from "../apiError";
import { bodyValidation, type Listener, type Surface } from "../listener";
import { Answers } from "../rewrites";
import { alertRoutes } from "../routes/alerts";
import { dashboardRoutes } from "../routes/dashboards";
import { keyRoutes } from "../routes/keys";
import { queryEndpointRoutes } from "../routes/queryEndpoint";
import { serviceRoutes } from "../routes/services";
import type { Shared } from "../sandbox";
import { faultRoutes } from "./faults";
import { Feed } from "./feed";
import { addSecurityHeaders, guard, securityHeaders } from "./guard";
import { pageRoutes } from "./page";
import { seriesRoutes } from "./series";

/** The console, and how it learns that something has changed. */
export interface Console {
  app: Listener;
  changed(): void;
}

/**
 * A page on which a person sees what the sandbox holds and what it is asked, and changes it behind the back of programs. It has a
 * port of its own, so that a fault of an API leaves it alone. What is asked here is not in the journal.
 */
export function createConsole(shared: Shared): Console {
  const { store, words } = shared;
  const app: Listener = fastify({
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    ...bodyValidation(false),
  });
  const feed = new Feed(shared);

  app.addHook("onRequest", addSecurityHeaders);
  app.addHook("onRequest", guard);
  app.addHook("onRequest", async (request) => {
    const { serviceId } = request.params as { serviceId?: string };
    if (serviceId === undefined) return;
    const service = store.services.get(serviceId);
    if (!service) throw notFound("the sandbox has no such service");
    request.service = service;
  });
  app.setErrorHandler<FastifyError>((error, _request, reply) => {
    const { message, statusCode = 500 } = error;
    reply.code(error instanceof ApiError ? error.status : statusCode).send({ error: message });
  });
  app.setNotFoundHandler((_request, reply) => {
    reply.code(404).send({ error: "the console has no such address" });
  });

  pageRoutes(app);
  app.get("/events", (request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { ...securityHeaders, "content-type": "text/event-stream" });
    feed.add(reply.raw, Number(request.headers["last-event-id"]) || 0);
  });
  seriesRoutes(app, store, "/services/:serviceId/series");

  app.register(async (changes: Listener) => {
    changes.addHook("onResponse", async () => shared.changed());
    // The rules for a change are those of the API. The page sees the outcome in its events.
    const surface: Surface = {
      api: changes,
      store,
      answers: new Answers(store, new Set()),
      words,
      envelope: () => ({}),
    };
    keyRoutes(surface, "/keys");
    serviceRoutes(surface, "/services/:serviceId");
    queryEndpointRoutes(surface, "/services/:serviceId/queryEndpoint");
    dashboardRoutes(surface, "/services/:serviceId/dashboards");
    alertRoutes(surface, "/services/:serviceId/alerts");
    faultRoutes(changes, shared.faults);
  });
  app.addHook("preClose", async () => feed.close());
  return { app, changed: () => feed.changed() };
}
