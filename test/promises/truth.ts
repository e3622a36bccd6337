import { isDeepStrictEqual } from "node:util";
import { type Account, isClean, type Request, type Run } from "./account";
import { isCollected, type Kind, kindOf, ofKind, pathOf } from "./kinds";
import { faultedIn, isSameId, lateRequestOf, promise, runOf, wasLastWriteSwallowed } from "./promise";
import { type Commit, type Data, isStack } from "./store";

type Comparing = Account & Required<Pick<Account, "differences">>;

export const isCleanOnlyIfEqual = promise(
  "is clean only if equal",
  "Where drift is not reported, the service has what the program declares, as far as the service does not rewrite it.",
  ["differences"],
  (account) =>
    account.runs.flatMap((run) => {
      if (run.step.targets || run.wasKilled || !isClean(run) || !isUndisturbed(account, run)) return [];
      return differencesAfter(account, run).map((what) => ({
        what: `drift of stack ${run.step.actor} says "clean", but ${what}`,
        step: run.step.number,
      }));
    }),
);

/**
 * A promise of the provider about the declared values of an object. It judges the object right after the last write of the
 * update, since others may change it later.
 */
export const bringsAboutWhatIsDeclared = promise(
  "brings about what is declared",
  "After an update that succeeds, the service has what the program declares, and nothing that it declares no more.",
  ["differences"],
  (account) =>
    account.runs.flatMap((run) => {
      const { step, outcome, programs, after, endedAt } = run;
      if (!step.command.startsWith("up") || step.targets || run.wasKilled || outcome.errors.length > 0)
        return [];
      return [...programs[1]].flatMap(([name, declared]) => {
        const { id, kind } = placeOf(account, run, name, declared.type);
        if (id === undefined || !after.has(name)) return [];
        const last = account.store.commits
          .filter((commit) => commit.kind === kind && isSameId(commit.id, id) && commit.at <= endedAt)
          .at(-1);
        if (!last || last.step !== step.number || !isStack(last.actor)) return [];
        // A request of the update may have failed, been carried out later, and overwritten the values that the update wrote
        // last. The provider cannot prevent this.
        if (lateRequestOf(account, last)) return [];
        if (wentAsAnnounced(account, run, last) || isOfAnother(account, run, id)) return [];
        const { shown, hidden } = last.after
          ? account.differences(declared, last.after)
          : { shown: ["it"], hidden: [] };
        const left = [...shown, ...hidden].filter((member) => !isSaidToBeDropped(account, run, id, member));
        return left.map((member) => ({
          what: `${step.command} of stack ${step.actor} ends with ${member} of ${name} (${kind} ${id}) ${last.after ? "other than declared" : "deleted"}`,
          step: step.number,
        }));
      });
    }),
);

/**
 * Returns true if the service deleted an alert along with its tile, as a warning had announced. In one case, the service
 * answered the last write to the alert without carrying it out. In the other case, the alert had another source, but still
 * its former tile.
 */
function wentAsAnnounced(account: Account, { step, messages }: Run, last: Commit): boolean {
  const { kind, id, before, after, isCascade } = last;
  const wasSwallowed = wasLastWriteSwallowed(account, step.actor, last);
  const isAnnounced = messages.some(
    (text) =>
      (text.includes(" the service deletes ") && text.includes(id)) ||
      text.startsWith("cannot tell what still uses"),
  );
  const isKept = kind === "alerts" && before?.source !== "tile";
  return after === undefined && isCascade === true && (wasSwallowed || isKept) && isAnnounced;
}

export const reportsOnlyDrift = promise(
  "reports only drift",
  "A refresh reports no drift of an object that nobody has changed.",
  ["wire"],
  (account) =>
    account.runs.flatMap((run) => {
      const { step, outcome, before, startedAt, endedAt } = run;
      const earlier = account.runs.filter(
        (each) => each.endedAt <= startedAt && each.step.actor === step.actor,
      );
      const last = earlier.at(-1);
      const { listLag = 0, scalingLag = 0 } = account.habits ?? {};
      const isMisled =
        listLag + scalingLag > 0 ||
        account.wire.some(
          ({ caller, at, fault }) => caller.actor === step.actor && at <= endedAt && lies(fault),
        );
      const isSettled =
        last !== undefined &&
        earlier.every(
          ({ outcome, wasKilled, step: { targets } }) =>
            outcome.errors.length === 0 && !wasKilled && !targets,
        );
      if (step.command !== "refresh" || isMisled || !isSettled) return [];
      return outcome.differing
        .filter((name) => {
          const kept = before.get(name);
          // An import writes placeholders for secrets to the Pulumi state. The first refresh after it replaces them, which is
          // no drift.
          const { standIns } = (kept?.outputs.__tracking ?? {}) as Data;
          if (!kept || standIns !== undefined) return false;
          // The id comes from the Pulumi state before the refresh: a resource whose object is gone is not in the state after
          // it.
          const id = isCollected(kept.type) ? kept.id : account.serviceId;
          const kind = kindOf(kept.type);
          const changes = account.store.commits.filter(
            (commit) => commit.kind === kind && isSameId(commit.id, id),
          );
          const isKnown = ({ actor, at }: Commit) =>
            at <= (actor === step.actor ? last.endedAt : (earlier[0]?.startedAt ?? 0));
          return changes.every(isKnown);
        })
        .map((name) => ({
          what: `the refresh of stack ${step.actor} reports drift of ${name}`,
          step: step.number,
        }));
    }),
);

