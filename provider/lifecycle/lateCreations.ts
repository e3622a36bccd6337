import { type Ledger, ledgersOf, settlingMilliseconds } from "./ledger";
import { listedIds } from "./nouns";
import type { Session } from "./session";

/** How many steps of an update are under way. */
interface Steps {
  underWay: number;
}

/**
 * Carries out one step of an update. No host says when an update ends, so whenever no step is under way any more, what
 * requests that had failed created after all is looked for and named.
 */
export async function thenNameLateCreations<Result>(
  session: Session,
  step: () => Promise<Result>,
): Promise<Result> {
  const steps = session.shared("steps of the update", (): Steps => ({ underWay: 0 }));
  steps.underWay++;
  try {
    return await step();
  } finally {
    steps.underWay--;
    if (steps.underWay === 0)
      await Promise.all([...ledgersOf(session)].map((ledger) => nameLateCreations(ledger, session)));
  }
}

/** One list tells of all doubtful requests of a collection. */
async function nameLateCreations(ledger: Ledger, session: Session): Promise<void> {
  if (!ledger.isLookDue()) return;
  await session.interruption.pause(settlingMilliseconds);
  const objects = await ledger.list().catch(() => undefined);
  for (const attempt of ledger.doubts) {
    const { collection, description, isLike } = attempt.creation;
    const unseen = (reason: string) =>
      session.warnOnce(
        `a failed request may have created ${description}, and ${reason}. Look for it later: npx pipestack orphans`,
      );
    if (!objects) {
      unseen("the list cannot be read");
      continue;
    }
    const late = ledger
      .recentIn(objects, attempt)
      .filter((object) => isLike(object) && !ledger.isOlder(object, attempt));
    if (ledger.rivalsOf(attempt, late).length > 0) continue;
    if (late.length > 0 || ledger.isSettled(attempt)) ledger.doubts.delete(attempt);
    if (late.length > 0) {
      for (const { id } of late) ledger.named.add(id);
      const what = attempt.outcome
        ? `${collection.noun} ${attempt.outcome} may have been created twice, because its first request failed`
        : `a failed request may have created ${description} after all`;
      session.warnOnce(`${what}. Unless it belongs to somebody else, delete ${listedIds(late)}`);
    }
    // What is found may be another's, while what was created here is still to show.
    if (ledger.isLagging) unseen("lists show late what this run has created");
  }
}
