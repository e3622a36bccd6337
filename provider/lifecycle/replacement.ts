import {
  type Change,
  type Difference,
  differences,
  digest,
  equalByDefault,
  isAbsent,
  isEmpty,
  leavesOf,
  pathOf,
  replacementAt,
} from "../values/compare";
import { ownMember, type PropertyMap, pick } from "../values/data";
import { valueAt } from "../values/pairing";
import { annotationsOf, keysIn, schemasAlong } from "../values/schema";
import type { TSchema } from "../values/schemaBuilders";
import { containsUnknown } from "../values/unknown";
import type { Definition } from "./definition";
import type { Records } from "./records";
import { declaredIn, outputsIn, owedIn, type State, trackingOf, withTracking } from "./state";

/**
 * What a change of a declaration means for a member that only a create takes:
 *
 * - `same`: the object has the declared value.
 * - `dropped`: the program no longer declares the member, so it stays as it is.
 * - `assumed`: no answer shows the member, and the Pulumi state does not tell whether the object has it, as after an import.
 * - `drifted`: the program declares what it declared before, and the object has another value.
 * - `differs`: the object has another value than the program now declares.
 * - `unknown`: neither the Pulumi state nor an answer of the API tells which value the object has.
 */
export type FixedVerdict = "same" | "dropped" | "assumed" | "drifted" | "differs" | "unknown";

/** One changed member of a declaration that only a create takes. */
export interface FixedPlace extends Difference {
  readonly verdict: FixedVerdict;
}

/** A change of the inputs, with the members in it that only a create takes. */
export interface JudgedChange {
  readonly change: Change;
  readonly fixed: readonly FixedPlace[];
}

/** What an object has, in the form of the new declaration and in that of the one in the Pulumi state. */
export interface LiveForms {
  readonly now: PropertyMap;
  readonly before: PropertyMap;
}

/**
 * Judges a difference between two declarations. It replaces the object only if a member that only a create takes differs from
 * what the object has: a line that says what is so changes nothing, nor does one that is taken out.
 *
 * @param live absent if only the Pulumi state tells what the object has
 */
export function judgedChange(
  resource: Definition,
  state: State,
  inputs: PropertyMap,
  difference: Difference,
  live?: LiveForms,
): JudgedChange {
  const { keys, left, right } = difference;
  const kind = isAbsent(left) ? "add" : isAbsent(right) ? "delete" : "update";
  const fixed: FixedPlace[] = [];
  let replaces = false;
  for (const leaf of leavesOf(difference)) {
    const bySchema: Change = { path: pathOf(leaf.keys), kind, replaces: replacesBySchema(resource, leaf) };
    const change = resource.refineChange?.(bySchema, state, inputs) ?? bySchema;
    if (!change.replaces) continue;
    if (replacementAt(resource.inputs, leaf.keys) === "declared") {
      replaces = true;
      continue;
    }
    const place = { ...leaf, verdict: verdictOf(resource, state, leaf, live) };
    fixed.push(place);
    replaces ||= place.verdict === "differs" || place.verdict === "unknown";
  }
  return { change: { path: pathOf(keys), kind, replaces }, fixed };
}

const replacesBySchema = ({ inputs }: Pick<Definition, "inputs">, { keys }: Difference): boolean =>
  replacementAt(inputs, keys) !== false;