/** Returns true for a fault by which an answer of the service shows wrong values or an object that was not asked for. */
function lies(fault: Request["fault"]): boolean {
  return fault !== undefined && /^(stale|otherObject|swallowed|oldAnswer|phantom|oddId)$/.test(fault.kind);
}

export const importsWhatIsThere = promise(
  "imports what is there",
  "What an import has generated declares the object as it is.",
  [],
  ({ runs, store, habits }) =>
    runs.flatMap(({ step, startedAt, after, outcome: { operations } }, index) => {
      // What the program edits, in this step or in one before that failed, is a real change.
      const isEdited = (name: string) =>
        runs.slice(0, index + 1).some(({ step: { actor }, programs: [formerly, now] }) => {
          const [former, current] = [formerly.get(name), now.get(name)];
          return actor === step.actor && former && current && !isDeepStrictEqual(former.args, current.args);
        });
      const named = (op: string) => operations.filter((each) => each.op === op).map(({ name }) => name);
      const createdAt = (name: string) => {
        const { type = "", id = "" } = after.get(name) ?? {};
        return (isCollected(type) && store.creationOf(kindOf(type), id)?.at) || 0;
      };
      // A replaced object has a new id, so a reference to it is a real change of the program.
      const refersToNew = (name: string) =>
        after.get(name)?.dependencies?.some((other) => createdAt(other) > createdAt(name));
      // An import is not judged if another resource of the stack has written the same object: a lagging list may not show that
      // write to the import yet.
      const isShared = (name: string) => {
        const { type = "", id = "" } = after.get(name) ?? {};
        const from = isCollected(type) ? startedAt - (habits?.listLag ?? 0) : 0;
        const isOfStack = ({ actor, step: number, at }: Commit) =>
          actor === step.actor && number !== step.number && at >= from;
        return store.commits.some((each) => isOfStack(each) && isSameId(each.id, id));
      };
      const isImported = (name: string) =>
        named("import").includes(name) && !isShared(name) && !isEdited(name);
      return operations
        .filter(({ name }) => isImported(name) && named("update").includes(name) && !refersToNew(name))
        .map(({ name }) => ({
          what: `${step.command} of stack ${step.actor} changes ${name}, which it imports`,
          step: step.number,
        }));
    }),
);

export const comesTogether = promise(
  "comes together",
  "Once nothing goes wrong any more, the next update puts everything right.",
  [],
  ({ runs, stacks, forTheUser }) =>
    stacks.flatMap(({ actor }) => {
      const own = runs.filter(({ step }) => step.actor === actor && step.number < 0);
      const run = own.at(-1);
      if (!run || isClean(run)) return [];
      if (own.some(({ outcome }) => outcome.errors.some((error) => forTheUser?.test(error)))) return [];
      const why = run.outcome.errors[0] ?? `${run.outcome.differing.join(", ")} differ`;
      return [{ what: `stack ${actor} is not clean in the end: ${why}`, step: run.step.number }];
    }),
);

export const answersTheTruth = promise(
  "answers the truth",
  "A function answers what the service has, or fails.",
  [],
  ({ runs }) =>
    runs
      .filter(
        ({ answers, outcome }) => answers && outcome.errors.length === 0 && !isDeepStrictEqual(...answers),
      )
      .map(({ step }) => ({ what: "the answer is not true", step: step.number })),
);

/**
 * Returns true if the provider saw the true state during the Pulumi command: no fault gave it an old or wrong answer, and
 * nothing changed so recently that reads may not show it.
 */
function isUndisturbed({ wire = [], store, habits }: Account, { step, startedAt, endedAt }: Run): boolean {
  const isMisled = wire.some(
    ({ caller, fault }) =>
      caller.step === step.number && (fault?.kind === "stale" || fault?.kind === "otherObject"),
  );
  const from = startedAt - Math.max(habits?.scalingLag ?? 0, habits?.listLag ?? 0);
  return !isMisled && !store.commits.some(({ at }) => at >= from && at <= endedAt);
}

function placeOf({ serviceId }: Account, { after }: Run, name: string, type: string) {
  return { kind: kindOf(type), id: isCollected(type) ? after.get(name)?.id : serviceId };
}

/** Describes the differences between service and program at the end of a Pulumi command. */
function differencesAfter(account: Comparing, run: Run): string[] {
  const { programs, after, endedAt } = run;
  return [...programs[1]].flatMap(([name, declared]) => {
    const { id, kind } = placeOf(account, run, name, declared.type);
    if (id === undefined || !after.has(name) || isSaidToBeUnseen(account, run, declared.type)) return [];
    const record = account.store.get(kind, id, endedAt);
    if (!record) return isSaidToBeNew(run, declared.type, id) ? [] : [`${name} does not exist`];
    if (wasChangedMeanwhile(account, kind, id, endedAt)) return [];
    if (hadNoEffectTwice(account, kind, id, endedAt) || isOfAnother(account, run, id)) return [];
    return account
      .differences(declared, record)
      .shown.filter((member) => !isSaidToBeDropped(account, run, id, member))
      .map(
        (member) =>
          `${member} of ${name} is ${JSON.stringify(record[member])} and not ${JSON.stringify(declared.args[member])}`,
      );
  });
}

