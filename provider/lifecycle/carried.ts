import { isDeepStrictEqual } from "node:util";
import { InvalidIdentifier, RefusedRequest } from "../api/errors";
import { isEmpty, labelOf } from "../values/compare";
import { type Data, isObject, ownMember } from "../values/data";
import { type Keys, Places, setAt, valueAt } from "../values/pairing";
import { firstOf } from "../values/wording";
import type { Session } from "./session";

/** The body of an update request, in two versions. */
export interface Body {
  /** The body with undeclared members that the service has and the request repeats. */
  readonly whole: Data;
  /** Makes the body of declared members alone. */
  own(): Data;
}

/**
 * Sends the body of an update. An API may refuse members that it shows itself. So where the API refuses the body (400),
 * the request is sent once more without the undeclared members of the refused objects.
 *
 * @returns the answer, and the body that was accepted
 * @throws Error that names the undeclared members, where the setting `onConflict` is `fail`
 */
export async function sendWithoutRefused<Answer>(
  object: string,
  { whole, own }: Body,
  send: (body: Data) => Promise<Answer>,
  session: Session,
): Promise<{ readonly answer: Answer; readonly body: Data }> {
  try {
    return { answer: await send(whole), body: whole };
  } catch (error) {
    if (!(error instanceof RefusedRequest) || error.site.status !== 400) throw error;
    const refused = refusedOf(error, carriedIn(whole, own()), whole);
    if (refused.length === 0) throw error;
    const paths = named(refused, whole);
    if (session.settings.onConflict === "fail")
      throw new Error(
        `${error.message}\nThe request also contained ${paths}, which the program does not declare and which may be the reason. Nothing was written, since onConflict is "fail": declare or remove what the service refuses, or set "warn" for this update`,
      );
    const body = without(refused, whole, own());
    const answer = await send(body);
    session.warnOnce(
      `${object}: the update leaves out ${paths}, which the program does not declare: with that the service refuses it (${error.reason})`,
    );
    return { answer, body };
  }
}

/** The paths of the refused members in a message. Members that are empty are named only where no other was refused. */
function named(places: readonly Keys[], body: Data): string {
  const filled = places.filter((keys) => !isEmpty(valueAt(body, keys)));
  const paths = (filled.length > 0 ? filled : places).map((keys) => labelOf(body, keys));
  return firstOf(paths, mostNamed);
}

const mostNamed = 10;

/** The places of an update's body that hold undeclared values, which the request only repeats. */
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

/**
 * The undeclared members in the innermost objects that the API's refusal names; all undeclared members where the
 * refusal names no object.
 */
function refusedOf(error: RefusedRequest, carried: readonly Keys[], body: Data): readonly Keys[] {
  const places = placesIn(error.reason, body);
  if (places.length === 0 && error instanceof InvalidIdentifier) return [];
  // The API's reason was cut short, so it may have named more members than the ones found in it.
  if (places.length === 0 || error.reason.includes("…")) return carried;
  const refused = new Set(places.flatMap((keys) => innermostAround(keys, carried, body)));
  return carried.filter((keys) => refused.has(keys));
}

/**
 * The undeclared members in the innermost object around a place that has any; the search ends at the list entry that
 * holds the place.
 */
function innermostAround(place: Keys, carried: readonly Keys[], body: Data): readonly Keys[] {
  const entry = place.findIndex((key) => typeof key === "number") + 1;
  for (let length = place.length; length >= entry; length--) {
    const around = place.slice(0, length);
    const inside = carried.filter((keys) => isWithin(keys, around) || isWithin(around, keys));
    const isOfObject = (keys: Keys) => keys.slice(length).every((key) => typeof key === "string");
    // A refusal of an object is more likely about members of the object itself than about entries of its lists.
    const own = isObject(valueAt(body, around)) ? inside.filter(isOfObject) : inside;
    if (own.length > 0) return own;
    if (length > 0 && inside.length > 0) return inside;
  }
  return [];
}

function isWithin(keys: Keys, around: Keys): boolean {
  return around.length === 0 || new Places([around]).cover(keys);
}

/** Paths in a text: `tiles.0.config`, `tiles[0].config`, `/tiles/0/config`, `tiles["Errors"].config`, or `name` before a colon. */
const path = /(?<!\w)[a-z_]\w*(?:(?:[./]\w+|\[\d+\]|\["(?:[^"\\]|\\.){0,200}"\])+|(?=:))/gi;

/** Finds the places of a request body that the text of a refusal names. */
function placesIn(text: string, body: Data): Keys[] {
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

/** The index of a list entry that a refusal names by its number, or by its name in quotes. */
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

/** A copy of the body in which these places hold only what the program declares. */
function without(places: readonly Keys[], whole: Data, own: Data): Data {
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
