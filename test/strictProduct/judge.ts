import Ajv, { type ValidateFunction } from "ajv";
import { managementAnswers, managementBodies } from "./managementSchemas";
import { observabilityAnswers, observabilityBodies } from "./observabilitySchemas";
import type { Documented } from "./schema";

export type Api = "management" | "observability";

type Documents = Readonly<Record<string, Documented>>;

const bodies: Documents = { ...managementBodies, ...observabilityBodies };
const answers: Documents = { ...managementAnswers, ...observabilityAnswers };

/** Of these the documents say nothing, or the operation itself judges what it is sent. */
const unjudged = ["validateDashboard", "createPipe", "putPipeSettings"];

/** What documents say of an operation by its own name, else by its noun. */
function documented(api: Api, operation: string, documents: Documents, verbs: RegExp): object | undefined {
  const [, verb, noun = ""] = verbs.exec(operation) ?? [];
  const isListed = verb === "list";
  const name = isListed ? noun.replace(/ies$/, "y").replace(/(?<=h)es$|s$/, "") : noun;
  const found = documents[operation] ?? documents[name];
  const schema =
    typeof found === "function" ? found(api === "management" ? "clickstack" : "api", isListed) : found;
  return schema && isListed ? { type: "array", items: schema } : schema;
}

/** The schema of a request's body; undefined for one without a body, or of which the documents say nothing. */
export function documentedBody(api: Api, operation: string): object | undefined {
  return documented(api, operation, bodies, /^(create|update|put)(\w+)$/);
}

/** The schema of an answer inside its envelope; undefined for a deletion, and where the documents say nothing. */
export function documentedAnswer(api: Api, operation: string): object | undefined {
  return documented(api, operation, answers, /^(list|create|get|update|put)(\w+)$/);
}

const ajv = new Ajv({ allErrors: true, strict: false });
const checks = new Map<string, ValidateFunction>();

/** What is wrong with a value; undefined if nothing is. */
function failureIn(key: string, schema: object, value: unknown): string | undefined {
  const check = checks.get(key) ?? ajv.compile(schema);
  checks.set(key, check);
  return check(value) ? undefined : ajv.errorsText(check.errors);
}

/** What the product's documents say of requests and answers, read apart from the sandbox. */
export const judge = {
  requestFailure(api: Api, operation: string, body: unknown): string | undefined {
    const schema = documentedBody(api, operation);
    if (schema) return failureIn(`body ${api} ${operation}`, schema, body);
    return body === undefined || unjudged.includes(operation) ? undefined : `${operation} has no body`;
  },
  answerFailure(api: Api, operation: string, result: unknown): string | undefined {
    if (operation.startsWith("delete")) return result === undefined ? undefined : "a deletion shows nothing";
    const schema = documentedAnswer(api, operation);
    if (!schema) throw new Error(`the documents do not show the answer to ${operation}`);
    // JSON has no undefined members.
    const plain = result === undefined ? undefined : JSON.parse(JSON.stringify(result));
    return failureIn(`answer ${api} ${operation}`, schema, plain);
  },
};
