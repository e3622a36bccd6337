import { momentIn, type PropertyMap } from "./data";

/** Milliseconds after the creation of an object for which reads may not find it yet: replicas lag, and clocks differ. */
export const graceMilliseconds = 180_000;

/** Milliseconds by which an object's creation time and this machine's clock may differ and still be comparable. */
const longestDifference = 60_000;

/** An object's creation time (ms since 1970) by the service's clock: its `createdAt`, or the time in its ObjectId or UUIDv7. */
export function creationTimeOf({ createdAt, id }: PropertyMap): number | undefined {
  const moment = typeof createdAt === "string" ? momentIn(createdAt) : Number.NaN;
  return Number.isNaN(moment) ? timeInId(String(id)) : moment;
}

function timeInId(id: string): number | undefined {
  // Some ids contain the creation time: an ObjectId begins with 4 bytes of seconds since 1970, a UUIDv7 with 6 bytes of
  // milliseconds.
  if (/^[0-9a-f]{24}$/i.test(id)) return Number.parseInt(id.slice(0, 8), 16) * 1000;
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.test(id)) return undefined;
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** The creation time to record in the Pulumi state of an object created just now, unless the object itself shows it. */
export function stampOf(object: PropertyMap): string | undefined {
  const time = creationTimeOf(object);
  const isTold = time !== undefined && Math.abs(Date.now() - time) <= longestDifference;
  return isTold ? undefined : new Date().toISOString();
}

/** Whether reads may not find an object yet, by its own creation time or the one recorded in the Pulumi state. */
export function isNew(object: PropertyMap, stamp: string | undefined): boolean {
  return [creationTimeOf(object), creationTimeOf({ createdAt: stamp })].some(
    (time) => time !== undefined && Math.abs(Date.now() - time) < graceMilliseconds,
  );
}
