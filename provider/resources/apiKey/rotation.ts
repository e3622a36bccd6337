import { momentIn, type PropertyMap } from "../../values/data";

/**
 * Rotation of API keys by age. The check of a program puts the date on which the key is due into the inputs. A date later than
 * the one in the Pulumi state makes the update replace the key. A refresh runs no check, and so never reports a due key as
 * drift.
 */

const day = 24 * 60 * 60 * 1000;

/**
 * Adds to the inputs the date on which the API key is due for rotation: the one in the Pulumi state, or a later one if that
 * date has passed.
 */
export function withRotation(inputs: PropertyMap, olds: PropertyMap): PropertyMap {
  const { rotateAfterDays: days } = inputs;
  if (days === undefined || days === null) return inputs;
  // If a preview does not know `rotateAfterDays`, the due date of the API key is unknown, too.
  if (typeof days !== "number") return { ...inputs, rotatesAt: days };
  const due = dueDateOf(olds, days);
  const latest = Date.now() + days * day;
  return { ...inputs, rotatesAt: dateOf(due !== undefined && due > Date.now() ? due : latest) };
}

/** Whether an update replaces an API key because of its age. */
export function isDue(state: PropertyMap, { rotateAfterDays: days, rotatesAt }: PropertyMap): boolean {
  if (typeof days !== "number" || typeof rotatesAt !== "string") return false;
  const due = dueDateOf(state, days) ?? momentOf(state.createdAt, days);
  return due !== undefined && due <= Date.now() && momentIn(rotatesAt) > due;
}

/**
 * The due date of the API key if the program changes `rotateAfterDays`, computed from the former due date. One that is further
 * ahead than `rotateAfterDays` allows does not count: the clock was ahead, or somebody has edited the state.
 */
function dueDateOf({ rotatesAt, rotateAfterDays }: PropertyMap, days: number): number | undefined {
  const due = momentOf(rotatesAt, days - Number(rotateAfterDays));
  return due !== undefined && due <= Date.now() + (days + 1) * day ? due : undefined;
}

function momentOf(instant: unknown, daysLater: number): number | undefined {
  const moment = typeof instant === "string" ? momentIn(instant) + daysLater * day : Number.NaN;
  return Number.isNaN(moment) ? undefined : moment;
}

/** The first midnight (UTC) at or after a time, so that a preview and its update on one day compute the same date. */
function dateOf(moment: number): string {
  return new Date(Math.ceil(moment / day) * day).toISOString().slice(0, 10);
}
