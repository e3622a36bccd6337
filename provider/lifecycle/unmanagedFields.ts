import { isDeepStrictEqual } from "node:util";
import { InvalidIdentifier, RefusedRequest } from "../api/errors";
import { isAbsent, isEmpty, labelOf } from "../values/compare";
import { isObject, ownMember, type PropertyMap } from "../values/data";
import { inOrderOf, type Keys, Places, setAt, valueAt } from "../values/pairing";
import { firstOf } from "../values/wording";
import type { Session } from "./session";
import { mayHaveChanged } from "./unfinished";

/** The body of an update request in two versions: with the undeclared properties that the API showed, and without them. */
export interface UpdateBody {
  readonly full: PropertyMap;
  /** Makes the request body without the undeclared properties that the API showed. */
  declaredOnly(): PropertyMap;
}

/**
 * The API may refuse undeclared properties that it has shown itself and the body of an update repeats. So after a refusal (400) the
 * request is sent once more without the undeclared properties of the nested objects that the refusal names.
 *
 * @throws Error that names the undeclared properties, where the setting `onConflict` is `fail`; the error if it refuses something else
 */
export async function retryWithoutRefused<Answer>(
  object: string,
  error: unknown,
  { full, declaredOnly }: UpdateBody,
  send: (body: PropertyMap) => Promise<Answer>,
  session: Session,
): Promise<{ readonly answer: Answer; readonly body: PropertyMap }> {
  if (!(error instanceof RefusedRequest) || error.site.status !== 400) throw error;
  const declared = declaredOnly();
  const refused = refusedOf(error, carriedIn(full, declared), full);
  if (refused.length === 0) throw error;
  const paths = named(refused, full);
  if (session.settings.onConflict === "fail")
    throw new Error(
      `${error.message}\nThe request also contained ${paths}, which the program does not declare and which may be the reason. Nothing was written, since onConflict is "fail": declare or remove what the service refuses, or set "warn" for this update`,
    );
  const body = without(refused, full, declared);
  const warn = () =>
    session.warnOnce(
      `${object}: the update leaves out ${paths}, which the program does not declare: with them, the service refuses the update (${error.reason})`,
    );
  const answer = await send(body).catch((failure: unknown) => {
    // If this update was carried out although its answer was lost, no later one can tell what is gone.
    if (mayHaveChanged(failure)) warn();
    throw failure;
  });
  warn();
  return { answer, body };
}

/**
 * Warns of the undeclared properties of nested objects that an update has repeated, and that the service has lost all the same: its
 * API may not know what somebody has set in another way.
 *
 * @param before the object as the API showed it before the update
 * @param after the object as the API shows it now
 */
export function warnOfLost(
  object: string,
  { full, declaredOnly }: UpdateBody,
  before: PropertyMap,
  after: PropertyMap,
  session: Session,
): void {
  const [former, now] = [inOrderOf(full, before), inOrderOf(full, after)];
  const lost = carriedIn(full, declaredOnly()).filter(
    (keys) =>
      keys.length > 1 &&
      !isEmpty(valueAt(former, keys)) &&
      isObject(valueAt(now, keys.slice(0, -1))) &&
      isAbsent(valueAt(now, keys)),
  );
  if (lost.length > 0)
    session.warnOnce(
      `${object}: the service dropped ${named(lost, full)}, which the program does not declare: the API that writes it may not know what somebody has set there`,
    );
}

/** The paths of refused properties for a message. Empty properties are named only if no other was refused. */
function named(places: readonly Keys[], body: PropertyMap): string {
  const filled = places.filter((keys) => !isEmpty(valueAt(body, keys)));
  const paths = (filled.length > 0 ? filled : places).map((keys) => labelOf(body, keys));
  return firstOf(paths, mostNamed);
}

const mostNamed = 10;

