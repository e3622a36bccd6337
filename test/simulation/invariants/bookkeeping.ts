import type { Run } from "../actors/stack";
import type { Account } from "../simulate";
import { type Collected, isCollection, nouns } from "../world/nouns";
import { type Commit, type Data, isStack, type Kind } from "../world/store";
import { isAdopted } from "./ownership";
import { type Invariant, isCollected, kindOf, type Violation } from "./violation";

/** Nothing is in a state that the service never had. */
export const knowsOnlyWhatIsThere: Invariant = ({ stacks, store }) =>
  stacks.flatMap(({ actor, state }) =>
    [...state.resources]
      .filter(([, { type, id }]) => isCollected(type) && !store.creationOf(kindOf[type], id))
      .map(([name, { type, id }]) => ({
        promise: "knows only what is there",
        what: `the state of stack ${actor} has ${type} ${id} as ${name}, which the service never had`,
      })),
  );

/** The tiles of a dashboard in a state are tiles that it had at some time: alerts are put on them. */
export const knowsItsOwnTiles: Invariant = ({ runs, store }) =>
  runs.flatMap(({ step: { actor, number }, after: resources }) =>
    [...resources].flatMap(([name, { type, id, outputs }]): Violation[] => {
      if (type !== "Dashboard") return [];
      const own = store.commits
        .filter((commit) => commit.kind === "dashboards" && commit.id === id)
        .flatMap(({ after }) => ((after?.tiles ?? []) as Data[]).map((tile) => tile.id));
      const other = Object.values((outputs.tileIds ?? {}) as Data).find((tileId) => !own.includes(tileId));
      const what = `the state of stack ${actor} has tile ${other} in ${name}, and dashboard ${id} never had it`;
      return own.length === 0 || other === undefined
        ? []
        : [{ promise: "knows its own tiles", what, step: number }];
    }),
  );

/** Nothing leaves a state that the service has, by a refresh or by a deletion that did not happen. */
export const forgetsNothing: Invariant = (account) => {
  const { runs, store } = account;
  return runs.flatMap((run) => {
    const lost: Violation[] = [];
    const { step, startedAt, endedAt, outcome, before } = run;
    const says = (name: string, id: string, how: string) =>
      lost.push({
        promise: "forgets nothing",
        what: `${name} (${id}) left the state of stack ${step.actor} ${how}, and the service has it`,
        step: step.number,
      });
    for (const { name, kept } of outcome.gone) {
      if (
        kept.type === "ServiceScaling" ||
        wasThereFrom(account, kindOf[kept.type], kept.id, startedAt, endedAt)
      )
        says(name, kept.id, "at a refresh");
    }
    for (const { name, type, op } of outcome.operations) {
      const kept = before.get(name);
      if (op !== "delete" || !kept || !isCollected(type)) continue;
      const isKept = run.messages.some((message) => message.includes(kept.id));
      const later = store.get(kindOf[type], kept.id);
      // Another resource of the state may hold the object.
      const isHeld = account.stacks.some(({ state }) =>
        [...state.resources.values()].some(({ id }) => id === kept.id),
      );
      if (later && !isKept && !isHeld) says(name, kept.id, "as deleted");
    }
    return lost;
  });
};

/** Whether the service had an object all the time. */
function wasThereFrom({ store }: Account, kind: Kind, id: string, from: number, to: number): boolean {
  const isInside = ({ at }: Commit) => at > from && at <= to;
  const wasDeleted = store.commits.some(
    (commit) =>
      commit.kind === kind &&
      commit.after === undefined &&
      isInside(commit) &&
      commit.id.toLowerCase() === id.toLowerCase(),
  );
  return !wasDeleted && store.get(kind, id, from) !== undefined && store.get(kind, id, to) !== undefined;
}

/**
 * Every object that a stack has created is in its state, or a message names it. Left out is what came to be after the
 * update had ended or was killed: the command `orphans` lists it.
 */
