import type { Account, Request } from "./account";
import { heldIn } from "./held";
import { collectedKinds, isCollected, isCollection, kindOf, ofKind, pathOf } from "./kinds";
import { isAdopted, isSameId, promise, runOf } from "./promise";
import { type Commit, type Data, isStack } from "./store";

/**
 * A promise of the provider about objects of other people. It does not count deletions that the service makes itself: with a
 * tile it deletes the alerts on the tile, even those of other people.
 */
export const leavesOthersAlone = promise(
  "leaves others alone",
  "Nobody else's object is changed or deleted.",
  [],
  ({ store, runs, serviceId }) =>
    store.commits.flatMap(({ actor, step, kind, id, before, isCascade }) => {
      const isOfService = !isCollection(kind) && id === serviceId;
      if (!isStack(actor) || before === undefined || isCascade || isOfService) return [];
      const owner = store.creationOf(kind, id)?.actor;
      if (owner === actor || isAdopted(runs, actor, id)) return [];
      return [{ what: `stack ${actor} wrote to ${kind} ${id} of ${owner}`, step }];
    }),
);

export const holdsOnlyItsOwn = promise(
  "holds only its own",
  "No state has an object that somebody else created, unless the program adopts it.",
  [],
  ({ stacks, store, runs }) =>
    heldIn(stacks).flatMap(({ actor, name, type, id }) => {
      const owner = isCollected(type) ? store.creationOf(kindOf(type), id)?.actor : undefined;
      if (owner === undefined || owner === actor || isAdopted(runs, actor, id)) return [];
      return [{ what: `${name} of stack ${actor} is ${type} ${id} of ${owner}` }];
    }),
);

/** An object of another stack that a stack took for the result of its own lost request. */
interface TakenTwin {
  readonly what: string;
  readonly step: number;
  /**
   * True if the taken object equals the one that the stack requested, and no list shows which of the two belongs to which stack
   * (docs/faults.md: "No list can tell two cases apart"). It is never true for API keys, since the provider never takes an
   * existing key for the result of a lost request.
   */
  readonly isUntold: boolean;
}

