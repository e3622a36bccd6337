import type { Account, Run } from "./account";
import { createdByStacks } from "./held";
import { type Kind, ofKind, pathOf } from "./kinds";
import { faultedIn, isAdopted, lateRequestOf, promise, runOf } from "./promise";
import type { Commit, Data } from "./store";

/**
 * A promise of the provider about objects that no state contains. It does not judge objects created after the update ended, or
 * in an update that was killed, since `pipestack orphans` lists these.
 */
export const leavesNothingBehind = promise(
  "leaves nothing behind",
  "Every object that an update has created is in the state, or a message names it.",
  [],
  (account) =>
    createdByStacks(account)
      .filter((commit) => {
        const run = runOf(account, commit);
        const { kind, id, at, actor } = commit;
        const record = account.store.get(kind, id);
        if (!run || run.wasKilled || at > run.endedAt || !record) return false;
        return !(
          isAdopted(account.runs, actor, id) ||
          isJustCreated(account, run, commit) ||
          isUnrecognisable(run, account, record) ||
          isNamed(run, account, commit) ||
          hasTakenOld(run, account, commit) ||
          isBehindWall(run, account) ||
          isUnseen(account, commit)
        );
      })
      .map(({ actor, kind, id, step }) => ({
        what: `stack ${actor} created ${kind} ${id}, which is in no state and in no message`,
        step,
      })),
);

export const announcesLateCreations = promise(
  "announces late creations",
  "The update says so if a failed request may still create an object after its end.",
  ["wire"],
  (account) =>
    createdByStacks(account)
      .filter((commit) => {
        const run = runOf(account, commit);
        const request = lateRequestOf(account, commit);
        if (!run || run.wasKilled || !request?.isCreate || !isAbout(commit.kind, request.path)) return false;
        const wasAnswered = (request.answeredAt ?? commit.at) < commit.at;
        return wasAnswered && !isNamed(run, account, commit) && !hasTakenOld(run, account, commit);
      })
      .map(({ actor, kind, id, step }) => ({
        what: `a failed request of stack ${actor} created ${kind} ${id} later, which no message announced`,
        step,
      })),
);

export const namesWhatKillsLeave = promise(
  "names what kills leave",
  "Before a set makes alerts, it names equal ones that a killed update has left.",
  ["habits", "wire"],
  (account) => {
    const { runs, store, habits } = account;
    // If alerts show no date, the provider derives their age from ids, which is wrong for random ids. So this promise (a rule
    // for the provider) is not judged for services with random ids.
    // A service that stores another interval than was sent makes the alerts of a killed update unlike those of the program.
    const isUndated = habits.datesAlerts === false && habits.timedIds === false;
    if (habits.listLag > 0 || isUndated || habits.rewrites.intervals) return [];
    return runs
      .filter(({ step, wasKilled }) => !wasKilled && step.command.startsWith("up"))
      .filter(({ step }) => !faultedIn(account, step.number).some(({ method }) => method === "GET"))
      .flatMap(({ step, startedAt, before, after, messages }) => {
        const held = new Set([...before.values()].map(({ id }) => id));
        const left = store.commits.filter(
          ({ actor, kind, id, at, step: number, after: record }) =>
            actor === step.actor &&
            kind === "alerts" &&
            record &&
            at < startedAt &&
            !held.has(id) &&
            runs.some((run) => run.step.number === number && run.wasKilled && run.step.actor === actor) &&
            areEqual(store.get(kind, id, startedAt), record),
        );
        const made = [...after].filter(([name, { id }]) => name.includes(", ") && !held.has(id));
        const rest = made.find(([, { id }]) => {
          const record = store.commits.find(
            (commit) => commit.id === id && commit.step === step.number,
          )?.after;
          return record && left.some(({ after: old }) => areEqual(old, record));
        });
        const isNamed = messages.some((message) => message.includes("that the set is about to create"));
        return rest && !isNamed
          ? [{ what: `${rest[0]} was made beside an equal alert`, step: step.number }]
          : [];
      });
  },
);

