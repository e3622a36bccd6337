import { type Difference, equal, isAbsent, labelOf } from "../values/compare";
import type { PropertyMap } from "../values/data";
import { entryName, type ListEntry } from "../values/entries";
import { Places, valueAt } from "../values/pairing";
import { annotationsOf, schemaAt } from "../values/schema";
import type { TSchema } from "../values/schemaBuilders";
import { isTold } from "../values/secretValues";
import { counted, firstOf } from "../values/wording";
import { type Before, judgementsOf, mergeWritten, type WrittenPlace } from "./merge";
import type { Session } from "./session";
import type { LiveState, Written } from "./state";

interface AnsweredWrite {
  /** The name of the written object in a warning, such as `alert 66f0c2d8a1b2c3d4e5f60701`. */
  readonly object: string;
  readonly schema: TSchema;
  /** The declared values that the API's answers can show. */
  readonly declared: PropertyMap;
  /** The values of the object that the provider knew before the write; absent if the write creates the object. */
  readonly before?: Before;
  /** Reads the object again after the write; undefined if the API does not show it. */
  look(): Promise<LiveState | undefined>;
}

/** Milliseconds before each further read of an object that still shows the values from before a write. */
const waits = [0, 250, 1000];

/**
 * Compares the API's answer to a write with the declared values, and reads again if they differ: a replica may still show the
 * old values, and an API may ignore a request. A warning names the values that stay in doubt.
 *
 * @param answered the object as the answer to the write shows it
 */
export async function confirmed(
  answered: LiveState,
  { object, schema, declared, before, look: lookAgain }: AnsweredWrite,
  session: Session,
): Promise<Written> {
  let live = answered;
  let places = mergeWritten(schema, declared, live.inputs, before);
  let hasLooked = false;
  for (const wait of waits) {
    const [unchanged, dropped] = [placesOf("unchanged", places), placesOf("dropped", places)];
    const isInDoubt =
      unchanged.length > 0 || placesOf("incomplete", places).length > 0 || (dropped.length > 0 && !hasLooked);
    if (!isInDoubt) break;
    await session.interruption.pause(wait);
    // The API has carried out the write, so an error of a further read must not make the write fail.
    const look = await lookAgain().catch(() => undefined);
    if (!look) break;
    hasLooked = true;
    const written = mergeWritten(schema, declared, look.inputs, before);
    // A read that shows more old values than the answer to the write comes from a replica or list that lags, so it is ignored.
    const asBefore = new Places(places.filter((place) => place.isAsBefore).map(({ keys }) => keys));
    const isAsAnswered = (place: WrittenPlace) =>
      asBefore.cover(place.keys) && equal(place.schema, valueAt(live.inputs, place.keys), place.right);
    if (written.some((place) => place.isAsBefore && !isAsAnswered(place))) continue;
    live = { inputs: look.inputs, outputs: { ...live.outputs, ...look.outputs } };
    places = written;
  }
  for (const place of placesOf("normalized", places).filter(({ isAsBefore }) => isAsBefore)) {
    session.warnOnce(
      `${object}: the service kept ${shownValue(schema, place)} for ${labelOf(declared, place.keys)} after two updates; from now on it counts as the service's form of the declared value, and not as drift`,
    );
  }
  for (const { keys } of placesOf("drifted", places)) {
    session.warnOnce(
      `${object}: somebody else changed ${labelOf(declared, keys)} during this update; the change was left as it is, and a refresh shows it as drift`,
    );
  }
  for (const place of placesOf("unchanged", places)) {
    session.warnOnce(
      `${object}: the service still shows ${shownValue(schema, place)} for ${labelOf(declared, place.keys)}; run "pulumi refresh" to see whether the change was applied`,
    );
  }
  for (const place of placesOf("incomplete", places))
    session.warnOnce(`${object}: ${incompleteness(place, labelOf(declared, place.keys))}`);
  const dropped = placesOf("dropped", places);
  if (hasLooked && dropped.length > 0) {
    const paths = dropped.map(({ keys }) => labelOf(declared, keys)).join(", ");
    session.warnOnce(
      `${object}: the service dropped ${paths}, which it may not know; check the name and the server's version`,
    );
  }
  return { ...live, ...judgementsOf(places) };
}

function placesOf(verdict: WrittenPlace["verdict"], places: readonly WrittenPlace[]): WrittenPlace[] {
  return places.filter((place) => place.verdict === verdict);
}

/** Names the entries by which a list differs after a write, and says what happens next. */
function incompleteness({ presence: { missing, foreign }, owed }: WrittenPlace, label: string): string {
  const named = (words: string, entries: readonly ListEntry[]) => {
    const known = entries.flatMap((entry) => entryName(entry) ?? []);
    const names = known.length === 0 ? counted(entries.length, "entry") : firstOf(known, mostNamed);
    return entries.length === 0 ? [] : [`${words} ${names}`];
  };
  const parts = [
    ...named("lacks", missing),
    ...named(
      "has undeclared",
      foreign.filter(({ value }) => !owed.includes(value)),
    ),
    ...named(
      "still has the removed",
      foreign.filter(({ value }) => owed.includes(value)),
    ),
  ];
  const isOwedAlone = missing.length === 0 && foreign.every(({ value }) => owed.includes(value));
  const next = isOwedAlone ? "the next update removes it" : "the next update after a refresh mends it";
  return `after this update, the list ${label} of the service ${parts.join(", and ")}; ${next}`;
}

/** Maximum number of entries of a list that a warning names. */
const mostNamed = 5;

function shownValue(schema: TSchema, place: Difference): string {
  return plainValue(schema, place) ?? "the old value";
}

/**
 * The live value of a property for a warning; undefined for lists, objects and free texts, which the program may keep secret.
 */
export function plainValue(
  schema: TSchema,
  { keys, schema: valueSchema, right }: Difference,
): string | undefined {
  if (isAbsent(right)) return "nothing";
  const isSecret = annotationsOf(schemaAt(schema, keys[0] ?? "")).secret;
  const isPlain =
    typeof right === "string" ? isTold(valueSchema, right) : ["number", "boolean"].includes(typeof right);
  return isPlain && !isSecret ? JSON.stringify(right) : undefined;
}
