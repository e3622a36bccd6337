import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value, ValueErrorType } from "@sinclair/typebox/value";
import { isWrite, operationNames } from "../operations";
import { faultParameters, parametersOf, timings } from "./definition";
import { type FaultKind, faultKindNames, faultKinds } from "./kinds";

/** Makes the schema of a text that is one of several values, with the rule that error messages quote. */
function oneOf<Value extends string>(values: readonly Value[], description: string) {
  return Type.Union(
    values.map((value) => Type.Literal(value)),
    { description, rule: `one of ${values.join(", ")}` },
  );
}

function count(description: string) {
  return Type.Integer({ minimum: 1, description, rule: "a whole number from 1" });
}

/** The schema of a fault that the sandbox injects: its kind, and the requests that it affects. */
export const faultSchema = Type.Object(
  {
    kind: oneOf(faultKindNames, "What goes wrong"),
    operation: oneOf(["*", ...operationNames], "The operation it affects; * for every request"),
    api: Type.Optional(oneOf(["management", "observability"], "The API it affects. Default: both")),
    nth: Type.Optional(count("Affects only this call, counted since the fault was set")),
    from: Type.Optional(count("First call affected. Default: 1")),
    to: Type.Optional(count("Last call affected. Default: no limit")),
    probability: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: "Probability for each of these calls, 0 to 1. Default: 1",
        rule: "a number from 0 to 1",
      }),
    ),
    seed: Type.Optional(
      Type.Integer({ description: "Seed of the random numbers. Default: 0", rule: "a whole number" }),
    ),
    when: Type.Optional(
      oneOf(
        timings,
        "Instead of carrying out the request, after it was carried out, or before it is carried out later. Default: depends on the kind",
      ),
    ),
    seconds: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 3600,
        description: "Wait that a 429 or 503 asks for. Default: 1 for 429, none for 503",
        rule: "a number from 0 to 3600",
      }),
    ),
    milliseconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 600_000,
        description:
          "Length of a delay (default 1000), how long the port is closed (default: no limit), how long answers are stale, or when a request is carried out later (default for both: 1000 without `requests`)",
        rule: "a whole number from 1 to 600000",
      }),
    ),
    requests: Type.Optional(
      count(
        "The same in further requests: so many see stale answers, or come before the one carried out later",
      ),
    ),
    megabytes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description: "Size of a huge response (default 200) or an unpacked gzip bomb (default 1000)",
        rule: "a whole number from 1 to 10000",
      }),
    ),
    location: Type.Optional(
      Type.String({
        pattern: "^https?://[^/]+$",
        description: "Origin to redirect to. Default: https://elsewhere.invalid",
        rule: "an origin, such as https://elsewhere.invalid",
      }),
    ),
  },
  { additionalProperties: false },
);

/**
 * A fault that the sandbox injects into requests, to test how a client handles it.
 *
 * @example
 * { "kind": "reset", "when": "after", "operation": "createAlert", "nth": 2 }
 */
export type Fault = Static<typeof faultSchema> & { kind: FaultKind };

/**
 * Checks a list of faults that a caller sets in the sandbox.
 * @throws TypeError that names the element of the list, its property and the violated rule
 */
export function checkFaults(faults: unknown): asserts faults is Fault[] {
  if (!Array.isArray(faults)) throw new TypeError("faults must be a list of faults");
  faults.forEach((fault, index) => {
    checkFault(fault, `faults[${index}]`);
  });
}

/**
 * Checks a fault that a caller sets in the sandbox.
 * @throws TypeError that names the property and the violated rule
 */
export function checkFault(fault: unknown, name = "fault"): asserts fault is Fault {
  const failure = failureOf(fault);
  if (failure) throw new TypeError(name + failure);
}

function failureOf(value: unknown): string | undefined {
  const error = Value.Errors(faultSchema, value).First();
  if (error) return shapeFailure(error.type, error.path, error.schema);
  const fault = value as Fault;
  const { when, affectsConnections, affectsWrites } = faultKinds[fault.kind];
  const ofKind = `a fault of kind ${fault.kind}`;
  if (fault.when && !when.includes(fault.when)) return `.when must be ${when.join(" or ")} for ${ofKind}`;
  const isLater = fault.when === "later";
  const parameters = parametersOf(faultKinds[fault.kind], fault.when);
  const stray = faultParameters.find((name) => fault[name] !== undefined && !parameters.includes(name));
  if (stray) return `.${stray} does not apply to ${ofKind}`;
  const { nth, from, to, probability, seed, operation } = fault;
  if ((affectsWrites || isLater) && operation !== "*" && !isWrite(operation))
    return `.operation must be one that changes something for ${ofKind}${isLater ? " later" : ""}`;
  if (nth !== undefined && (from ?? to) !== undefined) return ".nth conflicts with from and to";
  if (from !== undefined && to !== undefined && from > to) return ".from must not be greater than to";
  if (seed !== undefined && probability === undefined) return ".seed requires probability";
  if (!affectsConnections) return undefined;
  if (operation !== "*") return `.operation must be * for ${ofKind}: a connection comes before its request`;
  if ((from ?? to ?? probability) !== undefined)
    return `: ${ofKind} starts with nth and lasts until it is cleared`;
  return undefined;
}

function shapeFailure(type: ValueErrorType, path: string, schema: TSchema): string {
  const name = path.replaceAll("/", ".");
  if (type === ValueErrorType.ObjectAdditionalProperties) return `${name} is not a valid member of a fault`;
  if (path === "") return " must be an object";
  return `${name} must be ${schema.rule}`;
}
