import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Settings } from "../../../provider/api/settingsSchema";
import type { Session } from "../../../provider/lifecycle/session";
import { resources, type TypeName } from "../../../provider/resources/registry";
import type { Data } from "../../../provider/values/data";
import { type Answer, enveloped, place, useServer } from "../api/server";
import { useVirtualTime } from "../api/virtualTime";
import { sessionFor } from "./note";

/** How the server treats one request that creates. */
export interface Course {
  /** Whether it is carried out. Default: yes. */
  carriedOut?: boolean;
  /** What is answered. Default: the object. */
  answer?: Answer | "silence";
  /** What happens between the request and the answer. */
  meanwhile?(): void | Promise<void>;
}

const channel = { type: "webhook", webhookId: "w1" };
export const alert = {
  name: "Slow",
  source: "search",
  threshold: 5,
  thresholdType: "above",
  interval: "5m",
  channel,
};
export const tile = { name: "Errors", x: 0, y: 0, w: 6, h: 4, series: [{ type: "number" }] };
export const dashboard = { name: "Board", tags: ["b", "a"], tiles: [tile] };
export const key = { name: "reporting", roles: ["developer"] };
export const declared: Partial<Record<TypeName, Data>> = { Alert: alert, Dashboard: dashboard, ApiKey: key };

/** What an error says of an object that may exist, or come to be, although no list shows it. */
export const unseen = (description = `an alert named "Slow" on service ${place.serviceId}`) =>
  `The request may have been carried out, or may still be: before you run the update again, run npx pipestack orphans; if it lists ${description}, adopt it with adoptId or delete it`;

/** What it says further where new objects are there, none of which has the content that was sent. */
export const turnedInto = (ids: string) => `. The service may have turned it into one of these: ${ids}`;

/** What an error says of objects one of which the request may have created. */
export const inQuestion = (ids: string, noun = "alerts", remedy = "adopt it with adoptId or delete it") =>
  `The request may have been carried out. If one of these ${noun} is yours, ${remedy}: ${ids}`;

/** A collection of any kind for each test, on a server that treats each request that creates in its own way. */
export function useCollection() {
  const server = useServer();
  const time = useVirtualTime();
  let creations: number;
  const service = {
    server,
    time,
    /** What the collection holds. */
    objects: [] as Data[],
    /** How the next requests that create are treated. */
    courses: [] as Course[],
    /** When a new object says that it was created. Default: it does not say. */
    createdAt: undefined as (() => string) | undefined,
    /** The id of a new object. Default: `new` and its number, counted from 1. */
    newId: undefined as (() => string) | undefined,
    /** What deletions are answered instead of being carried out. */
    refusal: undefined as Answer | undefined,
    /** Tells when it has been listed. */
    lists: new EventEmitter(),
    sessionOf: (changed: Partial<Settings> = {}) =>
      sessionFor({ maxRetries: 1, timeoutSeconds: 10, ...changed }, server.current.url),
    create: (session: Session, type: TypeName = "Alert", changed: Data = {}) =>
      resources[type].create({ ...place, ...declared[type], ...changed }, session),
    ids: (): unknown[] => service.objects.map(({ id }) => id),
    methods: (): string[] => server.current.requests.map(({ method }) => method),
  };

  beforeEach(() => {
    creations = 0;
    Object.assign(service, {
      objects: [{ id: "old", ...alert }],
      courses: [],
      createdAt: undefined,
      newId: undefined,
      refusal: undefined,
      lists: new EventEmitter(),
    });
    server.current.alwaysAnswer((request, response) => void respond(request, response));
  });

  /** One collection of any kind, as a server has it that carries out what the courses say. */
  async function respond(request: IncomingMessage, response: ServerResponse) {
    const { method, url = "", socket } = request;
    const { body } = server.current.requests.at(-1) ?? {};
    if (method === "GET") {
      send(request, response, enveloped(service.objects));
      return service.lists.emit("list");
    }
    const id = url.slice(url.lastIndexOf("/") + 1);
    if (method === "DELETE") {
      if (service.refusal) return send(request, response, service.refusal);
      service.objects = service.objects.filter((object) => object.id !== id);
      return send(request, response, enveloped());
    }
    const { carriedOut = true, answer, meanwhile } = service.courses.shift() ?? {};
    const time = service.createdAt && { createdAt: service.createdAt() };
    const object = { id: service.newId?.() ?? `new${++creations}`, ...(body as Data), ...time };
    if (carriedOut) service.objects.push(object);
    await meanwhile?.();
    if (answer === "silence") return;
    const created = url.endsWith("/keys") ? { key: object, keyId: "id", keySecret: "s3cret" } : object;
    if (!socket.destroyed) send(request, response, answer ?? enveloped(created));
  }

  function send(request: IncomingMessage, response: ServerResponse, answer: Answer) {
    if (typeof answer === "function") return answer(request, response);
    response.writeHead(answer.status ?? 200, answer.headers).end(JSON.stringify(answer.body ?? ""));
  }

  return service;
}
