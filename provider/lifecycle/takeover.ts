import { Interrupted } from "../api/errors";
import {
  type Change,
  differences,
  equal,
  isAbsent,
  labelOf,
  pathOf,
  replacesAt,
  splitByComma,
} from "../values/compare";
import { isObject, ownMember, type PropertyMap } from "../values/data";
import { entryName } from "../values/entries";
import { idOf, type Keys, pairEntries } from "../values/pairing";
import { annotationsOf, schemaAt } from "../values/schema";
import type { TSchema } from "../values/schemaBuilders";
import { containsUnknown, isUnknown } from "../values/unknown";
import type { Failure } from "../values/validate";
import { firstOf } from "../values/wording";
import { decode } from "./decode";
import { type Definition, idNamedIn, isSingleton, titleOf } from "./definition";
import { look } from "./look";
import { type Context, contextOf, scopeNames } from "./scope";
import type { Session } from "./session";
import { seenOrGone, sentPart, shownPart } from "./state";

/** The refusal of an existing object that no program may declare or change. A preview reports it as a failure. */
export class RefusedTakeover extends Error {}

/**
 * Names, in a preview, the values of an existing object (a singleton such as a service's scaling, or that of `adoptId`) that a
 * new resource would replace. Previews of all resources of a type share one list. In an update that has begun to write, this
 * function reads nothing, since the create itself reads the object.
 *
 * @param olds the inputs in the Pulumi state, empty for a new resource
 */
export async function takeoverFailures(
  resource: Definition,
  olds: PropertyMap,
  inputs: PropertyMap,
  session: Session,
): Promise<Failure[]> {
  const id = idNamedIn(resource, inputs);
  if (isAbsent(id) || Object.keys(olds).length > 0 || session.hasWritten || session.isOffline) return [];
  const leave = (why: string) => {
    const object = isSingleton(resource) ? `the ${resource.noun} that is there` : "the object to adopt";
    session.warnOnce(
      `${resource.type}: the preview cannot read ${object} yet (${why}); the update names the values that it replaces`,
    );
    return [];
  };
  // If a service's id is unknown, the same update mostly creates the service. Its scaling and other singletons then have no
  // values that the update could replace.
  if (isSingleton(resource) && isUnknown(id)) return [];
  if ([id, ...scopeNames(resource.scope).map((name) => inputs[name])].some(isUnknown))
    return leave("its id is not known");
  // The object that the resource has so far is not taken over by its replacement, since it is deleted first.
  if (session.run.isReplaced(resource, String(id))) return [];
  try {
    const context = contextOf(resource, inputs, session);
    const live = seenOrGone(
      await look(resource, { moment: "beforeWrite", id: id as string, state: {}, context }),
    );
    if (live !== "gone") await reportTakeover(resource, id as string, inputs, live, context);
    return [];
  } catch (error) {
    if (error instanceof RefusedTakeover) return [{ path: "", message: error.message }];
    if (error instanceof Interrupted) throw error;
    return leave((error as Error).message);
  }
}

/**
 * Warns of the values that the program replaces by taking over an existing object, and of what the API deletes along.
 * @throws Error if no update can change a value to the declared one, or if the setting `onConflict` is `fail`
 */
export async function reportTakeover(
  resource: Definition,
  id: string,
  inputs: PropertyMap,
  live: PropertyMap,
  { session }: Context,
): Promise<void> {
  const { inputs: shown, outputs } = decode(resource, live);
  const current = { ...shown, ...outputs };
  const visible = shownPart(resource, inputs);
  const declared = resource.pair?.(visible, current, current) ?? visible;
  const found = decode(resource, live, { ...inputs, ...declared }, declared).inputs;
  // The check and the create get the inputs in different orders, and the warning of both has to be the same.
  const replaced = replacedIn(resource.inputs, declared, found, declared).sort((a, b) =>
    a.text < b.text ? -1 : 1,
  );
  const hidden = Object.keys(sentPart(resource, inputs)).filter(
    (name) => annotationsOf(schemaAt(resource.inputs, name)).shown === "never",
  );
  const paths = replaced.filter(({ isOpen }) => !isOpen).map(({ text }) => text);
  const open = replaced.filter(({ isOpen }) => isOpen).map(({ text }) => text);
  const object = titleOf(resource, id);
  const fixed = fixedIn(resource, declared, { ...found, ...outputs }, inputs);
  if (fixed.length > 0)
    throw new RefusedTakeover(
      `${object} cannot be taken over, since no update changes its ${firstOf(fixed, mostNamed)}: declare what the service has there, or ${isSingleton(resource) ? "delete it first" : "remove adoptId to create another one"}`,
    );
  const along = (await resource.cascadeWarnings?.(inputs, current, session)) ?? [];
  const isReplaced = paths.length > 0 || along.length > 0;
  if (isReplaced && session.settings.onConflict === "fail")
    throw new RefusedTakeover(
      [
        paths.length > 0
          ? `${object} is there already, and taking it over would replace ${firstOf(paths, mostNamed)}; onConflict is fail, so declare these as they are, and change them in the next update`
          : `${object} is there already, and the update would delete what the next line names; onConflict is fail, so declare it as the service has it, and change it in the next update`,
        ...(along.length > 0 ? [firstOf(along, 2)] : []),
      ].join("\n"),
    );
  if (paths.length > 0)
    session.warnOnce(`${object} is there already, and taking it over replaces ${firstOf(paths, mostNamed)}`);
  if (open.length > 0)
    session.warnOnce(
      `${object} is there already, and the update may replace ${firstOf(open, mostNamed)}, for which the program has values that are not known yet`,
    );
  if (hidden.length > 0)
    session.warnOnce(
      `${object} is there already, and taking it over sets ${hidden.join(", ")} anew: no answer of the API shows what is there`,
    );
  for (const text of along) session.warnOnce(text);
}

