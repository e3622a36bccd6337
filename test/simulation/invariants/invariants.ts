import type { Account } from "../simulate";
import {
  forgetsNothing,
  holdsNothingTwice,
  knowsItsOwnTiles,
  knowsOnlyWhatIsThere,
  leavesNothingBehind,
} from "./bookkeeping";
import {
  asksNoMoreThanNeeded,
  ends,
  endsInTime,
  endures,
  hasTheSecret,
  keepsSecrets,
  keepsTheLimits,
  looksOnly,
  speaksPlainly,
} from "./conduct";
import { saysWhatItOverwrites } from "./conflicts";
import { listsOrphans, sparesWhatIsHeld } from "./orphans";
import {
  deletesNothingItNeeds,
  hasTakenTwin,
  holdsOnlyItsOwn,
  keepsAlertsOfTiles,
  keepsTheIdsOfTiles,
  keepsUndeclared,
  leavesOthersAlone,
} from "./ownership";
import { comesTogether, isCleanOnlyIfEqual } from "./truth";
import type { Invariant, Violation } from "./violation";

/** What holds in every history. */
export const invariants: readonly Invariant[] = [
  ends,
  endsInTime,
  keepsTheLimits,
  listsOrphans,
  sparesWhatIsHeld,
  saysWhatItOverwrites,
  leavesOthersAlone,
  holdsOnlyItsOwn,
  keepsUndeclared,
  deletesNothingItNeeds,
  keepsAlertsOfTiles,
  keepsTheIdsOfTiles,
  knowsOnlyWhatIsThere,
  knowsItsOwnTiles,
  forgetsNothing,
  leavesNothingBehind,
  holdsNothingTwice,
  hasTheSecret,
  isCleanOnlyIfEqual,
  comesTogether,
  keepsSecrets,
  speaksPlainly,
  looksOnly,
  asksNoMoreThanNeeded,
  endures,
];

/** What holds even where a stack could not know which of two objects is its own. */
const always: readonly Invariant[] = [ends, keepsSecrets, speaksPlainly, looksOnly];

/** The promises that a history broke. */
export function violationsOf(account: Account): Violation[] {
  const judged = hasTakenTwin(account) ? always : invariants;
  return judged.flatMap((invariant) => invariant(account));
}
