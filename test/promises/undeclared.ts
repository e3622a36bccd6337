import type { Tracking } from "../../provider/lifecycle/state";
import type { Account, Kept, Request, Run } from "./account";
import { isCollected, kindOf, ofKind, pathOf } from "./kinds";
import { isSameId, promise, runOf } from "./promise";
import { type Commit, type Data, isStack } from "./store";

export const keepsUndeclared = promise(
  "keeps what nobody declares",
  "Whatever somebody sets by hand, and no program declares, keeps its value.",
  ["byHand"],
  (account) => [...changesOfUndeclared(account), ...changesInside(account)],
);

function changesOfUndeclared(account: Account & Required<Pick<Account, "byHand">>) {
  return account.store.commits.flatMap((commit) => {
    const { at, actor, step, kind, id, before, after, isCascade } = commit;
    if (!isStack(actor) || before === undefined || after === undefined || isCascade) return [];
    return [...(account.byHand.set.get(`${kind} ${id}`) ?? [])].flatMap((member) => {
      if (before[member] === null || before[member] === undefined) return [];
      if (withoutOrder(before[member]) === withoutOrder(after[member])) return [];
      const run = runOf(account, commit);
      // Changes after the end of the command are not judged: a request that the stack sent before another person's change may
      // be carried out after it.
      if (!run || at > run.endedAt || isDeclared(run, kind, id, member)) return [];
      if (writersBefore(account, run, commit).some((writing) => isDeclared(writing, kind, id, member)))
        return [];
      // The service clears a webhook's secrets when its address changes, so that the secrets are not sent to the new address.
      const isElsewhere = before.url !== after.url || before.service !== after.service;
      if (kind === "webhooks" && isElsewhere && ofKind(kind).hidden?.includes(member)) return [];
      if (cameAfterLook(account, run, commit)) return [];
      if (run.messages.some((message) => message.includes(member) && message.includes(id))) return [];
      const what = `stack ${actor} changed ${member} of ${kind} ${id} from ${JSON.stringify(before[member])} to ${JSON.stringify(after[member])}`;
      return [{ what, step }];
    });
  });
}

/** Returns a value as text with sorted lists, since services may reorder tags, origins and addresses. */
function withoutOrder(value: unknown): string {
  return JSON.stringify(Array.isArray(value) ? value.map((entry) => JSON.stringify(entry)).sort() : value);
}

/**
 * Returns the undeclared properties that a stack removed from a series of a dashboard's tile, although the rest of the series
 * stayed the same.
 */
function changesInside(account: Account & Required<Pick<Account, "byHand">>) {
  const { inside } = account.byHand;
  return account.store.commits.flatMap((commit) => {
    const { at, actor, step, kind, id, before, after } = commit;
    if (!isStack(actor) || kind !== "dashboards" || !before || !after || inside.length === 0) return [];
    const run = runOf(account, commit);
    if (!run || at > run.endedAt || cameAfterLook(account, run, commit)) return [];
    const tilesOfState = [...run.before.values()].flatMap(({ outputs }) =>
      Object.values(outputs.tileIds ?? {}),
    );
    return inside.flatMap(({ dashboard, tile, index, member }) => {
      // A tile whose id is not in the Pulumi state is not judged: a person may have added it, and the update rightly removes
      // it.
      if (!tilesOfState.includes(tile)) return [];
      const [old, now] = [before, after].map((record) => configOf(record, tile));
      const [entry, same] = [old?.select[index], now?.select[index]];
      if (dashboard !== id || !entry?.[member] || old?.select.length !== now?.select.length || !same)
        return [];
      if (old?.displayType !== now?.displayType) return [];
      const isOther = identity.some((name) => same[name] !== entry[name]);
      const isKept = same[member] !== undefined && same[member] !== "";
      if (
        isOther ||
        isKept ||
        isDeclaredInside(run, before, tile, (config) => (config.select as readonly Data[])?.[index]?.[member])
      )
        return [];
      return [
        {
          what: `stack ${actor} took ${member} from entry ${index} of tile ${tile} of dashboard ${id}`,
          step,
        },
      ];
    });
  });
}

/**
 * Returns true if a program, also a generated one, declares a property of a tile's config. A program that declares
 * `series` declares all properties that newer servers derive from it.
 */
function isDeclaredInside(
  { programs, before, after }: Run,
  { id, tiles }: Data,
  tileId: string,
  inside: (config: Data) => unknown,
): boolean {
  const { name } = (tiles as readonly Data[]).find((tile) => tile.id === tileId) ?? {};
  const own = [...before, ...after].filter(([, kept]) => isSameId(id, kept.id));
  const declared = own.flatMap(([each, { inputs }]) => [
    inputs.tiles ?? [],
    ...programs.map((program) => program.get(each)?.args.tiles ?? []),
  ]);
  return (declared.flat() as unknown as readonly Data[]).some(
    (tile) =>
      tile.name === name && (tile.series !== undefined || inside((tile.config ?? {}) as Data) !== undefined),
  );
}

/** Properties by which an entry of a tile's `select` is recognised after its other properties have changed. */
const identity = ["aggFn", "valueExpression"];