export const leavesNothingBehind: Invariant = (account) => {
  const { store, stacks, runs } = account;
  return store.commits.flatMap(({ actor, step, kind, id, at, before }): Violation[] => {
    if (!isStack(actor) || before !== undefined || !isCollection(kind)) return [];
    const run = runs.find((each) => each.step.number === step);
    const stack = stacks.find((each) => each.actor === actor);
    if (!run || !stack || run.wasKilled || at > run.endedAt || !store.get(kind, id)) return [];
    if (isHeld(account, id) || isAdopted(runs, actor, id)) return [];
    if (isLate(account, run, at)) return [];
    if (isUnrecognisable(run, account, store.get(kind, id))) return [];
    if (mentions(run, account, kind, id) || isBehindWall(run, account) || isUnseen(run, account, id))
      return [];
    const what = `stack ${actor} created ${kind} ${id}, which is in no state and in no message`;
    return [{ promise: "leaves nothing behind", what, step }];
  });
};

/**
 * What a failed request creates later, after the update's end too, was announced: the update said that the request may
 * still be carried out, and what to look for.
 */
export const announcesLateCreations: Invariant = (account) => {
  const { store, runs, wire } = account;
  return store.commits.flatMap(({ actor, step, kind, id, at, before }): Violation[] => {
    if (!isStack(actor) || before !== undefined || !isCollection(kind) || isHeld(account, id)) return [];
    const run = runs.find((each) => each.step.number === step);
    const isLateOne = wire.some(
      ({ caller, isCreate, path, fault, at: sentAt, answeredAt }) =>
        isCreate &&
        caller.step === step &&
        path.endsWith(`/${kind}`) &&
        fault !== undefined &&
        "carriedOut" in fault &&
        typeof fault.carriedOut === "number" &&
        Math.abs(sentAt + fault.carriedOut - at) < 100 &&
        (answeredAt ?? at) < at,
    );
    if (!run || run.wasKilled || !isLateOne || mentions(run, account, kind, id)) return [];
    if (hasTakenOld(run, account, kind)) return [];
    const what = `a failed request of stack ${actor} created ${kind} ${id} later, which no message announced`;
    return [{ promise: "announces late creations", what, step }];
  });
};

/**
 * Whether the step took an object for what its failed request created, while lists showed what was there before: one of the
 * stack under its former name, for example. No failure is left then to be announced.
 */
function hasTakenOld({ step, messages }: Run, { wire, history }: Account, kind: Collected): boolean {
  const isLate =
    history.behaviour.listLag > 0 ||
    wire.some(({ caller, fault }) => caller.step === step.number && fault?.kind === "stale");
  const taken = " was created although the answer was lost";
  const noun = nouns[kind].word.toLowerCase();
  return isLate && messages.some((text) => text.toLowerCase().startsWith(noun) && text.includes(taken));
}

function isHeld({ stacks }: Account, id: string): boolean {
  return stacks.some((stack) => stack.heldIds().includes(id.toLowerCase()));
}

/** Whether a message of the stack names the object, or one of the step says that its creation is in doubt. */
function mentions(run: Run, { stacks }: Account, kind: Kind, id: string): boolean {
  const stack = stacks.find(({ actor }) => actor === run.step.actor);
  if (stack?.messages.some((message) => message.toLowerCase().includes(id.toLowerCase()))) return true;
  return run.messages.some(
    (message) =>
      isCollection(kind) &&
      ((message.includes(nouns[kind].create) &&
        /may (still be|have been|yet be) (carried out|created)/.test(message)) ||
        message
          .toLowerCase()
          .includes(
            `may have created ${kind === "alerts" || kind === "keys" ? "an" : "a"} ${nouns[kind].word}`.toLowerCase(),
          )),
  );
}

/** Whether a request was carried out late, and so short before the end that no further look was due. */
function isLate({ wire }: Account, { step, endedAt }: Run, createdAt: number): boolean {
  return (
    endedAt - createdAt < millisecondsBetweenLooks &&
    wire.some(
      ({ caller, isCreate, fault, at }) =>
        isCreate &&
        caller.step === step.number &&
        fault !== undefined &&
        "carriedOut" in fault &&
        typeof fault.carriedOut === "number" &&
        Math.abs(at + fault.carriedOut - createdAt) < 100,
    )
  );
}

