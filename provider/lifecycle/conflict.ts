import { type Difference, differences, labelOf } from "../values/compare";
import type { Data } from "../values/data";
import type { TSchema } from "../values/schemaBuilders";
import { driftIn, normalizationOf, recordAt } from "./drift";
import type { Before } from "./effect";
import { counterpart, type Keys } from "./listEntries";
import type { Session } from "./session";

/** An update that is about to be sent. */
export interface Overwriting {
  /** What the object is called in a message: `alert 66f0c2d8a1b2c3d4e5f60701`. */
  readonly object: string;
  readonly schema: TSchema;
  /** What the program declares and the service knows. */
  readonly declared: Data;
  /** What the state knows of the values that the update writes. */
  readonly known: Data;
  /** What the service has of them, in the form of the state. */
  readonly found: Data;
  readonly before: Before;
}

/**
 * Says what somebody else changed since the last deployment or refresh and the update overwrites. A change to what the
 * program declares now, too, is none, nor is a value that the service kept in spite of the last update.
 *
 * @throws Error where the setting `onConflict` is `fail`
 */
export function reportConflicts(update: Overwriting, session: Session): void {
  const paths = conflictsOf(update);
  if (paths.length === 0) return;
  const what = `${update.object}: somebody else changed ${paths.join(", ")} since the last deployment or refresh`;
  if (session.settings.onConflict === "fail") {
    throw new Error(
      `${what}, and nothing was written; "pulumi refresh" takes the change into the state, and then the update overwrites it`,
    );
  }
  session.warnOnce(`${what}; the update overwrites it`);
}

function conflictsOf({ schema, declared, known, found, before }: Overwriting): string[] {
  const written = before.shown.flatMap((shown) => differences(schema, declared, shown, "left"));
  return driftIn(schema, known, found, before.normalized)
    .filter((place) => recordAt(before.doubted, place.keys) !== normalizationOf(place))
    .filter(({ keys }) => isOverwritten(counterpart(keys, before.state, before.sent), declared, written))
    .map(({ keys }) => labelOf(known, keys));
}

/** Whether an update writes another value at a place; an entry that it does not have, or a reset one, is lost. */
function isOverwritten(keys: Keys | undefined, declared: Data, written: readonly Difference[]): boolean {
  if (keys === undefined || !(String(keys[0]) in declared)) return true;
  return written.some((place) => {
    const depth = Math.min(place.keys.length, keys.length);
    return place.keys.slice(0, depth).every((key, index) => key === keys[index]);
  });
}