/** The paths of the undeclared values that an update's body only repeats. */
function carriedIn(whole: unknown, own: unknown, keys: Keys = []): Keys[] {
  if (isDeepStrictEqual(whole, own)) return [];
  if (isObject(whole) && isObject(own))
    return Object.entries(whole).flatMap(([name, value]) =>
      carriedIn(value, ownMember(own, name), [...keys, name]),
    );
  if (Array.isArray(whole) && Array.isArray(own) && whole.length === own.length)
    return whole.flatMap((entry, index) => carriedIn(entry, own[index], [...keys, index]));
  return [keys];
}

/** The undeclared properties of a body in the objects that the API's refusal names; all of them if it names no object. */
function refusedOf(error: RefusedRequest, carried: readonly Keys[], body: PropertyMap): readonly Keys[] {
  const places = placesIn(error.reason, body);
  if (places.length === 0 && error instanceof InvalidIdentifier) return [];
  // A refusal that was cut short (`…`) may have named more properties than were found in it, so all undeclared ones count as
  // refused.
  if (places.length === 0 || error.reason.includes("…")) return carried;
  const refused = new Set(places.flatMap((keys) => innermostAround(keys, carried, body)));
  return carried.filter((keys) => refused.has(keys));
}

/**
 * Finds the undeclared properties near a path in a request body: those in the innermost object around the path that has any.
 * For a path inside a list entry, objects outside the entry are not searched.
 */
function innermostAround(place: Keys, carried: readonly Keys[], body: PropertyMap): readonly Keys[] {
  const entry = place.findIndex((key) => typeof key === "number") + 1;
  for (let length = place.length; length >= entry; length--) {
    const around = place.slice(0, length);
    const inside = carried.filter((keys) => isWithin(keys, around) || isWithin(around, keys));
    const isOfObject = (keys: Keys) => keys.slice(length).every((key) => typeof key === "string");
    // A refusal that names an object is more likely about properties of the object itself than about entries of its lists, so
    // its own properties are left out first.
    const own = isObject(valueAt(body, around)) ? inside.filter(isOfObject) : inside;
    if (own.length > 0) return own;
    if (length > 0 && inside.length > 0) return inside;
  }
  return [];
}

function isWithin(keys: Keys, around: Keys): boolean {
  return around.length === 0 || new Places([around]).cover(keys);
}

/**
 * Matches paths in the text of a refusal: `tiles.0.config`, `tiles[0].config`, `/tiles/0/config`, `tiles["Errors"].config`, or
 * `name` before a colon.
 */
const path = /(?<!\w)[a-z_]\w*(?:(?:[./]\w+|\[\d+\]|\["(?:[^"\\]|\\.){0,200}"\])+|(?=:))/gi;

function placesIn(text: string, body: PropertyMap): Keys[] {
  return [...text.matchAll(path)].flatMap(([named]) => {
    const parts = named.match(/"(?:[^"\\]|\\.)*"|\w+/g) ?? [];
    const keys: (string | number)[] = [];
    for (const part of parts) {
      const inside = valueAt(body, keys);
      if (Array.isArray(inside)) keys.push(indexIn(inside, part));
      else if (isObject(inside)) keys.push(part);
    }
    return valueAt(body, keys.slice(0, 1)) === undefined ? [] : [keys];
  });
}

/** The index of a list entry that the API's refusal names by its number, or by its name in quotes. */
function indexIn(list: readonly unknown[], part: string): number {
  if (!part.startsWith('"')) return Number(part);
  const name = nameIn(part);
  return list.findIndex((entry) => isObject(entry) && entry.name === name);
}

function nameIn(quoted: string): unknown {
  try {
    return JSON.parse(quoted);
  } catch {
    return undefined;
  }
}

function without(places: readonly Keys[], whole: PropertyMap, own: PropertyMap): PropertyMap {
  const body = structuredClone(whole);
  for (const keys of places) {
    const value = valueAt(own, keys);
    if (value !== undefined) setAt(body, keys, value);
    else {
      const around = valueAt(body, keys.slice(0, -1)) as Record<string, unknown>;
      delete around[String(keys.at(-1))];
    }
  }
  return body;
}