export const takesWhatItLeftInDoubt = promise(
  "takes what it left in doubt",
  "A set makes no entry a second time whose create an earlier update left in doubt, if lists show the first alert.",
  ["habits", "wire"],
  (account) => {
    const { runs, store, habits } = account;
    const isUndated = habits.datesAlerts === false && habits.timedIds === false;
    if (habits.listLag > 0 || isUndated || Object.values(habits.rewrites).includes(true)) return [];
    return runs
      .filter(({ step, wasKilled }) => !wasKilled && step.command.startsWith("up"))
      .filter(({ step }) => !faultedIn(account, step.number).some(({ method }) => method === "GET"))
      .flatMap(({ step, startedAt, before, after, messages }) => {
        const held = new Set([...before.values()].map(({ id }) => id));
        const isUnclear = (id: string) =>
          messages.some((text) => text.includes("so none is taken") && text.includes(id));
        // What a single alert's create has left in doubt is no set's, and its error says to adopt or delete it.
        const isOfAlert = (id: string) =>
          runs.some((run) => run.messages.some((text) => text.includes("adoptId") && text.includes(id)));
        // A destroyed set has no state in which a doubt could be, nor has one under a new name without an alias.
        const newNames = runs
          .filter((run) => run.step.actor === step.actor && run.startedAt <= startedAt)
          .flatMap((run) => run.step.edits ?? [])
          .flatMap((edit) => (edit.edit === "rename" && !edit.hasAlias ? [edit.to] : []));
        const destroyedAt = runs
          .filter((run) => run.step.actor === step.actor && run.step.command === "destroy")
          .map((run) => run.startedAt)
          .filter((destroyed) => destroyed < startedAt);
        const left = store.commits.filter(
          ({ actor, kind, id, at, step: number, after: record }) =>
            actor === step.actor &&
            kind === "alerts" &&
            record &&
            at < startedAt &&
            at > Math.max(0, ...destroyedAt) &&
            !held.has(id) &&
            runs.some((run) => run.step.number === number && !run.wasKilled && run.step.actor === actor) &&
            store.creationOf(kind, id)?.step === number &&
            !isUnclear(id) &&
            !isOfAlert(id) &&
            areEqual(store.get(kind, id, startedAt), record),
        );
        return [...after].flatMap(([name, { id }]) => {
          const creation = store.creationOf("alerts", id);
          const [set = "", entry] = name.split(", ");
          const isOfKnownSet = entry !== undefined && !newNames.includes(set);
          const isMade = isOfKnownSet && !before.has(name) && creation?.step === step.number;
          const first = isMade && left.find((commit) => areEqual(commit.after, creation.after ?? {}));
          return first
            ? [{ what: `${name} was made a second time beside alert ${first.id}`, step: step.number }]
            : [];
        });
      });
  },
);

function areEqual(one: Data = {}, other: Data): boolean {
  const contents = ({ id: _, createdAt: __, updatedAt: ___, ...members }: Data) => JSON.stringify(members);
  return contents(one) === contents(other);
}

function isAbout(kind: Kind, path: string): boolean {
  return path.split("?")[0]?.endsWith(`/${pathOf(kind)}`) === true;
}

/**
 * Returns true if the provider took an older object for the result of a failed create. This may happen if the object was
 * created by an earlier command, and no list had shown it before. The provider then does not know that the failed create may
 * have made another object.
 */
function hasTakenOld({ step, messages }: Run, { store, wire = [] }: Account, { kind }: Commit): boolean {
  const taken = new RegExp(`^${ofKind(kind).noun} (\\S+) was created although the answer was lost`, "i");
  const ids = messages.flatMap((text) => taken.exec(text)?.[1] ?? []);
  const own = wire.filter(({ caller, path }) => caller.step === step.number && isAbout(kind, path));
  const failedAt = own.find(({ isCreate, fault }) => isCreate && fault)?.at ?? 0;
  const before = own.filter(({ method, answeredAt = failedAt }) => method === "GET" && answeredAt < failedAt);
  return ids.some(
    (id) =>
      store.creationOf(kind, id)?.step !== step.number &&
      !before.some(({ answer }) => answer?.body.toLowerCase().includes(id.toLowerCase())),
  );
}

/**
 * Returns true if a message of the stack names the object, or a message of the Pulumi command says that an object with its name
 * may have been created.
 */