const mostNamed = 10;

/**
 * The paths of the declared values to which no update can change an existing object, so that only a replacement could. Values
 * that the API does not show are left out, since they may be as declared.
 */
function fixedIn(
  { inputs: schema, refineChange: judged }: Definition,
  declared: PropertyMap,
  live: PropertyMap,
  inputs: PropertyMap,
): string[] {
  return differences(schema, declared, live, "left").flatMap(({ keys, left, right }) => {
    if (isAbsent(right) || containsUnknown(left)) return [];
    const change: Change = { path: pathOf(keys), kind: "update", replaces: replacesAt(schema, keys) };
    const { replaces } = judged?.(change, live, inputs) ?? change;
    return replaces ? [labelOf(declared, keys)] : [];
  });
}

/** A value in the API that the program replaces by taking over the object. */
interface Replaced {
  /** The path of the replaced value. For a list without order, it is followed by the entries that the program removes. */
  readonly text: string;
  /** Whether the program's value is not known yet in the preview, so that it may equal the live one. */
  readonly isOpen: boolean;
}

/**
 * Finds the values that a program replaces by taking over an object. Undeclared properties stay; empty values are no loss, except in
 * an entry of a list: a tile without a filter shows something else once it has one.
 * @param root the declared values, from which messages take the names of list entries
 */
function replacedIn(
  schema: TSchema,
  declared: unknown,
  live: unknown,
  root: PropertyMap,
  keys: Keys = [],
): Replaced[] {
  if (declared === undefined) return [];
  const isInEntry = keys.some((key) => typeof key === "number") && typeof keys.at(-1) === "string";
  if (isNothing(live) && (isNothing(declared) || !isInEntry)) return [];
  const isOpen = containsUnknown(declared);
  if (!isOpen && equal(schema, declared, live)) return [];
  const { comparison, identity = [] } = annotationsOf(schema);
  const inside = (key: string | number, value: unknown, now: unknown) =>
    replacedIn(schemaAt(schema, key), value, now, root, [...keys, key]);
  const label = labelOf(root, keys);
  if (comparison === "set" || comparison === "commaSeparatedSet") {
    const [kept, there] = [declared, live].map((list) =>
      comparison === "set" && Array.isArray(list) ? list : isUnknown(list) ? [] : splitByComma(list),
    ) as [unknown[], unknown[]];
    const going = there.filter((entry) => !kept.some((other) => equal(schemaAt(schema, 0), other, entry)));
    const names = going.flatMap((value) => entryName({ list: schema, value }) ?? []);
    return going.length > 0
      ? [{ text: label + (names.length > 0 ? ` (${firstOf(names, 5)})` : ""), isOpen }]
      : [];
  }
  if (Array.isArray(declared) && Array.isArray(live)) {
    const entrySchema = schemaAt(schema, 0);
    // Some answers show list entries without their ids, which then cannot pair them with the declared entries.
    const alike = live.some((entry) => idOf(entry) !== undefined) ? declared : declared.map(withoutId);
    const pairs = pairEntries(entrySchema, alike, live);
    const stays = new Set(pairs);
    return [
      ...alike.flatMap((entry, index) => inside(index, entry, live[pairs[index] ?? -1])),
      ...live.flatMap((entry, index) =>
        stays.has(index)
          ? []
          : [{ text: label + entryLabel(entry, index), isOpen: declared.some(isUnknown) }],
      ),
    ];
  }
  const isSame = identity.every((name) => {
    const [one, other] = [declared, live].map((value) => isObject(value) && ownMember(value, name));
    return containsUnknown(one) || isNothing(other) || equal(schemaAt(schema, name), one, other);
  });
  if (isObject(declared) && isObject(live) && isSame) {
    // An update omits undeclared properties whose names the schema does not list, so the object loses them.
    const isOpenEnded = schema.properties === undefined && identity.length === 0;
    const lost = isOpenEnded ? Object.keys(live).filter((name) => !Object.hasOwn(declared, name)) : [];
    return [
      ...Object.keys(declared).flatMap((name) => inside(name, declared[name], ownMember(live, name))),
      ...lost.map((name) => ({ text: labelOf(root, [...keys, name]), isOpen: false })),
    ];
  }
  return [{ text: label, isOpen }];
}

/** Whether a live value is empty, so that replacing it loses nothing. */
function isNothing(value: unknown): boolean {
  const isEmpty = (Array.isArray(value) ? value : isObject(value) ? Object.keys(value) : [1]).length === 0;
  return isAbsent(value) || value === "" || isEmpty;
}

function withoutId(entry: unknown): unknown {
  if (!isObject(entry)) return entry;
  const { id: _, ...members } = entry;
  return members;
}

function entryLabel(entry: unknown, index: number): string {
  return `[${isObject(entry) && typeof entry.name === "string" ? JSON.stringify(entry.name) : index}]`;
}
