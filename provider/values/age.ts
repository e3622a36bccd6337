import { type Data, momentIn } from "./data";

/** For so many milliseconds after its creation reads may lack an object: they lag, and clocks differ. */
const graceMilliseconds = 180_000;

/** A time of creation that differs by more milliseconds from the clock of this machine cannot be compared with it. */
const longestDifference = 60_000;

/** When an object was created, by the service's clock: its `createdAt`, else its id if that is an ObjectId or a UUIDv7. */
export function creationTimeOf({ createdAt, id }: Data): number | undefined {
  const moment = typeof createdAt === "string" ? momentIn(createdAt) : Number.NaN;
  return Number.isNaN(moment) ? timeInId(String(id)) : moment;
}

function timeInId(id: string): number | undefined {
  // The first 4 bytes of an ObjectId are seconds, the first 6 of a UUIDv7 milliseconds.
  if (/^[0-9a-f]{24}$/i.test(id)) return Number.parseInt(id.slice(0, 8), 16) * 1000;
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.test(id)) return undefined;
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** The time that a state records for an object that was created just now; undefined where the object itself shows a time near it. */
export function stampOf(object: Data): string | undefined {
  const time = creationTimeOf(object);
  const isTold = time !== undefined && Math.abs(Date.now() - time) <= longestDifference;
  return isTold ? undefined : new Date().toISOString();
}

/** Whether an object was created so recently, by its own members or its stamp, that reads may not show it yet. */
export function isNew(object: Data, stamp: string | undefined): boolean {
  return [creationTimeOf(object), creationTimeOf({ createdAt: stamp })].some(
    (time) => time !== undefined && Math.abs(Date.now() - time) < graceMilliseconds,
  );
}
