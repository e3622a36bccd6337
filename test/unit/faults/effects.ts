import { ApiError, MissingObject, mayBeSentAgain, mayHappenYet } from "../../../provider/api/errors";
import type { OperationName as ProviderOperation } from "../../../provider/api/operations";
import { resources, type TypeName, typeNames } from "../../../provider/resources/registry";
import type { OperationName, Sandbox } from "../../../sandbox/index";
import { speaksPlainly } from "../../promises/conduct";
import { type Violation, violationsIn } from "../../promises/promise";
import { keepsSecrets } from "../../promises/secrets";
import { isStack } from "../../promises/store";
import { addKey, ownKey } from "../resources/apiKey.example";
import type { Requests } from "../resources/example";
import { examples } from "../resources/examples";
import { type Call, faultOf, idle, reset } from "./cells";
import { chartOf } from "./functionSteps";
import { furnish } from "./furnish";
import type { Service } from "./service";
import type { Setup } from "./step";
import type { Duration, Variant } from "./variants";

/** The effect that a fault at one request has for a caller of the provider's API client. */
export interface Effect {
  /**
   * Everything that a resource or function can observe after a fault: the answer or the type of the error, and what the service
   * has done. Two faults with the same signature at one request have the same consequences, so one run of the fault matrix is
   * enough for both.
   */
  readonly signature: string;
  readonly broken: readonly Violation[];
}

/**
 * Faults that forge the content of an answer. If the client accepts the forged answer, the fault matrix tests each of these
 * faults by itself.
 */
const forging =
  /^(404-envelope|other-shape|empty-object|null-data|(other|no|path|blank|foreign)-id|ignored|stale(-\w+)?)$/;

function requestOf(operation: OperationName, service: Service): [parameters: object, body?: object] {
  const { store, credentials } = service.sandbox;
  const [id = ""] = store.pipes.keys();
  const requests: Requests = {
    getPipe: [{ id }],
    getPipeSettings: [{ id }],
    getChartSeries: [{}, chartOf(service)],
    ...Object.assign({}, ...typeNames.map((type) => requestsOf(type, service))),
  };
  const [parameters, body] = requests[operation] ?? [{}];
  const { organizationId, serviceId } = credentials;
  return [{ organizationId, serviceId, ...parameters }, body];
}

function requestsOf(type: TypeName, service: Service): Requests {
  const { home: id, programs, requests } = examples[type];
  const { create, get, update, delete: remove = create } = resources[type].operations;
  const [first, next] = programs(service);
  if (requests) return requests;
  if (!id) return { [update]: [{}, first] };
  const about = { ...(get && { [get]: [{ id }] }), [remove]: [{ id }] };
  return { ...about, [create]: [{}, first], [update]: [{ id }, next] };
}

export async function effectOf(
  sandbox: Sandbox,
  setup: Setup | undefined,
  { operation, api }: Pick<Call, "operation" | "api">,
  variant: Variant,
  duration: Duration,
): Promise<Effect> {
  const service = await reset(sandbox, setup);
  furnish(service);
  addKey(sandbox, { id: ownKey });
  const { serviceId } = sandbox.credentials;
  const endpoint = { id: "own", serviceId, openApiKeys: [], allowedOrigins: "" };
  sandbox.store.queryEndpoints.set("own", { ...endpoint, roles: ["sql_console_admin"] });
  sandbox.store.scalingSchedules.set("own", { id: "own", serviceId, entries: [], updatedAt: "" });
  service.remember();
  const { recorder } = service;
  const [parameters, body] = requestOf(operation, service);
  await sandbox.faults.set([faultOf({ operation, api, nth: 1, position: 1 }, variant, duration)]);
  const session = service.session();
  let outcome = "";
  let doneAtOnce = "";
  const done = () => {
    recorder.note({ actor: "a", step: 0 });
    const commits = recorder.store.commits.filter(({ actor }) => isStack(actor));
    return `${recorder.created.length} added, ${new Set(commits.map(({ id }) => id)).size} changed`;
  };
  const emptyRun = () => ({ program: new Map(), after: new Map() });
  const act = async () => {
    try {
      const value = await session.call(operation as ProviderOperation, parameters as never, body);
      outcome = `answer of ${shapeOf(value)}${forgedBy(variant)}`;
    } catch (error) {
      outcome = `${seenOfError(error)}${error instanceof MissingObject ? forgedBy(variant) : ""}`;
      throw error;
    } finally {
      doneAtOnce = done();
    }
    return undefined;
  };
  await service.perform("up", 0, act, emptyRun);
  const broken = [...idle(sandbox), ...violationsIn(recorder.account(), [speaksPlainly, keepsSecrets])];
  // The sandbox carries out requests that a fault delayed once the fault is removed.
  await sandbox.faults.clear();
  const inTheEnd = done();
  return { signature: `${outcome}; ${doneAtOnce}; in the end ${inTheEnd}`, broken };
}

function forgedBy({ name, fault }: Variant): string {
  return forging.test(fault.kind) ? ` made up by ${name}` : "";
}

function seenOfError(error: unknown): string {
  if (!(error instanceof ApiError)) throw error;
  const isAbsent = error.site.status === 404 ? ", absent" : "";
  return `${error.name}${isAbsent}${mayHappenYet(error) ? ", may happen yet" : ""}${mayBeSentAgain(error) ? "" : ", final"}`;
}

function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `${value.length} entries`;
  if (typeof value !== "object" || value === null) return String(value);
  return Object.keys(value).sort().join();
}
