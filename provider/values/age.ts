import { type Data, momentIn } from "./data";

/** Milliseconds after its creation for which reads may lack an object: replicas lag, and clocks differ. */
const graceMilliseconds = 180_000;

/** Milliseconds beyond which an object's creation time and this machine's clock differ too much to be compared. */
const longestDifference = 60_000;

/**
 * The creation time of an object by the service's clock: its `createdAt`, or else the time in its id (ObjectId or
 * UUIDv7).
 */
export function creationTimeOf({ createdAt, id }: Data): number | undefined {
  const moment = typeof createdAt === "string" ? momentIn(createdAt) : Number.NaN;
  return Number.isNaN(moment) ? timeInId(String(id)) : moment;
}

function timeInId(id: string): number | undefined {
  // An ObjectId begins with 4 bytes of seconds, a UUIDv7 with 6 bytes of milliseconds.
  if (/^[0-9a-f]{24}$/i.test(id)) return Number.parseInt(id.slice(0, 8), 16) * 1000;
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.test(id)) return undefined;
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/**
 * The time to record in the state of an object that was created just now; undefined if the object itself shows nearly
 * this time.
 */
export function stampOf(object: Data): string | undefined {
  const time = creationTimeOf(object);
  const isTold = time !== undefined && Math.abs(Date.now() - time) <= longestDifference;
  return isTold ? undefined : new Date().toISOString();
}

/**
 * Whether an object was created so recently that reads may not show it yet, by its own creation time or the recorded
 * one.
 */
export function isNew(object: Data, stamp: string | undefined): boolean {
  return [creationTimeOf(object), creationTimeOf({ createdAt: stamp })].some(
    (time) => time !== undefined && Math.abs(Date.now() - time) < graceMilliseconds,
  );
}