/** What was looked for just now is not looked for again at once (docs/faults.md: "Lost answers to creates"). */
const millisecondsBetweenLooks = 6000;

/**
 * Whether the service made another name or other tags of those that were sent. What a late request creates is known by
 * them alone: an alert or a dashboard that differs in them may be another stack's, and no message tells to delete it.
 * The command `orphans` lists it.
 */
function isUnrecognisable({ step }: Run, { wire }: Account, record: Data | undefined): boolean {
  return wire.some(({ caller, isCreate, body }) => {
    if (!isCreate || caller.step !== step.number || body === undefined) return false;
    const { name, tags } = JSON.parse(body) as Data;
    if (typeof name !== "string" || name.trim() !== String(record?.name).trim()) return false;
    const [sent, shown] = [JSON.stringify(tags), JSON.stringify(record?.tags)];
    return name !== record?.name || (sent !== shown && sent?.toLowerCase() === shown);
  });
}

/** Whether a gateway answered the list of the step like the create: what refuses everything alike lets nothing through. */
function isBehindWall({ step }: Run, { wire }: Account): boolean {
  const foreign = wire.filter(
    ({ caller, fault }) => caller.step === step.number && fault?.kind === "foreign",
  );
  const [walls, creates] = [
    foreign.filter(({ isCreate }) => !isCreate),
    foreign.filter(({ isCreate }) => isCreate),
  ];
  return creates.some(({ answer }) => walls.some((wall) => wall.answer?.status === answer?.status));
}

/**
 * Whether the lists of the step, asked for after the object was there, still showed what was there before, and no list
 * lacked another object that the step had created: then nothing tells that they lag. The command `orphans` lists the object.
 */
function isUnseen({ step }: Run, { wire, store, history }: Account, id: string): boolean {
  const { at: createdAt = 0, kind } = store.commits.find((commit) => commit.id === id) ?? {};
  const isStale = wire.some(
    ({ caller, fault, at }) =>
      caller.step === step.number &&
      fault?.kind === "stale" &&
      at >= createdAt &&
      at - fault.milliseconds < createdAt,
  );
  return isStale || (history.behaviour.listLag > 0 && kind !== undefined && !showsLag(step.number, kind));

  /** Whether a list lacked what an answer had shown before: from then on the stack knows that the lists lag. */
  function showsLag(number: number, of: Kind): boolean {
    const own = wire.filter(
      ({ caller, path }) => caller.step === number && path.split("?")[0]?.endsWith(`/${of}`),
    );
    return own.some((list) => {
      if (list.method !== "GET" || list.answer?.status !== 200) return false;
      return store.commits.some(
        (commit) =>
          commit.step === number &&
          commit.kind === of &&
          commit.id !== id &&
          commit.before === undefined &&
          own.some(
            ({ isCreate, answeredAt = list.at, answer }) =>
              isCreate && answeredAt < list.at && answer?.status === 200 && answer.body.includes(commit.id),
          ) &&
          !list.answer?.body.toLowerCase().includes(commit.id.toLowerCase()),
      );
    });
  }
}

/**
 * No two resources hold the same object, but for one under its old and its new name, where the update failed before it
 * came to deletions.
 */
export const holdsNothingTwice: Invariant = ({ stacks, runs }) => {
  const seen = new Map<string, string>();
  return stacks.flatMap(({ actor, state, program }) =>
    [...state.resources].flatMap(([name, { type, id }]): Violation[] => {
      const last = runs.filter(({ step }) => step.actor === actor && step.command.startsWith("up")).at(-1);
      const isLeftOver = !program.has(name) && (last?.outcome.errors.length ?? 0) > 0;
      if (!isCollected(type) || isLeftOver) return [];
      const key = `${type} ${id.toLowerCase()}`;
      const other = seen.get(key);
      seen.set(key, `${name} of stack ${actor}`);
      return other === undefined
        ? []
        : [
            {
              promise: "holds nothing twice",
              what: `${other} and ${name} of stack ${actor} are both ${type} ${id}`,
            },
          ];
    }),
  );
};
