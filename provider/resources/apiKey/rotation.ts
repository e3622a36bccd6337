import { type Data, momentIn } from "../../values/data";

/**
 * Rotation by age. A refresh compares the inputs of the last deployment with the live key, and must not report a due key
 * as drift. So the check of a program, which refreshes do not run, puts the date into the inputs, and a later date
 * there than in the state says that the key is due.
 */

const day = 24 * 60 * 60 * 1000;

/** The inputs of a key with the date on which it is due: that of its last inputs, or a new one after it. */
export function withRotation(inputs: Data, olds: Data): Data {
  const { rotateAfterDays: days } = inputs;
  if (days === undefined || days === null) return inputs;
  // A preview may not know it yet.
  if (typeof days !== "number") return { ...inputs, rotatesAt: days };
  const due = dueDateOf(olds, days);
  const latest = Date.now() + days * day;
  const isAhead = due !== undefined && due > Date.now();
  // A clock that was fast, or a hand in the state, may have put the date too far ahead.
  return { ...inputs, rotatesAt: dateOf(isAhead ? Math.min(due, latest) : latest) };
}

/** Whether these inputs replace the key in the state, since it has been due. */
export function isDue(state: Data, { rotateAfterDays: days, rotatesAt }: Data): boolean {
  if (typeof days !== "number" || typeof rotatesAt !== "string") return false;
  const due = dueDateOf(state, days) ?? momentOf(state.createdAt, days);
  return due !== undefined && due <= Date.now() && momentIn(rotatesAt) > due;
}

/** When a key is due after so many days, although it has been so after others. */
function dueDateOf({ rotatesAt, rotateAfterDays }: Data, days: number): number | undefined {
  return momentOf(rotatesAt, days - Number(rotateAfterDays));
}

function momentOf(instant: unknown, daysLater: number): number | undefined {
  const moment = typeof instant === "string" ? momentIn(instant) + daysLater * day : Number.NaN;
  return Number.isNaN(moment) ? undefined : moment;
}

/** The first midnight (UTC) at or after a moment, so that an update says the same as its preview. */
function dateOf(moment: number): string {
  return new Date(Math.ceil(moment / day) * day).toISOString().slice(0, 10);
}
