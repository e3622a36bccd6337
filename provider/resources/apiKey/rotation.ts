import { type Data, momentIn } from "../../values/data";

/**
 * Rotation of API keys by age. The check of a program puts the date on which the key is due into the inputs. If this date is
 * later than the one in the Pulumi state, the key is due and the update replaces it. A refresh does not run the check, and so
 * never reports a due key as drift.
 */

const day = 24 * 60 * 60 * 1000;

/**
 * Adds to the inputs of an API key the date on which it is due: the date in the Pulumi state, or a later one if that date has
 * passed.
 */
export function withRotation(inputs: Data, olds: Data): Data {
  const { rotateAfterDays: days } = inputs;
  if (days === undefined || days === null) return inputs;
  // In a preview, the number of days in `rotateAfterDays` may still be unknown.
  if (typeof days !== "number") return { ...inputs, rotatesAt: days };
  const due = dueDateOf(olds, days);
  const latest = Date.now() + days * day;
  const isAhead = due !== undefined && due > Date.now();
  // The due date in the Pulumi state may be too late, if the machine's clock was ahead or somebody has edited the state.
  return { ...inputs, rotatesAt: dateOf(isAhead ? Math.min(due, latest) : latest) };
}

/** Whether these inputs replace the API key in the Pulumi state because it is old enough to be rotated. */
export function isDue(state: Data, { rotateAfterDays: days, rotatesAt }: Data): boolean {
  if (typeof days !== "number" || typeof rotatesAt !== "string") return false;
  const due = dueDateOf(state, days) ?? momentOf(state.createdAt, days);
  return due !== undefined && due <= Date.now() && momentIn(rotatesAt) > due;
}

/** When the API key in the Pulumi state is due if the program changes `rotateAfterDays`: computed from its former due date. */
function dueDateOf({ rotatesAt, rotateAfterDays }: Data, days: number): number | undefined {
  return momentOf(rotatesAt, days - Number(rotateAfterDays));
}

function momentOf(instant: unknown, daysLater: number): number | undefined {
  const moment = typeof instant === "string" ? momentIn(instant) + daysLater * day : Number.NaN;
  return Number.isNaN(moment) ? undefined : moment;
}

/** The first midnight (UTC) at or after a time, so that a preview and the update on the same day compute the same date. */
function dateOf(moment: number): string {
  return new Date(Math.ceil(moment / day) * day).toISOString().slice(0, 10);
}
