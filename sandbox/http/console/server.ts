import fastify, { type FastifyInstance } from "fastify";
import { ApiError, badRequest, notFound } from "../../core/apiError";
import type { Fault } from "../../core/faults/fault";
import type { Edit } from "../../core/kinds";
import type { Model } from "../../core/model";
import { requestOf } from "../apiServer";
import { Feed } from "./feed";
import { addSecurityHeaders, guard, securityHeaders } from "./guard";
import { pageRoutes } from "./pageFiles";
import { describeBodies, type RequestBodies } from "./snapshot";

export interface ConsoleServer {
  app: FastifyInstance;
  /** Sends the changes of the sandbox to open pages of the console. */
  changed(): void;
}

/**
 * Makes the HTTP server of the sandbox's console: a page that shows the records and requests of the sandbox, and changes its
 * objects behind a program's back. The console has a port of its own, so that faults of the APIs do not affect it. The journal
 * does not contain its requests.
 */
export function createConsoleServer(model: Model): ConsoleServer {
  const app = fastify({ forceCloseConnections: true, exposeHeadRoutes: false });
  const feed = new Feed(model);

  app.addHook("onRequest", addSecurityHeaders);
  app.addHook("onRequest", guard);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const { message, statusCode = 500 } = error;
    reply.code(error instanceof ApiError ? error.status : statusCode).send({ error: message });
  });

  pageRoutes(app);
  app.get("/events", (request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { ...securityHeaders, "content-type": "text/event-stream" });
    feed.add(reply.raw, Number(request.headers["last-event-id"]) || 0);
  });
  app.get("/requests/:number", async (request): Promise<RequestBodies> => {
    const { number } = request.params as { number: string };
    const entry = model.journal.entries.find((candidate) => String(candidate.number) === number);
    if (!entry) throw notFound("the sandbox no longer knows this request");
    return describeBodies(entry);
  });
  app.put("/objects/:kind/:id", async (request, reply) => {
    const { kind, id } = request.params as { kind: string; id: string };
    const answer = model.kinds.edit(kind, id, JSON.parse(String(request.body)) as Edit, Date.now());
    model.changed();
    return reply.code(answer.status).headers(answer.headers).send(answer.body);
  });
  faultRoutes(app, model);

  // Changes by the console follow the rules of the API. The console's page sees their outcome in the events that the server
  // sends.
  app.setNotFoundHandler(async (request, reply) => {
    const answer = model.change(requestOf(request, false), Date.now());
    if (!answer) throw notFound("There is nothing at this address; the console is at /.");
    model.changed();
    return reply.code(answer.status).headers(answer.headers).send(answer.body);
  });
  app.addHook("preClose", async () => feed.close());
  return { app, changed: () => feed.changed() };
}

function faultRoutes(app: FastifyInstance, { faults, changed }: Model): void {
  app.post("/faults", async (request) => {
    // `faults.add` validates the fault, so the console's route does not check its properties.
    const fault = JSON.parse(String(request.body)) as Fault;
    await faults.add(fault).catch((error: Error) => {
      throw error instanceof TypeError ? badRequest(error.message) : error;
    });
    changed();
    return {};
  });
  app.delete("/faults", async () => {
    await faults.clear();
    changed();
    return {};
  });
  app.delete("/faults/:id", async (request) => {
    const { id } = request.params as { id: string };
    if (!/^\d+$/.test(id)) throw badRequest("id must be a number");
    await faults.clear(Number(id));
    changed();
    return {};
  });
}
