import axios, { AxiosError, CanceledError, type InternalAxiosRequestConfig } from "axios";
import type { Settings } from "../../../provider/api/settingsSchema";
import type { Session } from "../../../provider/lifecycle/session";
import { resources, type TypeName } from "../../../provider/resources/registry";
import type { Data } from "../../../provider/values/data";
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

/** The answer to a request for an operation at a path; `carryOut` lets the service carry it out, and answers as it does. */
type Gateway = (operation: string, carryOut: () => Promise<Answer>, path: string) => Answer | Promise<Answer>;

/** How one create is treated. */
export interface Course {
  /** Whether the service carries it out. Default: yes. */
  readonly carriedOut?: boolean;
  /** The answer in place of the service's own. */
  readonly answer?: Answer;
  /** What happens before the answer. */
  meanwhile?(): void | Promise<void>;
}

/** The tests of this process that have begun: its limits of rates are shared, and remember the address. */
let tests = 0;

/** The sandbox's model for each test, reached in process and in virtual time in place of the network. */
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
    /** The operations of all requests. */
    requests: [] as string[],
    /** How the next creates are treated. */
    courses: [] as Course[],
    /** Stands between the client and the service. */
    gateway: undefined as Gateway | undefined,
    /** Settings for the service, at an address of its own for each test. */
    settings: () => ({
      ...seededCredentials,
      baseUrl: `http://management.test${tests}.localhost`,
      obsBaseUrl: `http://observability.test${tests}.localhost`,
    }),
    open: (changed: Partial<Settings> = {}) => sessionFor({ ...service.settings(), ...changed }),
    /** What the service is asked: the verbs of the operations. */
    verbs: () => service.requests.map((name) => /^[a-z]+/.exec(name)?.[0]).join(" "),
    create: (session: Session, type: ListedType = "Alert", changed: Data = {}) =>
      resources[type as TypeName].create({ ...place, ...programs[type], ...changed }, session),
    fault: (...faults: Fault[]) => model.faults.set(faults),
    /** Makes the answers to some operations other ones. */
    rewrite(operations: RegExp, text: RegExp, instead: string): void {
      service.gateway = async (operation, carryOut) => {
        const answer = await carryOut();
        if (!operations.test(operation) || typeof answer === "function") return answer;
        return { ...answer, body: String(answer.body).replace(text, instead) };
      };
    },
    /** An object in the service, to be looked at or changed. */
    stored: (id: string, type: ListedType = "Alert") =>
      model.store[collections[type]].get(id) as unknown as Record<string, unknown>,
    /** The ids of the objects of a type, oldest first. */
    ids: (type: ListedType = "Alert") => [...model.store[collections[type]].keys()],
    /** Puts an object there that somebody else has made, and returns its id. */
    addForeign(changed: Data = {}, type: ListedType = "Alert"): string {
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
      ...(config.data !== undefined && { body: String(config.data) }),
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

/** Waits in the time of the test. */
export async function pause(milliseconds: number): Promise<void> {
  if (milliseconds > 0) await new Promise((resolve) => setTimeout(resolve, milliseconds));
}
