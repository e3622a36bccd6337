import type { Account } from "./account";
import * as bookkeeping from "./bookkeeping";
import * as conduct from "./conduct";
import * as creations from "./creations";
import * as others from "./others";
import * as ownership from "./ownership";
import { type Promised, type Violation, violationsIn } from "./promise";
import * as secrets from "./secrets";
import * as tiles from "./tiles";
import * as truth from "./truth";
import * as undeclared from "./undeclared";

/** All promises (rules) that the provider must keep. The simulation, the fault matrix and the engine tests judge by them. */
export const promises: readonly Promised[] = [
  conduct.ends,
  conduct.endsInTime,
  conduct.keepsTheLimits,
  bookkeeping.listsOrphans,
  bookkeeping.sparesWhatIsHeld,
  ownership.saysWhatItOverwrites,
  ownership.leavesOthersAlone,
  ownership.holdsOnlyItsOwn,
  undeclared.keepsUndeclared,
  others.namesWhatItTakesOver,
  others.stopsBeforeItTakesOver,
  others.namesWhatGoesAlong,
  others.leavesWhatWasThere,
  ownership.deletesNothingItNeeds,
  truth.bringsAboutWhatIsDeclared,
  tiles.keepsAlertsOfTiles,
  tiles.keepsTheIdsOfTiles,
  tiles.makesAlertsAnew,
  tiles.inheritsNothing,
  bookkeeping.knowsOnlyWhatIsThere,
  tiles.knowsItsOwnTiles,
  bookkeeping.forgetsNothing,
  bookkeeping.saysWhatIsLeft,
  creations.leavesNothingBehind,
  creations.announcesLateCreations,
  creations.namesWhatKillsLeave,
  creations.takesWhatItLeftInDoubt,
  bookkeeping.holdsNothingTwice,
  secrets.hasTheSecret,
  truth.isCleanOnlyIfEqual,
  truth.importsWhatIsThere,
  truth.reportsOnlyDrift,
  truth.comesTogether,
  truth.answersTheTruth,
  bookkeeping.restoresTheScaling,
  secrets.keepsSecrets,
  conduct.speaksPlainly,
  conduct.onlyLooks,
  conduct.refusesDoubles,
  conduct.asksNoMoreThanNeeded,
  conduct.endures,
  conduct.tellsWhatWasCreated,
];

/**
 * Promises that the provider must keep even after a stack has taken another stack's object for its own. After such a mistake
 * the provider may break every other promise.
 */
const always: readonly Promised[] = [
  ownership.takesNoTwin,
  conduct.ends,
  secrets.keepsSecrets,
  conduct.speaksPlainly,
  conduct.onlyLooks,
];

/** Judges the account of a test (its requests, states and messages), and returns each violation of a promise. */
export function brokenIn(account: Account): Violation[] {
  return violationsIn(account, ownership.takenTwins(account).length > 0 ? always : promises);
}
