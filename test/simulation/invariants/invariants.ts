import type { Account } from "../simulate";
import {
  announcesLateCreations,
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
  keepsTheLimits,
  looksOnly,
  refusesDoubles,
  speaksPlainly,
} from "./conduct";
import { saysWhatItOverwrites } from "./conflicts";
import { listsOrphans, sparesWhatIsHeld } from "./orphans";
import {
  deletesNothingItNeeds,
  holdsOnlyItsOwn,
  keepsAlertsOfTiles,
  keepsTheIdsOfTiles,
  keepsUndeclared,
  keepsUndeclaredInLists,
  leavesOthersAlone,
  takenTwins,
  takesNoTwin,
} from "./ownership";
import { keepsSecrets } from "./secrets";
import { bringsAboutWhatIsDeclared, comesTogether, isCleanOnlyIfEqual } from "./truth";
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
  keepsUndeclaredInLists,
  deletesNothingItNeeds,
  bringsAboutWhatIsDeclared,
  keepsAlertsOfTiles,
  keepsTheIdsOfTiles,
  knowsOnlyWhatIsThere,
  knowsItsOwnTiles,
  forgetsNothing,
  leavesNothingBehind,
  announcesLateCreations,
  holdsNothingTwice,
  hasTheSecret,
  isCleanOnlyIfEqual,
  comesTogether,
  keepsSecrets,
  speaksPlainly,
  looksOnly,
  refusesDoubles,
  asksNoMoreThanNeeded,
  endures,
];

/** What holds even where a stack has taken another's object: all else follows from that. */
const always: readonly Invariant[] = [takesNoTwin, ends, keepsSecrets, speaksPlainly, looksOnly];

/** The promises that a history broke. */
export function violationsOf(account: Account): Violation[] {
  const judged = takenTwins(account).length > 0 ? always : invariants;
  return judged.flatMap((invariant) => invariant(account));
}
