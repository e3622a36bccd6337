import { nameIn, typeOfToken } from "../../provider/engine/names";
import { withReferences } from "../../provider/resources/references";
import { declarable } from "../../provider/resources/registry";
import { differences, labelOf, pathOf } from "../../provider/values/compare";
import { isObject, type PropertyMap } from "../../provider/values/data";
import { isIgnored } from "../../provider/values/ignored";
import { valueAt } from "../../provider/values/pairing";
import { keysIn, schemaAt } from "../../provider/values/schema";
import type { TSchema } from "../../provider/values/schemaBuilders";
import type { RefreshStep, StateResource } from "../engine/stack";
import { nameObjects } from "../import/names";
import { memberName, printValue } from "../import/print";
import { type Reference, referenceKey, referencesTo } from "../import/program";
import { typescript } from "../import/typescript";
import { hidden, isSecret } from "../shared/secrets";
import type { Drift } from "./findDrift";
import { pairedByName } from "./namedEntries";

/** A piece of code for a program, below a comment with its place, such as `Dashboard board, tiles["Errors"].config`. */
interface Block {
  readonly place: string;
  readonly code?: string;
}

/** The smallest changes that make a TypeScript program declare the live values; variables stand for the stack's ids. */
export function asCode(
  drift: readonly Drift[],
  steps: readonly RefreshStep[],
  resources: readonly StateResource[],
): string {
  const references = referencesToAll(resources);
  const stepOf = new Map(steps.filter(({ old }) => !old?.delete).map((step) => [step.urn, step]));
  const resourceOf = new Map(
    resources.filter((resource) => !resource.delete).map((resource) => [resource.urn, resource]),
  );
  const blocks = [...groupedBy(drift, ({ urn }) => urn)].flatMap(([urn, entries]) => {
    const ignored = resourceOf.get(urn)?.ignoreChanges ?? [];
    return blocksOf(entries, ignored, stepOf.get(urn), references);
  });
  return [...groupedBy(blocks, ({ place }) => place)]
    .map(([place, group]) => [`// ${place}`, ...group.flatMap(({ code }) => code ?? [])].join("\n"))
    .join("\n\n");
}

function groupedBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item)) ?? [];
    group.push(item);
    groups.set(keyOf(item), group);
  }
  return groups;
}

function referencesToAll(resources: readonly StateResource[]): ReadonlyMap<string, Reference> {
  const objects = resources.flatMap(({ urn, type: token, id, outputs = {}, delete: isReplaced }) => {
    const type = typeOfToken(token);
    return type && id && !isReplaced ? [{ type, id, declared: { name: nameIn(urn) }, state: outputs }] : [];
  });
  return referencesTo(nameObjects(objects), typescript("pipestack"));
}

function blocksOf(
  entries: readonly Drift[],
  ignored: readonly string[],
  step: RefreshStep | undefined,
  references: ReadonlyMap<string, Reference>,
): Block[] {
  const [{ type, name }] = entries as readonly [Drift];
  const title = `${type} ${name}`;
  if (!step?.new) return [{ place: title, code: "// It is gone: remove it from the program." }];
  const { inputs: live = {} } = step.new;
  const declared = step.old?.inputs ?? {};
  const secrets = entries.filter(({ found: live }) => live === hidden);
  const properties = entries
    .filter(({ found: live }) => live !== hidden)
    .map(({ property }) => property ?? "");
  const names = new Set(properties.map((property) => String(keysIn(property)[0])));
  const places = [...names].flatMap((property) =>
    changedPlaces(declarable[type].inputs, property, declared, live),
  );
  return [
    ...secrets.map(({ property }) => ({
      place: title,
      code: `// ${property}: a secret has changed, and is not shown.`,
    })),
    ...places
      .filter(({ keys }) => !isIgnored(pathOf(keys), ignored))
      .map((place) => blockOf(place, title, declared, live, references)),
  ];
}

function blockOf(
  { kind, keys, value }: ChangedPlace,
  title: string,
  declared: PropertyMap,
  live: PropertyMap,
  references: ReadonlyMap<string, Reference>,
): Block {
  const [last = ""] = keys.slice(-1);
  const around = labelOf(declared, kind === "lost" ? keys : keys.slice(0, -1));
  const place = around === "" ? title : `${title}, ${around}`;
  if (kind === "lost") return { place: `${place}: remove it.` };
  const name = memberName(String(last));
  if (value === hidden || isSecret(value)) return { place, code: `// ${name}: a secret, and not shown.` };
  const members = valueAt(live, keys.slice(0, -1));
  const { [last]: source } = withReferences(
    { [last]: value },
    (type, id, beside) =>
      references.get(referenceKey(type, id, { ...(isObject(members) && members), ...beside }))?.expression ??
      id,
  ) as PropertyMap;
  if (kind === "gained")
    return { place: `${place}: add an entry at position ${last}.`, code: `${printValue(source)},` };
  if (value === undefined || value === null) return { place, code: `// Remove ${name}.` };
  return { place, code: `${name}: ${printValue(source, "", name.length + 2)},` };
}

interface ChangedPlace {
  /** The type of change: a property with another value, or an element that a list has lost or gained. */
  readonly kind: "member" | "lost" | "gained";
  /** The path of the change in the declared inputs; for a gained list element, its path in the live inputs. */
  readonly keys: readonly (string | number)[];
  /** The property's value in the service; absent if the service has none. */
  readonly value?: unknown;
}

/** The smallest changes from a declared property to its value in the service. A list of plain values changes as a whole. */
function changedPlaces(
  schema: TSchema,
  name: string,
  declared: PropertyMap,
  live: PropertyMap,
): ChangedPlace[] {
  const property = schemaAt(schema, name);
  const [old, now] = [declared[name], live[name]];
  const paired = pairedByName(old, now);
  if (!paired) return membersIn(property, old, now, [name]);
  const { partners, lost } = paired;
  const places: ChangedPlace[] = [
    ...lost.map((at) => ({ kind: "lost" as const, keys: [name, at] })),
    ...(now as readonly unknown[]).flatMap((value, at): ChangedPlace[] => {
      const partner = partners[at];
      if (partner === undefined) return [{ kind: "gained", keys: [name, at], value }];
      return membersIn(schemaAt(property, 0), valueAt(old, [partner]), value, [name, partner]);
    }),
  ];
  return places.length > 0 ? places : [{ kind: "member", keys: [name], value: now }];
}

/** The innermost properties that differ between the declared and the live value, each once. */
function membersIn(
  schema: TSchema,
  old: unknown,
  now: unknown,
  around: ChangedPlace["keys"],
): ChangedPlace[] {
  const members = differences(schema, old, now).map(({ keys }) => {
    return keys.slice(0, keys.map((key) => typeof key).lastIndexOf("string") + 1);
  });
  const distinct = new Map(members.map((keys) => [JSON.stringify(keys), keys]));
  return [...distinct.values()].map((keys) => ({
    kind: "member",
    keys: [...around, ...keys],
    value: valueAt(now, keys),
  }));
}