function configOf(
  { tiles }: Data,
  id: string,
): { displayType: unknown; select: readonly Data[] } | undefined {
  const tile = (tiles as readonly Data[]).find((each) => each.id === id);
  const { displayType, select } = (tile?.config ?? {}) as Data;
  return Array.isArray(select) ? { displayType, select } : undefined;
}

/**
 * Returns true if others changed the object after the Pulumi command had read it, or so shortly before that the read did not
 * show the change. The API has no conditional writes, so the provider cannot notice such a change.
 */
function cameAfterLook(
  { store, wire = [], habits }: Account,
  run: Run,
  { kind, id, at: writtenAt, step }: Commit,
): boolean {
  const changed = store.commits
    .filter(
      (commit) =>
        commit.step !== step && commit.kind === kind && isSameId(commit.id, id) && commit.at <= writtenAt,
    )
    .at(-1);
  const calls = wire.filter(
    ({ caller, path, at }) =>
      caller.step === run.step.number &&
      path.includes(kind === "services" ? kind : pathOf(kind)) &&
      at < writtenAt,
  );
  // A request whose answer was lost is sent again as it was, whatever has changed since the look before its first attempt.
  const lost = calls.find(({ method, path, fault }) => method !== "GET" && fault && path.includes(id));
  const looks = calls.filter(({ method, at }) => method === "GET" && at < (lost?.at ?? writtenAt));
  const lagOf = ({ fault }: Request) =>
    (habits?.listLag ?? 0) + (fault?.kind === "stale" ? (fault.milliseconds ?? 0) : 0);
  if (!changed || changed.at <= run.startedAt - Math.max(...looks.map(lagOf), habits?.listLag ?? 0))
    return false;
  const served = looks.filter(({ at }) => at >= (lost?.at ?? writtenAt) - servedMilliseconds);
  return served.length === 0 || served.some((look) => look.at - lagOf(look) <= changed.at);
}

/** Milliseconds for which the provider uses a list before a write in place of a new one, and for which the write may wait. */
const servedMilliseconds = 30_000;

/**
 * Returns true if the program declares the property, or declared it before the Pulumi command, which then resets the property.
 */
function isDeclared({ programs, before, after }: Run, kind: string, id: string, member: string): boolean {
  const isIt = (type: string) => kindOf(type) === kind;
  // An alias may change the name of a resource during the Pulumi command. So the program is searched for the names before and
  // after it.
  const names = [...before, ...after]
    .filter(([, kept]) => isIt(kept.type) && isSameId(kept.id, id))
    .map(([name]) => name);
  const inState = names.some((name) => isInState(before.get(name), member));
  return (
    inState ||
    programs.some((program) =>
      [...program].some(
        ([name, { type, args, importId }]) =>
          isIt(type) &&
          args[member] !== undefined &&
          (names.includes(name) ||
            !isCollected(type) ||
            names.length === 0 ||
            isSameId(args.adoptId ?? importId, id)),
      ),
    )
  );
}

/** After an update that failed in part, the inputs are those of the new program, and the outputs declare what was declared before. */
function isInState(kept: Kept | undefined, member: string): boolean {
  if (!kept || kept.inputs[member] !== undefined) return kept !== undefined;
  const { awaiting, undeclared = [] } = (kept.outputs.__tracking ?? {}) as Tracking;
  return awaiting !== undefined && kept.outputs[member] !== undefined && !undeclared.includes(member);
}

/**
 * Returns the last Pulumi command that wrote an object, and those after it, if all of these failed, were killed or changed nothing, or
 * the service swallowed their requests. The Pulumi state then still has what the programs of these commands declared, or owes its removal. This
 * also holds for each alert of an AlertSet whose update failed.
 */
function writersBefore(
  { store, runs, wire = [] }: Account,
  run: Run,
  { kind, id, actor, at }: Commit,
): readonly Run[] {
  const isOwn = (step: number) => runs.some((each) => each.step.number === step && each.step.actor === actor);
  const last = store.commits
    .filter((each) => each.kind === kind && isSameId(each.id, id) && each.at < at && isOwn(each.step))
    .at(-1);
  const from = runs.findIndex(({ step }) => step.number === last?.step);
  const later = runs.slice(from + 1, runs.indexOf(run)).filter(({ step }) => step.actor === actor);
  const swallowed = wire.filter(({ path, fault }) => path.includes(id) && fault?.kind === "swallowed");
  const isVain = ({ step, outcome, wasKilled }: Run) =>
    wasKilled || outcome.errors.length > 0 || swallowed.some(({ caller }) => caller.step === step.number);
  const isLeftAlone = ({ outcome, after }: Run) => {
    const names = [...after].flatMap(([name, kept]) => (isSameId(kept.id, id) ? [name] : []));
    return outcome.operations.every(
      ({ name, op }) => !names.includes(name) || op === "same" || op === "read",
    );
  };
  // A command that leaves the object as it is leaves what one before it owes, too.
  const isOver = (each: Run, index: number) =>
    !isVain(each) && !(isLeftAlone(each) && later.slice(0, index).some(isVain));
  return later.some(isOver) ? [] : [...runs.slice(from, from + 1), ...later];
}
