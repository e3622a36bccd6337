import Ajv, { type ValidateFunction } from "ajv";
import {
  answeredActivity,
  answeredAlert,
  answeredApiEndpoint,
  answeredCaller,
  answeredConnection,
  answeredDashboard,
  answeredEndpoint,
  answeredKey,
  answeredNewKey,
  answeredOutcome,
  answeredPipe,
  answeredReverseEndpoint,
  answeredRole,
  answeredSavedQuery,
  answeredSchedule,
  answeredSearch,
  answeredService,
  answeredSource,
  answeredWebhook,
  listedApiEndpoint,
  listedSavedQuery,
} from "./answerSchemas";
import { type BodyName, bodySchema, failureIn } from "./schemas";
import type { Server } from "./tileSchemas";

export type Api = "management" | "observability";

const whereOf = (api: Api): Server => (api === "management" ? "clickstack" : "api");

/** The bodies of operations that both servers have, with their words for it before the name. */
const ofStack: Readonly<Record<string, string>> = {
  createDashboard: "Dashboard",
  updateDashboard: "DashboardUpdate",
  createAlert: "Alert",
  updateAlert: "Alert",
  createSource: "Source",
  updateSource: "Source",
  createSavedSearch: "SavedSearch",
  updateSavedSearch: "SavedSearch",
};

const exceptions: Readonly<Record<string, BodyName>> = {
  updateScaling: "scaling",
  updateReplicaScaling: "replicaScaling",
  createKey: "createKey",
  updateKey: "updateKey",
  putQueryEndpoint: "queryEndpoint",
  putScalingSchedule: "scalingSchedule",
  createQueryApiEndpoint: "queryApiEndpoint",
  updateQueryApiEndpoint: "queryApiEndpoint",
  createSavedQuery: "savedQuery",
  updateSavedQuery: "savedQuery",
  createWebhook: "webhook",
  updateWebhook: "webhook",
  createConnection: "connection",
  updateConnection: "connection",
  getChartSeries: "chartSeries",
};

/** Of these the documents say nothing, or the operation itself judges what it is sent. */
const unjudged = ["validateDashboard", "createPipe", "putPipeSettings"];

/** What one object is in answers, by what operations call it. */
const objects: Readonly<Record<string, (server: Server, isListed: boolean) => object>> = {
  Alert: answeredAlert,
  Dashboard: answeredDashboard,
  Source: () => answeredSource,
  Webhook: () => answeredWebhook,
  SavedSearch: () => answeredSearch,
  Connection: () => answeredConnection,
  Key: () => answeredKey,
  Activity: () => answeredActivity,
  Role: () => answeredRole,
  QueryEndpoint: () => answeredEndpoint,
  ScalingSchedule: () => answeredSchedule,
  QueryApiEndpoint: (_, isListed) => (isListed ? listedApiEndpoint : answeredApiEndpoint),
  SavedQuery: (_, isListed) => (isListed ? listedSavedQuery : answeredSavedQuery),
  Service: () => answeredService,
  Scaling: () => answeredService,
  ReplicaScaling: () => answeredService,
  Pipe: () => answeredPipe,
  ReversePrivateEndpoint: () => answeredReverseEndpoint,
  PipeSettings: () => ({ type: "object", additionalProperties: { type: ["number", "boolean"] } }),
};

const ajv = new Ajv({ allErrors: true, strict: false });
const checks = new Map<string, ValidateFunction>();

function checkOf(api: Api, operation: string): ValidateFunction {
  const key = `${api} ${operation}`;
  const check = checks.get(key) ?? ajv.compile(schemaOf(whereOf(api), operation));
  checks.set(key, check);
  return check;
}

function schemaOf(server: Server, operation: string): object {
  const schema = answerSchema(server, operation);
  if (!schema) throw new Error(`the documents do not show the answer to ${operation}`);
  return schema;
}

function answerSchema(server: Server, operation: string): object | undefined {
  if (operation === "createKey") return answeredNewKey;
  if (operation === "validateDashboard") return answeredOutcome;
  if (operation === "getChartSeries") return { type: "array", items: { type: "object" } };
  if (operation === "whoami") return answeredCaller;
  const [, verb, noun = ""] = /^(list|create|get|update|put)(\w+)$/.exec(operation) ?? [];
  const isListed = verb === "list";
  const name = isListed ? noun.replace(/ies$/, "y").replace(/(?<=h)es$|s$/, "") : noun;
  const object = objects[name]?.(server, isListed);
  return object && isListed ? { type: "array", items: object } : object;
}

/** Name of the body that the documents of one API describe for an operation. */
export function bodyOf(api: Api, operation: string): BodyName | undefined {
  const stack = ofStack[operation];
  return stack ? (`${whereOf(api)}${stack}` as BodyName) : exceptions[operation];
}

/** The schema of a request's body; undefined for one without a body, or of which the documents say nothing. */
export function documentedBody(api: Api, operation: string): object | undefined {
  const name = bodyOf(api, operation);
  return name && bodySchema(name);
}

/** The schema of an answer inside its envelope; undefined for a deletion, and where the documents say nothing. */
export function documentedAnswer(api: Api, operation: string): object | undefined {
  return answerSchema(whereOf(api), operation);
}

/** What the product's documents say of requests and answers, read apart from the sandbox. */
export const judge = {
  requestFailure(api: Api, operation: string, body: unknown): string | undefined {
    const name = bodyOf(api, operation);
    if (name) return failureIn(name, body);
    return body === undefined || unjudged.includes(operation) ? undefined : `${operation} has no body`;
  },
  answerFailure(api: Api, operation: string, result: unknown): string | undefined {
    if (operation.startsWith("delete")) return result === undefined ? undefined : "a deletion shows nothing";
    // JSON has no undefined members.
    const plain = result === undefined ? undefined : JSON.parse(JSON.stringify(result));
    const check = checkOf(api, operation);
    return check(plain) ? undefined : ajv.errorsText(check.errors);
  },
};
