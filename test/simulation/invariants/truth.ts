import { isClean, type Run } from "../actors/stack";
import { referencesIn, type TypeName } from "../program";
import type { Account } from "../simulate";
import { type Collected, isCollection, nouns } from "../world/nouns";
import { stored } from "../world/records";
import { serviceId } from "../world/routes";
import { type Commit, type Data, isStack, type Kind } from "../world/store";
import { type Invariant, isCollected, kindOf, type Violation } from "./violation";

/** A verdict "clean" is true: the service has what the program declares, as far as the service does not rewrite it. */
export const isCleanOnlyIfEqual: Invariant = (account) =>
  account.runs.flatMap((run) => {
    if (run.step.targets || run.wasKilled || !isClean(run)) return [];
    if (!isUndisturbed(account, run)) return [];
    return differencesFrom(account, run).map((what) => ({
      promise: "is clean only if equal",
      what: `drift of stack ${run.step.actor} says "clean", but ${what}`,
      step: run.step.number,
    }));
  });

/**
 * An update that succeeds leaves none of what the program declares deleted by itself, and what it wrote last of an object is
 * what the program declares of that.
 */
export const bringsAboutWhatIsDeclared: Invariant = (account) =>
  account.runs.flatMap((run): Violation[] => {
    const { step, outcome, programs, after, endedAt } = run;
    if (!step.command.startsWith("up") || step.targets || run.wasKilled || outcome.errors.length > 0)
      return [];
    return [...programs[1]].flatMap(([name, { type, args }]) => {
      const kept = after.get(name);
      const id = kept && (isCollected(type) ? kept.id : serviceId);
      const own = account.store.commits.filter(
        (commit) => commit.kind === kindOf[type] && commit.id.toLowerCase() === id?.toLowerCase(),
      );
      const last = own.filter(({ at }) => at <= endedAt).at(-1);
      if (!last || last.step !== step.number || !isStack(last.actor)) return [];
      if (wasLate(account, last)) return [];
      const differing = last.after
        ? [...differencesOf(type, args, last.after, account), ...hiddenDifferencesOf(type, args, last.after)]
        : ["it"];
      return differing.map((member) => ({
        promise: "brings about what is declared",
        what: `${step.command} of stack ${step.actor} ends with ${member} of ${name} (${last.kind} ${id}) ${last.after ? "other than declared" : "deleted"}`,
        step: step.number,
      }));
    });
  });

/** Whether a request was carried out some time after it had failed: what came after it may have been overwritten. */
function wasLate({ wire }: Account, { at, step }: Commit): boolean {
  return wire.some(
    ({ caller, fault, at: sentAt }) =>
      caller.step === step &&
      fault !== undefined &&
      "carriedOut" in fault &&
      typeof fault.carriedOut === "number" &&
      Math.abs(sentAt + fault.carriedOut - at) < 100,
  );
}

/** After the faults have stopped, two updates bring service and program together. */
export const comesTogether: Invariant = ({ runs, stacks }) =>
  stacks.flatMap(({ actor }) => {
    const own = runs.filter(({ step }) => step.actor === actor && step.number < 0);
    const run = own.at(-1);
    if (!run || isClean(run)) return [];
    const [first] = run.outcome.errors;
    if (own.some(({ outcome }) => outcome.errors.some(isForTheUser))) return [];
    const why = first ?? `${run.outcome.differing.join(", ")} differ`;
    return [
      {
        promise: "comes together",
        what: `stack ${run.step.actor} is not clean in the end: ${why}`,
        step: run.step.number,
      },
    ];
  });

/** Errors that only a change of the program can mend. */
function isForTheUser(message: string): boolean {
  return /adoptId|both (declare|adopt)|is used by an alert|this service and name already exists|is required when source|must be in the future|set other credentials|whose alerts the service deletes/.test(
    message,
  );
}

/** Whether nothing happened that the run could not know: no answer with old or other values, and nobody's change meanwhile. */
function isUndisturbed({ wire, store, history }: Account, { step, startedAt, endedAt }: Run): boolean {
  const isMisled = wire.some(
    ({ caller, fault }) =>
      caller.step === step.number && (fault?.kind === "stale" || fault?.kind === "otherObject"),
  );
  const { scalingLag, listLag } = history.behaviour;
  const from = startedAt - Math.max(scalingLag, listLag);
  return !isMisled && !store.commits.some(({ at }) => at >= from && at <= endedAt);
}

/** Where the service differs from the program at the end of a run. */
function differencesFrom(account: Account, run: Run): string[] {
  const { programs, after, endedAt } = run;
  return [...programs[1]].flatMap(([name, { type, args }]) => {
    const kept = after.get(name);
    if (!kept) return [];
    const id = isCollected(type) ? kept.id : serviceId;
    const record = account.store.get(kindOf[type], id, endedAt);
    if (!record) return [`${name} does not exist`];
    if (wasChangedMeanwhile(account, kindOf[type], id, endedAt)) return [];
    if (wasSwallowedTwice(account, kindOf[type], id, endedAt)) return [];
    return differencesOf(type, args, record, account).map(
      (member) =>
        `${member} of ${name} is ${JSON.stringify(record[member])} and not ${JSON.stringify(args[member])}`,
    );
  });
}

/**
 * Whether somebody changed a record between what was read before the last write to it, which may be as old as the service
 * lags, and the answer that was read back: no client can tell that from what the service makes of a value. A write that
 * was swallowed was answered, too.
 */
