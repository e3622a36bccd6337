import { nameIn, typeOfToken } from "../../hosts/names";
import { ruleFailures } from "../../lifecycle/check";
import { isIgnored } from "../../lifecycle/ignored";
import { resourceKey } from "../../lifecycle/resource";
import type { Session } from "../../lifecycle/session";
import { declaredIn } from "../../lifecycle/state";
import { validate } from "../../lifecycle/validate";
import { withReferences } from "../../resources/references";
import { type TypeName, resources as types } from "../../resources/registry";
import { labelOf, pathOf } from "../../values/compare";
import type { Data } from "../../values/data";
import { keysIn } from "../../values/schema";
import type { RefreshStep, StateResource } from "../engine/stack";
import { nameObjects } from "../import/names";
import { printValue } from "../import/print";
import { type Reference, referencesTo } from "../import/program";
import { typescript } from "../import/typescript";
import { hidden, isSecret } from "../shared/secretValue";
import { type ChangedPlace, changedPlaces } from "./changedPlaces";
import type { Drift } from "./findDrift";

/** Code below a comment with its place, such as `Dashboard board, tiles["Errors"].config`. */
interface Block {
  readonly place: string;
  readonly code?: string;
}

/**
 * The smallest changes to a TypeScript program that keep the live values: each changed member below a comment with its
 * place. Ids of objects that the stack holds are references to variables that are named after their resources.
 *
 * @param steps the findings of the refresh
 * @param resources the resources in the state
 * @param session knows the settings, on which rules for inputs depend
 */
export function asCode(
  drift: readonly Drift[],
  steps: readonly RefreshStep[],
  resources: readonly StateResource[],
  session: Session,
): string {
  const references = referencesToAll(resources);
  const blocks = [...new Set(drift.map(({ urn }) => urn))].flatMap((urn) => {
    const entries = drift.filter((entry) => entry.urn === urn);
    const step = steps.find((one) => one.urn === urn && !one.old?.delete);
    const ignored = resources.find((one) => one.urn === urn && !one.delete)?.ignoreChanges ?? [];
    return blocksOf(entries, ignored, step, references, session);
  });
  return [...new Set(blocks.map(({ place }) => place))]
    .map((place) => {
      const codes = blocks.filter((block) => block.place === place).flatMap(({ code }) => code ?? []);
      return [`// ${place}`, ...codes].join("\n");
    })
    .join("\n\n");
}

function referencesToAll(resources: readonly StateResource[]): ReadonlyMap<string, Reference> {
  const objects = resources.flatMap(({ urn, type: token, id, outputs = {}, delete: isReplaced }) => {
    const type = typeOfToken(token);
    return type && id && !isReplaced ? [{ type, id, declared: { name: nameIn(urn) }, state: outputs }] : [];
  });
  return referencesTo(nameObjects(objects), typescript("pipestack"));
}

/** The code for one resource. */
function blocksOf(
  entries: readonly Drift[],
  ignored: readonly string[],
  step: RefreshStep | undefined,
  references: ReadonlyMap<string, Reference>,
  session: Session,
): Block[] {
  const [{ type, name }] = entries as readonly [Drift];
  const title = `${type} ${name}`;
  if (!step?.new) return [{ place: title, code: "// It is gone: remove it from the program." }];
  const { inputs: live = {}, outputs = {} } = step.new;
  const declared = step.old?.inputs ?? {};
  const secrets = entries.filter(({ found }) => found === hidden);
  const properties = entries
    .filter((entry) => !secrets.includes(entry))
    .map(({ property }) => property ?? "");
  const names = new Set(properties.map((property) => String(keysIn(property)[0])));
  const places = [...names].flatMap((property) =>
    changedPlaces(types[type].inputs, property, declared, live),
  );
  const needed = missingProperties(type, live, session).filter((property) => outputs[property] !== undefined);
  return [
    ...secrets.map(({ property }) => ({
      place: title,
      code: `// ${property}: a secret has changed, and is not shown.`,
    })),
    ...places
      .filter(({ keys }) => !isIgnored(pathOf(keys), ignored))
      .map((place) => blockOf(place, title, declared, references)),
    ...needed.map((property) =>
      blockOf({ kind: "member", keys: [property], value: outputs[property] }, title, declared, references),
    ),
  ];
}

function blockOf(
  { kind, keys, value }: ChangedPlace,
  title: string,
  declared: Data,
  references: ReadonlyMap<string, Reference>,
): Block {
  const [last = ""] = keys.slice(-1);
  const around = labelOf(declared, kind === "lost" ? keys : keys.slice(0, -1));
  const place = around === "" ? title : `${title}, ${around}`;
  if (kind === "lost") return { place: `${place}: remove it.` };
  if (value === hidden || isSecret(value)) return { place, code: `// ${last}: a secret, and not shown.` };
  const { [last]: source } = withReferences(
    { [last]: value },
    (type, id) => references.get(resourceKey({ type }, id))?.expression ?? id,
  ) as Data;
  if (kind === "gained")
    return { place: `${place}: add an entry at position ${last}.`, code: `${printValue(source)},` };
  if (value === undefined || value === null) return { place, code: `// Remove ${last}.` };
  return { place, code: `${last}: ${printValue(source, "", String(last).length + 2)},` };
}

/** The properties without which a program cannot declare the live values of the others. */
function missingProperties(type: TypeName, live: Data, session: Session): string[] {
  const resource = types[type];
  const present = Object.entries(declaredIn(resource, live)).filter(([, value]) => value !== null);
  const inputs = Object.fromEntries(present);
  const invalid = validate(resource.inputs, inputs);
  const failures = invalid.length > 0 ? invalid : ruleFailures(resource, inputs, inputs, session);
  const known = Object.keys(resource.inputs.properties);
  return failures.map(({ path }) => path).filter((path) => known.includes(path) && !(path in inputs));
}