/** Matches what an update says of an object that it has taken for that of a lost request, a set also of an update before. */
const takenPattern =
  /^(?:\w+\["[^"]+"\]: )?([a-z ]+) (\S+) was created (by an earlier update )?although the answer was lost/i;

/** Returns the objects of other stacks that stacks took for their own. */
export function takenTwins(account: Account): TakenTwin[] {
  const { runs, store, wire = [] } = account;
  const found = runs.flatMap(({ step, endedAt, messages }) =>
    messages.flatMap((message): TakenTwin[] => {
      const [, noun, id, earlier] = takenPattern.exec(message) ?? [];
      const kind = collectedKinds.find((each) => ofKind(each).noun.toLowerCase() === noun?.toLowerCase());
      const creation = kind && id && store.creationOf(kind, id);
      if (!creation || creation.actor === step.actor || creation.at > endedAt) return [];
      const requests = wire.filter(
        ({ isCreate, fault, caller, path, at }) =>
          isCreate &&
          fault !== undefined &&
          (earlier ? caller.actor === step.actor && at < endedAt : caller.step === step.number) &&
          path.includes(pathOf(kind)),
      );
      const isUntold = requests.some(
        (request) => creation.at >= firstUntold(request, account, Boolean(earlier)),
      );
      const what = `stack ${step.actor} took ${kind} ${id} of ${creation.actor} for its own, which was there before`;
      return [{ what, step: step.number, isUntold }];
    }),
  );
  return [...found, ...answeredTwins(account)];
}

/** Returns objects of other stacks with which the service wrongly answered a create, before any list showed them. */
function answeredTwins({ runs, store, wire = [], habits }: Account): TakenTwin[] {
  return runs.flatMap(({ step, after }) =>
    [...after.values()].flatMap(({ type, id }) => {
      const creation = isCollected(type) ? store.creationOf(kindOf(type), id) : undefined;
      if (!creation || !isStack(creation.actor) || creation.actor === step.actor) return [];
      const isUntold = wire.some(
        ({ at, caller, isCreate, fault, answer }) =>
          caller.step === step.number &&
          isCreate &&
          fault?.kind === "otherObject" &&
          answer?.body.includes(id) &&
          at - creation.at <= (habits?.listLag ?? 0),
      );
      const what = `stack ${step.actor} was answered with ${type} ${id} of ${creation.actor}`;
      return isUntold ? [{ what, step: step.number, isUntold }] : [];
    }),
  );
}

export const takesNoTwin = promise(
  "takes nobody's twin",
  "Where a list tells whose an object is, nobody takes another's for the outcome of a lost request.",
  ["wire"],
  (account) =>
    takenTwins(account)
      .filter(({ isUntold }) => !isUntold)
      .map(({ what, step }) => ({ what, step })),
);

/**
 * Returns the earliest time at which another stack may have created an object that the provider cannot tell from that of its
 * own lost create. If the provider read a list before the create, it is the time of the values in the list, otherwise that of the
 * create. For an entry of a set it is that of the whole update, from which dates tell, by clocks that may differ.
 */
function firstUntold(request: Request, { wire = [], habits }: Account, isOfSet: boolean): number {
  const before = wire.filter(
    ({ process, path, at, answeredAt }) =>
      process === request.process && path.split("?")[0] === request.path && (answeredAt ?? at) <= request.at,
  );
  const list = before.filter(isListed).at(-1);
  const begunAt = isOfSet ? (before[0]?.at ?? request.at) : request.at;
  const oldest = isOfSet ? begunAt : begunAt - longestFreshness;
  if (!list || (list.answeredAt ?? 0) < oldest) return isOfSet ? begunAt - longestDifference : begunAt;
  const age = list.fault?.kind === "stale" ? (list.fault.milliseconds ?? 0) : 0;
  return list.at - Math.max(age, habits?.listLag ?? 0);
}

const isListed = ({ method, answer, fault }: Request): boolean =>
  method === "GET" &&
  answer?.status === 200 &&
  (fault === undefined || fault.kind === "stale" || fault.kind === "slow");

/** Milliseconds for which the provider treats a list as the current state of the service. */
const longestFreshness = 1000;

/** Milliseconds by which the date of an object may differ from the time of its create. */
const longestDifference = 2000;

export const saysWhatItOverwrites = promise(
  "says what it overwrites",
  "An update names every change of somebody else that it overwrites and the state has not seen.",
  ["wire", "byHand", "habits"],
  (account) => {
    const { store, runs, wire, habits, byHand } = account;
    return store.commits.flatMap((commit) => {
      const { actor, step, kind, id, before, after, isCascade } = commit;
      if (!isStack(actor) || !before || !after || isCascade) return [];
      const run = runOf(account, commit);
      const [name, kept] =
        [...(run?.before ?? [])].find(
          ([, each]) => isCollected(each.type) && kindOf(each.type) === kind && isSameId(each.id, id),
        ) ?? [];
      if (!run || !kept || run.step.command !== "up" || run.wasKilled) return [];
      if (!run.outcome.operations.some((each) => each.name === name && each.op === "update")) return [];
      if (wire.some(({ caller, fault }) => caller.step === step && fault !== undefined)) return [];
      const last = store.commits
        .filter((each) => each !== commit && each.kind === kind && each.id === id && each.at <= commit.at)
        .at(-1);
      const seen = runs.filter((each) => each.step.actor === actor && each.endedAt <= run.startedAt).at(-1);
      const shownFrom = run.startedAt - habits.listLag;
      if (last?.actor !== "hand" || last.at >= shownFrom || last.at < (seen?.endedAt ?? 0)) return [];
      // Changes that a person makes inside a tile are judged by a promise of their own, since they disappear with the tile.
      if (byHand.inside.some(({ dashboard }) => dashboard === id)) return [];
      return changedIn(last)
        .filter((member) => !isSame(before[member], after[member]) && !keepsChange(last, after, member))
        .filter((member) => !ofKind(kind).hidden?.includes(member))
        .filter((member) => member in kept.inputs && !isSame(kept.inputs[member], before[member]))
        .filter(
          (member) =>
            !run.messages.some(
              (text) =>
                text.includes(id) &&
                (text.includes(member) || text.includes("the next update replaces the chart")),
            ),
        )
        .map((member) => ({
          what: `stack ${actor} overwrote ${member} of ${name} (${kind} ${id}) without a word`,
          step,
        }));
    });
  },
);

/** Returns true if an object inside a record still has all values that another person changed in it. */
function keepsChange({ before, after }: Commit, later: Data, member: string): boolean {
  const [former, changed, now] = [before, after, later].map((record) => (record?.[member] ?? {}) as Data);
  if (typeof now !== "object" || Array.isArray(now)) return false;
  const names = Object.keys(changed ?? {}).filter((name) => !isSame(former?.[name], changed?.[name]));
  return names.length > 0 && names.every((name) => isSame(changed?.[name], now[name]));
}

function changedIn({ before, after }: Commit): string[] {
  return Object.keys(after ?? {}).filter((member) => !isSame(before?.[member], after?.[member]));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}

export const deletesNothingItNeeds = promise(
  "deletes nothing it needs",
  "An update deletes nothing that its state still holds, and never the key that signs its requests.",
  [],
  (account) => {
    const { store, wire = [], signingKeys = [] } = account;
    const held = store.commits.flatMap((commit) => {
      const { actor, step, kind, id, after, isCascade } = commit;
      if (!isStack(actor) || after !== undefined || isCascade) return [];
      const run = runOf(account, commit);
      const holder = [...(run?.after ?? [])].find(
        ([, kept]) => kindOf(kept.type) === kind && isSameId(kept.id, id),
      );
      const wasReplaced = store.get(kind, id) !== undefined;
      // With `--target` the engine calls the provider only for the targets, so it knows nothing of other resources.
      const isTold = run?.outcome.operations.some(({ name }) => name === holder?.[0]);
      if (run?.step.targets && !isTold) return [];
      if (!holder || wasReplaced || run?.wasKilled || run?.outcome.errors.length !== 0) return [];
      return [{ what: `stack ${actor} deleted ${kind} ${id}, which is ${holder[0]} in its state`, step }];
    });
    const signing = wire
      .filter(
        ({ method, path, caller }) =>
          method === "DELETE" && isStack(caller.actor) && signingKeys.some((key) => path.endsWith(key)),
      )
      .map(({ caller: { actor, step } }) => ({
        what: `stack ${actor} asks to delete its signing key`,
        step,
      }));
    return [...held, ...signing];
  },
);
