import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value, ValueErrorType } from "@sinclair/typebox/value";
import { operationNames } from "../operations";
import { type FaultKind, type FaultParameter, faultKindNames, kindOfFault, moments } from "./kinds";

/** One of some words, with a rule for messages. */
function oneOf<Word extends string>(words: readonly Word[], description: string) {
  return Type.Union(
    words.map((word) => Type.Literal(word)),
    { description, rule: `one of ${words.join(", ")}` },
  );
}

function count(description: string) {
  return Type.Integer({ minimum: 1, description, rule: "a whole number from 1" });
}

/** What describes a fault, as JSON: what happens to which calls of which operation. */
export const faultSchema = Type.Object(
  {
    kind: oneOf(faultKindNames, "What happens"),
    operation: oneOf(["*", ...operationNames], "Which operation it happens to; * for any request"),
    api: Type.Optional(oneOf(["management", "observability"], "On which API. Default: both")),
    nth: Type.Optional(count("Only to this call, counted from when the fault was set")),
    from: Type.Optional(count("From this call on. Default: the first")),
    to: Type.Optional(count("Up to this call. Default: no end")),
    probability: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: "To each of these calls by chance, 0 to 1. Default: 1",
        rule: "a number from 0 to 1",
      }),
    ),
    seed: Type.Optional(
      Type.Integer({
        description: "The same seed makes the same chances. Default: 0",
        rule: "a whole number",
      }),
    ),
    when: Type.Optional(
      oneOf(moments, "In place of what was asked for, or once it was carried out. Default: by kind"),
    ),
    seconds: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 3600,
        description: "How long a 429 or 503 says to wait. Default: 1 for 429, unsaid for 503",
        rule: "a number from 0 to 3600",
      }),
    ),
    milliseconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 600_000,
        description: "How long a delay takes (default 1000), how long the port is closed (default: no end)",
        rule: "a whole number from 1 to 600000",
      }),
    ),
    megabytes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description: "Size of a huge answer (default 200), of an unpacked gzip bomb (default 1000)",
        rule: "a whole number from 1 to 10000",
      }),
    ),
    location: Type.Optional(
      Type.String({
        pattern: "^https?://[^/]+$",
        description: "The origin that is redirected to. Default: https://elsewhere.invalid",
        rule: "an origin, such as https://elsewhere.invalid",
      }),
    ),
  },
  { additionalProperties: false },
);

/**
 * A fault of the sandbox.
 *
 * @example
 * { "kind": "reset", "when": "after", "operation": "createAlert", "nth": 2 }
 */
export type Fault = Static<typeof faultSchema> & { kind: FaultKind };

/** Throws a TypeError that names the entry, the member and what it takes, unless it is a list of faults. */
export function checkFaults(faults: unknown): asserts faults is Fault[] {
  if (!Array.isArray(faults)) throw new TypeError("faults must be a list of faults");
  faults.forEach((fault, index) => {
    checkFault(fault, `faults[${index}]`);
  });
}

/** Throws a TypeError that names the member and what it takes, unless it is a fault. */
export function checkFault(fault: unknown, name = "fault"): asserts fault is Fault {
  const problem = problemOf(fault);
  if (problem) throw new TypeError(name + problem);
}

function problemOf(value: unknown): string | undefined {
  const error = Value.Errors(faultSchema, value).First();
  if (error) return shapeProblem(error.type, error.path, error.schema);
  const fault = value as Fault;
  const { when, parameters = [], ofConnections } = kindOfFault(fault.kind);
  const of = `of kind ${fault.kind}`;
  if (fault.when && !when.includes(fault.when)) return `.when must be ${when.join(" or ")} for one ${of}`;
  for (const name of ["seconds", "milliseconds", "megabytes", "location"] satisfies FaultParameter[]) {
    if (fault[name] !== undefined && !parameters.includes(name))
      return `.${name} has no meaning for one ${of}`;
  }
  const { nth, from, to, probability, seed, operation } = fault;
  if (nth !== undefined && (from ?? to) !== undefined) return ".nth conflicts with from and to";
  if (from !== undefined && to !== undefined && from > to) return ".from must not be above to";
  if (seed !== undefined && probability === undefined) return ".seed has no meaning without probability";
  if (!ofConnections) return undefined;
  if (operation !== "*") return `.operation must be * for one ${of}: a connection comes before its request`;
  if ((from ?? to ?? probability) !== undefined)
    return `: one ${of} starts with nth and ends when it is cleared`;
  return undefined;
}

function shapeProblem(type: ValueErrorType, path: string, schema: TSchema): string {
  const name = path.replaceAll("/", ".");
  if (type === ValueErrorType.ObjectAdditionalProperties) return `${name} is no member of a fault`;
  if (path === "") return " must be an object";
  return `${name} must be ${schema.rule}`;
}