function verdictOf(
  { inputs: schema }: Pick<Definition, "inputs">,
  state: State,
  { keys, schema: ownSchema, left, right }: Difference,
  live: LiveForms | undefined,
): FixedVerdict {
  if (isAbsent(right)) return "dropped";
  if (containsUnknown(right)) return "differs";
  const path = pathOf(keys);
  const { doubted = {}, leftOut = [], live: records, undeclared = [] } = trackingOf(state);
  const judgeUnshown = () => {
    if (!isAbsent(left)) return "differs";
    const isLeftOut = keys.some((_, depth) => leftOut.includes(pathOf(keys.slice(0, depth + 1))));
    if (!isLeftOut) return "assumed";
    return equalByDefault(ownSchema, undefined, right) ? "same" : "differs";
  };
  if (isHidden(schema, keys)) return judgeUnshown();
  // A refresh that has put the object's value into the inputs keeps the digest of the declared one, which the program still has.
  if (ownMember(doubted, path) === digest(ownSchema, right)) return "drifted";
  const isShownAlways = annotationsOf(ownSchema).shown !== "sometimes";
  const judge = (shown: unknown) => {
    if (isAbsent(shown) && !isShownAlways) return judgeUnshown();
    return equalByDefault(ownSchema, shown, right) ? "same" : "differs";
  };
  if (live) {
    // A list that is updated in place loses what leaves the declarations of its entries, which only the former form shows.
    const isInPlace = replacementAt(schema, keys) === false && !isAbsent(left);
    const verdict = judge(valueAt(live.now, keys));
    return verdict === "same" && isInPlace ? judge(valueAt(live.before, keys)) : verdict;
  }
  const record = records && ownMember(records, path);
  if (record !== undefined) return record === digest(ownSchema, right) ? "same" : "differs";
  if (!isAbsent(left)) return "differs";
  const [name = ""] = keys;
  if (undeclared.includes(String(name))) return judge(valueAt(state, keys));
  // Every state has the live values of undeclared inputs, so one that it lacks is one that no answer had.
  return records !== undefined || keys.length === 1 ? judge(undefined) : "unknown";
}

/** Whether no answer of the API shows a member, or the object around it. */
function isHidden(schema: TSchema, keys: readonly (string | number)[]): boolean {
  return schemasAlong(schema, keys).some((at) => annotationsOf(at).shown === "never");
}

/** Whether an update changes only declarations of members that only a create takes, so that it needs no request. */
export function isRedeclaration(resource: Definition, state: State, declared: PropertyMap): boolean {
  if (trackingOf(state).awaiting !== undefined || Object.keys(owedIn(state)).length > 0) return false;
  const places = differences(resource.inputs, declaredIn(resource, state), declared).flatMap(leavesOf);
  return places.length > 0 && places.every(({ keys }) => replacementAt(resource.inputs, keys) === true);
}

/**
 * The Pulumi state of an object after a change of declarations that needs no request. Of what the program no longer declares,
 * or declares otherwise than the object has it, the state keeps the live value.
 */
export function redeclared(resource: Definition, state: State, declared: PropertyMap): State {
  const { inputs: schema } = resource;
  const former = declaredIn(resource, state);
  const tracking = trackingOf(state);
  const records: Record<string, string> = { ...tracking.live };
  const undeclared = new Set(tracking.undeclared);
  for (const { keys, schema: ownSchema, left, right } of differences(schema, former, declared).flatMap(
    leavesOf,
  )) {
    const [path, name] = [pathOf(keys), String(keys[0])];
    const [normalized] = String(ownMember({ ...tracking.normalized }, path) ?? "").split("/");
    const shown = records[path] ?? (normalized || (isAbsent(left) ? undefined : digest(ownSchema, left)));
    delete records[path];
    if (isHidden(schema, keys)) continue;
    if (keys.length === 1 && isAbsent(right)) undeclared.add(name);
    else if (shown !== undefined && shown !== digest(ownSchema, right)) records[path] = shown;
  }
  const names = [...undeclared].filter((name) => !(name in declared));
  const isDeclared = ([path]: [string, string]) => !isAbsent(valueAt(declared, keysIn(path)));
  const stillDeclared = (of: Records = {}) => Object.fromEntries(Object.entries(of).filter(isDeclared));
  return withTracking(
    { ...outputsIn(resource, state), ...pick(state, names), ...declared },
    {
      ...tracking,
      normalized: stillDeclared(tracking.normalized),
      doubted: stillDeclared(tracking.doubted),
      undeclared: names,
      live: tracking.live || !isEmpty(records) ? records : undefined,
    },
  );
}
