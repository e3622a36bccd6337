import axios, { AxiosError, CanceledError, type InternalAxiosRequestConfig } from "axios";
import type { Settings } from "../../../provider/api/settingsSchema";
import type { Session } from "../../../provider/lifecycle/session";
import { resources, type TypeName } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import type { Fault } from "../../../sandbox/core/faults/fault";
import { Model, type ModelOptions } from "../../../sandbox/core/model";
import type { ApiName, Request } from "../../../sandbox/core/request";
import { seededCredentials } from "../../../sandbox/index";
import { type Answer, reset, silence } from "../api/server";
import { useVirtualTime } from "../api/virtualTime";
import { sessionFor } from "./note";

const { organizationId, serviceId } = seededCredentials;
export const place = { organizationId, serviceId };

const channel = { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182921" };
export const alert = {
  ...{ name: "Slow", source: "search", threshold: 5, thresholdType: "above", interval: "5m" },
  channel,
};
export const tile = { name: "Errors", x: 0, y: 0, w: 6, h: 4, series: [{ type: "number" }] };
export const dashboard = { name: "Board", tags: ["b", "a"], tiles: [tile] };
export const key = { name: "reporting", roles: ["developer"] };
export const programs = { Alert: alert, Dashboard: dashboard, ApiKey: key };

type ListedType = keyof typeof programs;
const collections = { Alert: "alerts", Dashboard: "dashboards", ApiKey: "keys" } as const;

/** Answers a request in place of the test service; `carryOut` sends the request to the service and returns its answer. */
type Gateway = (operation: string, carryOut: () => Promise<Answer>, path: string) => Answer | Promise<Answer>;

export interface Course {
  /** Whether the test service carries out the create request. If absent, it does. */
  readonly carriedOut?: boolean;
  readonly answer?: Answer;
  /** Runs before the test service answers the create request. */
  meanwhile?(): void | Promise<void>;
}

/**
 * The number of tests that have begun. The provider's rate limits are shared in the process by URL, so each test needs other
 * URLs.
 */
let tests = 0;

/** Provides the sandbox's model to each test, without sockets and in virtual time. */
export function useService(options: ModelOptions = {}) {
  const time = useVirtualTime();
  const { adapter } = axios.defaults;
  const model: Model = new Model({
    ...options,
    planned: (due) => void setTimeout(() => model.advance(Date.now()), due - Date.now()),
  });

  const service = {
    model,
    time,
    requests: [] as string[],
    courses: [] as Course[],
    gateway: undefined as Gateway | undefined,
    settings: () => ({
      ...seededCredentials,
      baseUrl: `http://management.test${tests}.localhost`,
      obsBaseUrl: `http://observability.test${tests}.localhost`,
    }),
    open: (changed: Partial<Settings> = {}) => sessionFor({ ...service.settings(), ...changed }),
    verbs: () => service.requests.map((name) => /^[a-z]+/.exec(name)?.[0]).join(" "),
    create: (session: Session, type: ListedType = "Alert", changed: PropertyMap = {}) =>
      resources[type as TypeName].create({ ...place, ...programs[type], ...changed }, session),
    fault: (...faults: Fault[]) => model.faults.set(faults),
    count: (operation: string) => service.requests.filter((name) => name === operation).length,
    bodiesOf: (operation: string) =>
      model.journal.entries.flatMap((entry) => (entry.operation === operation ? [entry.requestBody] : [])),
    rewrite(operations: RegExp, text: RegExp, instead: string): void {
      service.gateway = async (operation, carryOut) => {
        const answer = await carryOut();
        if (!operations.test(operation) || typeof answer === "function") return answer;
        return { ...answer, body: String(answer.body).replace(text, instead) };
      };
    },
    stored: (id: string, type: ListedType = "Alert") =>
      model.store[collections[type]].get(id) as unknown as Record<string, unknown>,
    ids: (type: ListedType = "Alert") => [...model.store[collections[type]].keys()],
    addForeign(changed: PropertyMap = {}, type: ListedType = "Alert"): string {
      const now = new Date().toISOString();
      const id = String(changed.id ?? (type === "ApiKey" ? model.ids.uuid() : model.ids.object(Date.now())));
      const dates = { createdAt: now, ...(type === "Alert" && { updatedAt: now, state: "inactive" }) };
      const tiles = type === "Dashboard" && { tiles: [{ ...tile, id: model.ids.object(Date.now()) }] };
      const typeDates = type === "Dashboard" ? {} : dates;
      const owner = type === "ApiKey" ? {} : { serviceId };
      const record = { ...typeDates, ...programs[type], ...tiles, ...changed, id, ...owner };
      (model.store[collections[type]] as unknown as Map<string, object>).set(id, record);
      return id;
    },
  };

  beforeEach(async () => {
    tests++;
    await model.faults.clear();
    await model.reset();
    Object.assign(service, { requests: [], courses: [], gateway: undefined });
    axios.defaults.adapter = deliver;
  });
  afterEach(() => {
    axios.defaults.adapter = adapter;
  });

  async function deliver(config: InternalAxiosRequestConfig) {
    const { hostname, pathname, search } = new URL(axios.getUri(config));
    const api = hostname.split(".")[0] as ApiName;
    const headers = Object.entries(config.headers.toJSON()).map(([name, value]) => [
      name.toLowerCase(),
      value,
    ]);
    const request = {
      method: String(config.method).toUpperCase(),
      url: pathname + search,
      headers: Object.fromEntries(headers) as Request["headers"],
      ...(config.data !== undefined && { body: asText(config.data) }),
    };
    const operation = model.apis[api].find(request)?.route.operation ?? "none";
    service.requests.push(operation);
    const cancelled = new Promise<never>((_resolve, reject) =>
      config.signal?.addEventListener?.("abort", () =>
        reject(new CanceledError(undefined, undefined, config)),
      ),
    );
    const carryOut = () => answerTo(api, request);
    const answer = await Promise.race([
      (service.gateway ?? followCourse)(operation, carryOut, pathname),
      cancelled,
    ]);
    if (answer === silence) return cancelled;
    if (typeof answer === "function") throw new AxiosError("no answer", "ECONNRESET", config, {});
    const { status = 200, headers: answerHeaders = {}, body = "" } = answer;
    const data = typeof body === "string" ? body : JSON.stringify(body);
    return {
      status,
      statusText: "",
      headers: answerHeaders as Record<string, string>,
      data,
      config,
      request: {},
    };
  }

  async function answerTo(api: ApiName, request: Request): Promise<Answer> {
    const exchange = model.begin(api, request, Date.now());
    await pause(exchange.delay);
    const { answer, cut, delay = 0 } = exchange.carryOut(Date.now());
    exchange.record(Date.now() + delay);
    await pause(delay);
    return answer && !cut ? answer : reset;
  }

  async function followCourse(operation: string, carryOut: () => Promise<Answer>): Promise<Answer> {
    const {
      carriedOut = true,
      answer,
      meanwhile,
    } = (operation.startsWith("create") && service.courses.shift()) || {};
    const outcome = carriedOut ? await carryOut() : reset;
    await meanwhile?.();
    return answer ?? outcome;
  }

  return service;
}

/** The body of a request as the sandbox takes it: a file comes as Latin-1. */
const asText = (data: unknown) => (Buffer.isBuffer(data) ? data.toString("latin1") : String(data));

export async function pause(milliseconds: number): Promise<void> {
  if (milliseconds > 0) await new Promise((resolve) => setTimeout(resolve, milliseconds));
}
