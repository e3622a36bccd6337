import { type Difference, labelOf } from "../values/compare";
import type { Data } from "../values/data";
import { annotationsOf, schemaAt } from "../values/schema";
import type { TSchema } from "../values/schemaBuilders";
import { type Before, effectOf } from "./effect";
import type { Session } from "./session";
import type { LiveState, Written } from "./state";

/** A write of what a program declares for one object. */
export interface Write {
  /** What the object is called in a warning: `alert 66f0c2d8a1b2c3d4e5f60701`. */
  readonly object: string;
  /** Schema of the inputs. */
  readonly schema: TSchema;
  /** What the program declares and the service knows. */
  readonly declared: Data;
  /** Absent if the write creates the object. */
  readonly before?: Before;
  /** Carries it out. */
  send(): Promise<LiveState>;
  /** What the service shows now; undefined if it does not show the object. */
  look(): Promise<LiveState | undefined>;
}

/** After these waits an object is looked at again that is answered as if it had not been written to. */
const waits = [0, 250, 1000];

/**
 * Carries out a write, and looks at the object again where the answer leaves doubts: a replica may answer the values
 * from before, and a service may ignore what it was sent. What stays in doubt is named.
 */
export async function carryOut(write: Write, session: Session): Promise<Written> {
  const { object, schema, declared, before } = write;
  let live = await write.send();
  let effect = effectOf(schema, declared, live.inputs, before);
  let hasLooked = false;
  for (const wait of waits) {
    const isInDoubt = effect.unchanged.length > 0 || (effect.dropped.length > 0 && !hasLooked);
    if (!isInDoubt) break;
    await session.interruption.pause(wait);
    // The write was carried out: no failure to look makes it one.
    const found = await write.look().catch(() => undefined);
    if (!found) break;
    hasLooked = true;
    const seen = effectOf(schema, declared, found.inputs, before);
    // A look that shows less of the write than its answer did is one at a list that lags.
    if (seen.asBefore.some(({ keys }) => !isWithin(effect.asBefore, keys))) continue;
    live = { inputs: found.inputs, outputs: { ...live.outputs, ...found.outputs } };
    effect = seen;
  }
  for (const place of effect.unchanged) {
    session.warnOnce(
      `${object}: the service still answers ${shown(schema, place)} for ${labelOf(declared, place.keys)}; the next refresh tells whether it took the new value`,
    );
  }
  if (hasLooked && effect.dropped.length > 0) {
    const paths = effect.dropped.map(({ keys }) => labelOf(declared, keys)).join(", ");
    session.warnOnce(`${object}: the service dropped ${paths}; what it shows does not have it`);
  }
  return { ...live, normalized: effect.normalized, doubted: effect.doubted };
}

function isWithin(places: readonly Difference[], keys: Difference["keys"]): boolean {
  return places.some((place) => place.keys.every((key, index) => key === keys[index]));
}

/** A text may be one that the program keeps secret, of which nothing is known here. */
function shown(schema: TSchema, { keys, schema: own, right }: Difference): string {
  if (right === undefined || right === null) return "nothing";
  const isSecret = annotationsOf(schemaAt(schema, keys[0] ?? "")).secret;
  const isPlain = typeof right === "number" || typeof right === "boolean" || own.enum?.includes(right);
  return isPlain && !isSecret ? JSON.stringify(right) : "the old value";
}