function wasChangedMeanwhile(
  { store, runs, history, wire }: Account,
  kind: Kind,
  id: string,
  before: number,
): boolean {
  const own = store.commits.filter(
    (commit) => commit.kind === kind && commit.at <= before && commit.id.toLowerCase() === id.toLowerCase(),
  );
  const committed = own.map(({ at, actor, step }) => ({ at, actor, step }));
  const swallowed = wire
    .filter(({ at, path, fault }) => fault?.kind === "swallowed" && at <= before && isAbout(path, kind, id))
    .map(({ at, caller: { actor, step } }) => ({ at, actor, step }));
  const written = [...committed, ...swallowed]
    .filter(({ actor }) => isStack(actor))
    .sort((one, other) => one.at - other.at)
    .at(-1);
  const run = runs.find(({ step }) => step.number === written?.step);
  if (!written || !run) return false;
  const lag = history.behaviour.scalingLag;
  const from = run.startedAt - (kind === "service" ? lag : 0);
  return own.some(({ actor, at }) => actor !== written.actor && at >= from && at <= run.endedAt + lag);
}

/**
 * Whether the last two writes to a record were answered with the old values and not carried out: what a service answers
 * twice is what it makes of a value: nothing else would bring service and program together.
 */
function wasSwallowedTwice({ wire }: Account, kind: Kind, id: string, before: number): boolean {
  const written = wire.filter(
    ({ method, at, path, answer }) =>
      /^(PUT|PATCH|POST)$/.test(method) && at <= before && answer?.status === 200 && isAbout(path, kind, id),
  );
  const last = written.slice(-2);
  return last.length === 2 && last.every(({ fault }) => fault?.kind === "swallowed" && fault.shows === "old");
}

function isAbout(path: string, kind: Kind, id: string): boolean {
  const ends = { service: "scaling", endpoint: "queryendpoint" } as { readonly [kind in Kind]?: string };
  return path.toLowerCase().endsWith(ends[kind] ?? `/${id.toLowerCase()}`);
}

/** The declared members in which a record differs from what the service would make of them. */
function differencesOf(type: TypeName, args: Data, record: Data, { history }: Account): string[] {
  const { adoptId: _, keepers: __, onDestroy: ___, ...sent } = args;
  const wanted = stored(sent, history.behaviour);
  const kind = kindOf[type];
  const hidden = isCollection(kind) ? hiddenOf(kind, record) : [];
  return Object.keys(sent).filter((member) => {
    const value = wanted[member];
    // Nobody sees what no answer shows.
    if (hidden.includes(member) || referencesIn(value).length > 0) return false;
    if (type === "Dashboard" && member === "tiles")
      return !areSameTiles(value as Data[], record.tiles as Data[]);
    if (type === "QueryEndpoint" && member === "openApiKeys") return false;
    return canonical(member, value) !== canonical(member, record[member]);
  });
}

/** The declared members that no answer shows and that differ all the same. */
function hiddenDifferencesOf(type: TypeName, args: Data, record: Data): string[] {
  const kind = kindOf[type];
  return (isCollection(kind) ? hiddenOf(kind, record) : []).filter(
    (member) => args[member] !== undefined && inOneOrder(args[member]) !== inOneOrder(record[member] ?? null),
  );
}

/** Members that no answer shows of a record: of a webhook for another service than the generic one, its body, too. */
function hiddenOf(kind: Collected, record: Data): readonly string[] {
  const { hidden = [] } = nouns[kind];
  return kind === "webhooks" && record.service !== "generic" ? [...hidden, "body"] : hidden;
}

/** The values of a member that mean the same have the same form. */
function canonical(member: string, value: unknown): string {
  if (member === "allowedOrigins") {
    const entries = Array.isArray(value) ? value : String(value ?? "").split(",");
    return JSON.stringify(
      entries
        .map((entry) => String(entry).trim())
        .filter(Boolean)
        .sort(),
    );
  }
  if (member === "expireAt") return String(value ? Date.parse(String(value)) : null);
  if (member === "tags" || member === "roles") return JSON.stringify([...((value ?? []) as string[])].sort());
  if (member === "ipAccessList") return inOneOrder(value ?? []);
  return inOneOrder(value ?? null);
}

/** As text, with the members of objects by their names: the protocol of plugins has them in another order. */
function inOneOrder(value: unknown): string {
  return JSON.stringify(value, (_name, member) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}

function areSameTiles(wanted: readonly Data[], found: readonly Data[]): boolean {
  const form = ({ name, x, y, w, h }: Data) => JSON.stringify([name, x, y, w, h]);
  const sorted = (tiles: readonly Data[]) =>
    [...tiles].sort((one, other) => form(one).localeCompare(form(other)));
  const others = sorted(found);
  return (
    wanted.length === found.length &&
    sorted(wanted).every((tile, index) => {
      const { id: _, ...shown } = tile;
      return has({ asRatio: false, ...others[index] }, shown);
    })
  );
}

/** Whether a value has all of what is wanted: the service adds what nobody asked for. */
function has(found: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return (
      wanted.length === ((found ?? []) as unknown[]).length &&
      wanted.every((entry, at) => has((found as unknown[])[at], entry))
    );
  if (typeof wanted !== "object" || wanted === null) return found === wanted;
  return (
    typeof found === "object" &&
    found !== null &&
    Object.entries(wanted).every(([name, value]) => has((found as Data)[name], value))
  );
}
