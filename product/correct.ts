import type { Correction } from "./correction";
import type { Schema, Table } from "./schema";

type Mutable = { [keyword: string]: unknown };

/** Copies the table of an API document's facts, with some corrections applied. */
export function corrected(raw: Table, those: readonly Correction[]): Table {
  const table = structuredClone(raw);
  for (const correction of those) for (const place of [correction.at].flat()) apply(correction, place, table);
  return table;
}

/**
 * Applies a correction at one place of an API document's table: a named schema or a part of an operation, followed by a path of
 * properties.
 */
function apply(
  { is, adds, requires = [], frees = [], rules = [] }: Correction,
  place: string,
  table: Table,
): void {
  if (adds) {
    // A document that has the operation by now knows more of it than the correction, which a test then calls superfluous.
    (table.operations as Mutable)[place] ??= structuredClone(adds);
    return;
  }
  const [start, path] = startOf(place, table);
  const steps = path.match(/\[\]|\{\}|[^.[\]{}]+/g) ?? [];
  const last = steps.at(-1);
  const owner = steps.slice(0, -1).reduce((schema, step) => stepInto(schema, step, place), start as Mutable);
  if (is === "absent") {
    delete (owner.properties as Mutable)[last ?? ""];
    return;
  }
  const target = last === undefined ? owner : stepInto(owner, last, place);
  if (is && "$ref" in target) for (const keyword of Object.keys(target)) delete target[keyword];
  for (const [keyword, value] of Object.entries(is ?? {}))
    if (value === undefined) delete target[keyword];
    else target[keyword] = structuredClone(value);
  if (requires.length + frees.length > 0) {
    const required = [...((target.required as string[]) ?? []), ...requires];
    target.required = required.filter((member) => !frees.includes(member));
  }
  if (rules.length > 0) target.rules = [...((target.rules as Schema[]) ?? []), ...rules];
}

/**
 * Finds the schema at which a correction's place begins, and the remaining path: `Alert.tags`, or `POST /v1/organizations
 * request.name`.
 */
function startOf(place: string, { operations, schemas }: Table): [start: object, path: string] {
  const [, request = "", part = "", path = ""] = /^([A-Z]+ \S+?)(?: (\w+))?(?:\.(\S+))?$/.exec(place) ?? [];
  if (request) {
    const operation = operations[request] as Mutable | undefined;
    // The table of an API document groups the schemas of an operation's answers by HTTP status. So the path of a place in an
    // answer begins with a status.
    const [first = "", ...others] = part === "answers" ? path.split(".") : ["", path];
    const within = part === "" ? operation : (operation?.[part] as Mutable | undefined);
    const start = first === "" ? within : within?.[first];
    if (typeof start !== "object" || start === null) throw new Error(`there is no ${place}`);
    return [start, others.join(".")];
  }
  const [, name = "", rest = ""] = /^(\w+)\.?(.*)$/.exec(place) ?? [];
  if (!schemas[name]) throw new Error(`there is no schema ${name}`);
  return [schemas[name], rest];
}

/**
 * Finds a property of a schema, and adds it if it is missing. If the schema has several parts, the part with the property is
 * taken.
 */
function stepInto(schema: Mutable, step: string, place: string): Mutable {
  if ("$ref" in schema) throw new Error(`${place} leads through ${schema.$ref}: correct that instead`);
  if (step === "[]") return made(schema, "items");
  if (step === "{}") return made(schema, "additionalProperties");
  const parts = [schema, ...((schema.allOf as Mutable[]) ?? [])];
  const owner = parts.find((part) => step in ((part.properties as Mutable) ?? {}));
  return made(made(owner ?? schema, "properties"), step);
}

function made(owner: Mutable, name: string): Mutable {
  const present = owner[name] ?? {};
  owner[name] = present;
  return present as Mutable;
}
