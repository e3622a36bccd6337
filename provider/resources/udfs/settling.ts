import { FailedService, IncompleteList, LostAnswer, Unreachable } from "../../api/errors";
import type { Session } from "../../lifecycle/session";
import type { PropertyMap } from "../../values/data";

const minute = 60_000;

/** Milliseconds between two looks at what the service builds or deploys: shortly at first, since some of it is done at once. */
const betweenLooks = { first: 500, longest: 5000 };

/** The failures that soon pass. A refusal does not, so it ends the wait at once. */
const passing = [FailedService, IncompleteList, LostAnswer, Unreachable];

/** How many looks may fail in a row. */
const mostFailures = 5;

/** One look at what the service builds, deploys or takes away. */
interface Look {
  readonly status: string;
  readonly object?: PropertyMap;
  readonly isSettled: boolean;
}

/**
 * Looks until the service is done, and tells each new status.
 * @param title the object in messages, such as `version 2 of UDF echo`
 * @throws Error if that takes too long, cannot be seen, or is interrupted
 */
export async function settled(
  title: string,
  minutes: number,
  look: () => Promise<Look>,
  session: Session,
): Promise<PropertyMap | undefined> {
  const begun = Date.now();
  let shown = "not shown yet";
  let failures = 0;
  let pause = betweenLooks.first;
  for (let told = begun; ; ) {
    const ended = session.interruption.reason();
    if (ended !== undefined) throw new Error(`${title} is ${shown}: ${ended}; the next pulumi up goes on`);
    try {
      const { status, object, isSettled } = await look();
      failures = 0;
      if (isSettled) return object;
      if (status !== shown) {
        session.inform(`${title} is ${status}`);
        told = Date.now();
      }
      shown = status;
    } catch (error) {
      if (!passing.some((failure) => error instanceof failure)) throw error;
      if (session.interruption.reason() === undefined && ++failures >= mostFailures) throw error;
    }
    const waited = Math.round((Date.now() - begun) / minute);
    if (Date.now() - begun >= minutes * minute)
      throw new Error(
        `${title} is still ${shown} after ${waited} min, the limit of waitMinutes; the next pulumi up goes on waiting`,
      );
    if (Date.now() - told >= minute) {
      told = Date.now();
      session.inform(`${title} is still ${shown} after ${waited} min; the wait goes on`);
    }
    await session.interruption.pause(pause);
    pause = Math.min(pause * 2, betweenLooks.longest);
  }
}

/** The minutes that a program lets a step wait. */
export const minutesIn = ({ waitMinutes }: PropertyMap, byDefault: number): number =>
  typeof waitMinutes === "number" ? waitMinutes : byDefault;

/** The names of functions, of their arguments and of what they return. */
export const udfName = {
  pattern: "^[A-Za-z][A-Za-z0-9_]*$",
  rule: "a word of letters, digits and _ that begins with a letter",
};