function isNamed(run: Run, account: Account, commit: Commit): boolean {
  const { messages } = run;
  const { kind, id, actor } = commit;
  const stack = account.stacks.find((each) => each.actor === actor);
  if (stack?.messages.some((message) => message.toLowerCase().includes(id.toLowerCase()))) return true;
  const { noun } = ofKind(kind);
  const { name } = commit.after ?? {};
  // A message of the provider names an object without a name by another property. The service may have trimmed the name.
  const trimmed = String(name ?? "").trim();
  const isIt = (named: string) => named.trim() === trimmed;
  return messages.some(
    (message) =>
      /may (still be|have been|yet be) (carried out|created)|may have created/.test(message) &&
      message.includes(noun) &&
      (namesIn(message).some(isIt) || namesEntry(message, run, commit)),
  );
}

function namesIn(message: string): string[] {
  const names = [...message.matchAll(/ named "([^"]*)"/g)].map(([, name = ""]) => name);
  return names.length > 0 ? names : [""];
}

function namesEntry(message: string, { programs }: Run, { after = {} }: Commit): boolean {
  const [doubts = ""] = message.split("before you run the update again");
  const keys = [...doubts.matchAll(/alerts\["([^"]+)"\]/g)].map(([, key]) => key);
  const isOf = ({ args }: { readonly args: Data }) =>
    args.threshold === after.threshold && String(args.name ?? "").trim() === String(after.name ?? "").trim();
  return programs.some((program) =>
    [...program].some(([name, declared]) => keys.some((key) => name.endsWith(`, ${key}`)) && isOf(declared)),
  );
}

/**
 * Returns true if a failed create was carried out so shortly before the end of the update that the provider could not look for
 * the object again.
 */
function isJustCreated(account: Account, { endedAt }: Run, commit: Commit): boolean {
  return endedAt - commit.at < millisecondsBetweenLooks && lateRequestOf(account, commit)?.isCreate === true;
}

/**
 * Milliseconds that the provider waits before it looks again for the object of a failed create (docs/faults.md: "Lost answers
 * to creates").
 */
const millisecondsBetweenLooks = 6000;

/**
 * Returns true if the service changed the name or tags of a new object, by which the provider recognises a lost object. A
 * changed object may belong to another stack, so no message suggests deleting it, and `pipestack orphans` lists it.
 */
function isUnrecognisable({ step }: Run, { wire = [] }: Account, record: Data): boolean {
  return wire.some(({ caller, isCreate, body }) => {
    if (!isCreate || caller.step !== step.number || body === undefined) return false;
    const { name, tags } = JSON.parse(body) as Data;
    if (typeof name !== "string" || name.trim() !== String(record.name).trim()) return false;
    const [sent, shown] = [JSON.stringify(tags), JSON.stringify(record.tags)];
    return name !== record.name || (sent !== shown && sent?.toLowerCase() === shown);
  });
}

/**
 * Returns true if a gateway refused both a create and another request of the Pulumi command, with the same status. The provider
 * then could not find out whether the create was carried out.
 */
function isBehindWall({ step }: Run, account: Account): boolean {
  const foreign = faultedIn(account, step.number).filter(({ fault }) => fault?.kind === "foreign");
  const walls = foreign.filter(({ isCreate }) => !isCreate);
  return foreign.some(
    ({ isCreate, answer }) => isCreate && walls.some((wall) => wall.answer?.status === answer?.status),
  );
}

/**
 * Returns true if the lists that a Pulumi command read did not show its new object yet, and nothing told the provider that
 * lists lag. `pipestack orphans` lists the object then.
 */
function isUnseen(account: Account, created: Commit): boolean {
  const { wire = [], store } = account;
  const { at: createdAt, kind, id, step } = created;
  const isStale = faultedIn(account, step).some(
    ({ fault, at }) =>
      fault?.kind === "stale" && at >= createdAt && at - (fault.milliseconds ?? 0) < createdAt,
  );
  if (isStale) return true;
  if (!account.habits?.listLag) return false;
  // The provider knows that lists lag if a list lacks an object whose create was answered before.
  const own = wire.filter(({ caller, path }) => caller.step === step && isAbout(kind, path));
  const others = store.commits.filter(
    (commit) =>
      commit.step === step && commit.kind === kind && commit.id !== id && commit.before === undefined,
  );
  return !own.some(
    (list) =>
      list.method === "GET" &&
      list.answer?.status === 200 &&
      others.some(
        (other) =>
          own.some(
            ({ isCreate, answeredAt = list.at, answer }) =>
              isCreate && answeredAt < list.at && answer?.status === 200 && answer.body.includes(other.id),
          ) && !list.answer?.body.toLowerCase().includes(other.id.toLowerCase()),
      ),
  );
}