/** Returns true if an update has said that the service stores only a part of a declared value, as its answer has shown. */
function isSaidToBeDropped({ runs }: Account, { step }: Run, id: string, member: string): boolean {
  const part = new RegExp(`: the service dropped (.*, )?${member}[[.,]`);
  return runs.some(
    ({ step: { actor }, messages }) =>
      actor === step.actor && messages.some((text) => text.includes(id) && part.test(text)),
  );
}

/**
 * Returns true if a create was answered with a new object of another stack, which no list showed yet. To the provider this
 * looks like its own object, with values that the service has rewritten.
 */
function isOfAnother({ wire = [], habits }: Account, { step }: Run, id: string): boolean {
  return wire.some(
    ({ caller, isCreate, fault, answer }) =>
      caller.actor === step.actor &&
      isCreate &&
      fault?.kind === "otherObject" &&
      (habits?.listLag ?? 0) > 0 &&
      answer?.body.includes(id),
  );
}

/** Returns true if a gateway refused reads of a resource type and the command said that it cannot detect drift of this type. */
function isSaidToBeUnseen({ wire = [] }: Account, { step, messages }: Run, type: string): boolean {
  const hadFault = wire.some(({ caller, fault }) => caller.step === step.number && fault !== undefined);
  return hadFault && messages.some((text) => text.endsWith(`[uncompared noRoute ${type}]`));
}

/** Returns true if a message said that the provider did not compare the object: it is so new that no read shows it yet. */
function isSaidToBeNew({ messages }: Run, type: string, id: string): boolean {
  const codes = ["new", "notRunning"].map((reason) => `[uncompared ${reason} ${type} ${id}]`);
  return messages.some((text) => codes.some((code) => text.endsWith(code)));
}

/**
 * Returns true if others changed a record between the last read before the stack's last write and the answer to that write. No
 * client can tell such a change from a value that the service rewrites. A write that the service answered but did not carry out
 * counts as a write.
 */
function wasChangedMeanwhile(account: Account, kind: Kind, id: string, before: number): boolean {
  const { store, wire = [] } = account;
  const own = store.commits.filter(
    (commit) => commit.kind === kind && commit.at <= before && isSameId(commit.id, id),
  );
  const committed = own.map(({ at, actor, step }) => ({ at, actor, step }));
  const swallowed = wire
    .filter(({ at, path, fault }) => fault?.kind === "swallowed" && at <= before && isAbout(path, kind, id))
    .map(({ at, caller: { actor, step } }) => ({ at, actor, step }));
  const written = [...committed, ...swallowed]
    .filter(({ actor }) => isStack(actor))
    .sort((one, other) => one.at - other.at)
    .at(-1);
  return written !== undefined && isChangedBeside(account, kind, id, written.step);
}

/**
 * Returns true if another author changed the record during a Pulumi command, or so shortly before it that the command may have
 * read the values from before the change.
 */
function isChangedBeside(account: Account, kind: Kind, id: string, step: number): boolean {
  const run = runOf(account, { step });
  const { scalingLag = 0, listLag = 0 } = account.habits ?? {};
  const lag = kind === "services" ? scalingLag : listLag;
  if (!run) return false;
  const ages = faultedIn(account, step).map(
    ({ fault }) => (fault?.kind === "stale" && fault.milliseconds) || 0,
  );
  const from = run.startedAt - Math.max(lag, ...ages);
  return account.store.commits.some(
    (commit) =>
      commit.kind === kind &&
      isSameId(commit.id, id) &&
      commit.step !== step &&
      commit.at >= from &&
      commit.at <= run.endedAt + scalingLag,
  );
}

/**
 * Returns true if the last two writes of a record had no visible effect, because the service did not carry them out or others
 * undid them at once. The provider then takes the stored value for the form in which the service writes the declared value,
 * since it would otherwise report a difference for ever.
 */
function hadNoEffectTwice(account: Account, kind: Kind, id: string, before: number): boolean {
  const { wire = [] } = account;
  const written = wire.filter(
    ({ method, at, path, answer }) =>
      /^(PUT|PATCH|POST)$/.test(method) && at <= before && answer?.status === 200 && isAbout(path, kind, id),
  );
  const last = written.slice(-2);
  const isSwallowed = ({ fault }: Request) => fault?.kind === "swallowed" && fault.shows === "old";
  return (
    last.length === 2 &&
    last.every((write) => isSwallowed(write) || isChangedBeside(account, kind, id, write.caller.step))
  );
}

function isAbout(path: string, kind: Kind, id: string): boolean {
  const end = ofKind(kind).isSingle ? pathOf(kind) : `/${id}`;
  return path.toLowerCase().endsWith(end.toLowerCase());
}
