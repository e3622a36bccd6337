import type { Operation } from "../actors/engine";
import type { Run } from "../actors/stack";
import { signingKeyId } from "../drawnProgram";
import { isReference, type Program } from "../program";
import type { Account } from "../simulate";
import type { WireEntry } from "../world/network";
import { collections, nouns } from "../world/nouns";
import { type Data, isStack } from "../world/store";
import { type Invariant, isCollected, kindOf, type Violation } from "./violation";

/** Nobody else's object is changed or deleted. */
export const leavesOthersAlone: Invariant = (account) => {
  const { store, runs } = account;
  const violations: Violation[] = [];
  for (const { actor, step, kind, id, before, isCascade } of store.commits) {
    // The service deletes the alerts of a tile with it, whosever they are.
    if (!isStack(actor) || before === undefined || isCascade || kind === "service" || kind === "endpoint")
      continue;
    const owner = store.creationOf(kind, id)?.actor;
    if (owner === actor || isAdopted(runs, actor, id)) continue;
    violations.push({
      promise: "leaves others alone",
      what: `stack ${actor} wrote to ${kind} ${id} of ${owner}`,
      step,
    });
  }
  return violations;
};

/** No stack holds what somebody else created, unless its program adopts it. */
export const holdsOnlyItsOwn: Invariant = ({ stacks, store, runs }) =>
  stacks.flatMap(({ actor, state }) =>
    [...state.resources].flatMap(([name, { type, id }]): Violation[] => {
      const owner = isCollected(type) ? store.creationOf(kindOf[type], id)?.actor : undefined;
      if (owner === undefined || owner === actor || isAdopted(runs, actor, id)) return [];
      return [
        { promise: "holds only its own", what: `${name} of stack ${actor} is ${type} ${id} of ${owner}` },
      ];
    }),
  );

/** Another's object that a stack took for what its own lost request created. */
export interface TakenTwin {
  readonly what: string;
  readonly step: number;
  /** Whether no list tells the two apart (docs/faults.md: "No list can tell two cases apart"). Keys are never taken. */
  readonly isUntold: boolean;
}

/** The twins that stacks took. */
export function takenTwins(account: Account): TakenTwin[] {
  const { runs, store, wire } = account;
  return runs.flatMap(({ step, endedAt, messages }) =>
    messages.flatMap((message): TakenTwin[] => {
      const [, noun, id] = /^([a-z ]+) (\S+) was created although the answer was lost/.exec(message) ?? [];
      const kind = collections.find((each) => nouns[each].word.toLowerCase() === noun);
      const creation = kind && id && store.creationOf(kind, id);
      if (!creation || creation.actor === step.actor || creation.at > endedAt) return [];
      const requests = wire.filter(
        ({ isCreate, fault, caller, path }) =>
          isCreate && fault !== undefined && caller.step === step.number && path.includes(kind),
      );
      const isUntold = requests.some((request) => creation.at >= firstUntold(request, account));
      const what = `stack ${step.actor} took ${kind} ${id} of ${creation.actor} for its own, which was there before`;
      return [{ what, step: step.number, isUntold }];
    }),
  );
}

/** Where no list tells whose an object is, nobody takes it but in place of a request that came right after a list. */
export const takesNoTwin: Invariant = (account) =>
  takenTwins(account)
    .filter(({ isUntold }) => !isUntold)
    .map(({ what, step }) => ({ promise: "takes nobody's twin", what, step }));

/**
 * The moment from which on nothing tells another's object from that of a request: when the list was asked for that came
 * right before it, or else that of the request itself.
 */
function firstUntold({ at, process, path }: WireEntry, { wire, history }: Account): number {
  const list = wire
    .filter(
      (entry) =>
        entry.process === process &&
        entry.method === "GET" &&
        entry.path.split("?")[0] === path &&
        entry.answer?.status === 200 &&
        (entry.answeredAt ?? at) <= at,
    )
    .at(-1);
  if ((list?.answeredAt ?? 0) < at - longestFreshness || !list) return at;
  const age = list.fault?.kind === "stale" ? list.fault.milliseconds : 0;
  return list.at - Math.max(age, history.behaviour.listLag);
}

/** What a list has shown counts as what is there for so many milliseconds. */
const longestFreshness = 1000;

/** Whether a program of the stack ever named the object to be adopted. */
export function isAdopted(runs: readonly Run[], actor: string, id: string): boolean {
  return runs.some(
    ({ step, programs }) =>
      step.actor === actor &&
      programs.some((program) => [...program.values()].some(({ args }) => isSame(args.adoptId, id))),
  );
}

function isSame(one: unknown, other: string): boolean {
  return typeof one === "string" && one.toLowerCase() === other.toLowerCase();
}

/** A member that somebody set by hand, and that no program declares, keeps its value. */
export const keepsUndeclared: Invariant = (account) => {
  const { store, runs, hand } = account;
  const violations: Violation[] = [];
  for (const { at, actor, step, kind, id, before, after, isCascade } of store.commits) {
    if (!isStack(actor) || before === undefined || after === undefined || isCascade) continue;
    const members = hand.set.get(`${kind} ${id}`) ?? new Set<string>();
    for (const member of members) {
      if (before[member] === null || before[member] === undefined) continue;
      if (JSON.stringify(before[member]) === JSON.stringify(after[member])) continue;
      const run = runs.find((each) => each.step.number === step);
      // What was sent before somebody's change may come after it.
      if (!run || at > run.endedAt || isDeclared(run, kind, id, member)) continue;
      // The service clears what it would send elsewhere.
      const isElsewhere = before.url !== after.url || before.service !== after.service;
      if (kind === "webhooks" && isElsewhere && nouns.webhooks.hidden?.includes(member)) continue;
      if (cameAfterLook(account, run, kind, id, at)) continue;
      if (run.messages.some((message) => message.includes(member) && message.includes(id))) continue;
      const what = `stack ${actor} changed ${member} of ${kind} ${id} from ${JSON.stringify(before[member])} to ${JSON.stringify(after[member])}`;
      violations.push({ promise: "keeps what nobody declares", what, step });
    }
  }
  return violations;
};

/** What somebody set by hand inside an entry of a list keeps its value, while the entry says the same otherwise. */
export const keepsUndeclaredInLists: Invariant = (account) => {
  const { store, runs, hand } = account;
  return store.commits.flatMap(({ at, actor, step, kind, id, before, after }): Violation[] => {
    if (!isStack(actor) || kind !== "dashboards" || !before || !after || hand.inside.length === 0) return [];
    const run = runs.find((each) => each.step.number === step);
    if (!run || at > run.endedAt || cameAfterLook(account, run, kind, id, at)) return [];
    return hand.inside.flatMap(({ dashboard, tile, index, member }): Violation[] => {
      const [old, now] = [before, after].map((record) => selectOf(record, tile));
      const [entry, same] = [old?.[index], now?.[index]];
      if (dashboard !== id || entry?.[member] === undefined || old?.length !== now?.length || !same)
        return [];
      const isOther = identity.some((name) => same[name] !== entry[name]);
      if (isOther || same[member] !== undefined) return [];
      const what = `stack ${actor} took ${member} from the entry ${index} of tile ${tile} of dashboard ${id}`;
      return [{ promise: "keeps what nobody declares", what, step }];
    });
  });
};

/** By these an entry of `select` is the same after a change of others. */
const identity = ["aggFn", "valueExpression"];

function selectOf({ tiles }: Data, id: string): readonly Data[] | undefined {
  const tile = (tiles as readonly Data[]).find((each) => each.id === id);
  const { select } = (tile?.config ?? {}) as Data;
  return Array.isArray(select) ? select : undefined;
}

/**
 * Whether somebody changed the object after the run's last look at its kind, or before it by less than lists lag: the API
 * has no way to write only what nobody has changed meanwhile.
 */
function cameAfterLook(
  { store, wire, history }: Account,
  run: Run,
  kind: string,
  id: string,
  writtenAt: number,
): boolean {
  const changed = store.commits
    .filter(
      (commit) =>
        commit.actor === "hand" && commit.kind === kind && isSame(commit.id, id) && commit.at <= writtenAt,
    )
    .at(-1);
  const looks = wire.filter(
    ({ caller, method, path, at }) =>
      caller.step === run.step.number &&
      method === "GET" &&
      path.includes(kind === "endpoint" ? "QueryEndpoint" : kind) &&
      at < writtenAt,
  );
  const ages = looks.map(({ fault }) => (fault?.kind === "stale" ? fault.milliseconds : 0));
  const { listLag } = history.behaviour;
  if (!changed || changed.at <= run.startedAt - listLag - Math.max(0, ...ages)) return false;
  return !looks.some(({ at }, index) => at - listLag - (ages[index] ?? 0) > changed.at);
}

/** Whether a program declares the member, or did so before the step's changes: then the step resets it. */
function isDeclared({ programs, before, after }: Run, kind: string, id: string, member: string): boolean {
  const isIt = (type: string) => kindOf[type as keyof typeof kindOf] === kind;
  // A resource with an alias has another name after the step.
  const names = [...before, ...after]
    .filter(([, kept]) => isIt(kept.type) && isSame(kept.id, id))
    .map(([name]) => name);
  const inState = names.some((name) => declares(before.get(name)?.inputs ?? {}, member));
  return (
    inState ||
    programs.some((program) =>
      [...program].some(
        ([name, { type, args }]) =>
          isIt(type) &&
          declares(args, member) &&
          (names.includes(name) || !isCollected(type) || names.length === 0 || isSame(args.adoptId, id)),
      ),
    )
  );
}

function declares(args: Data, member: string): boolean {
  return args[member] !== undefined;
}

/** A stack deletes nothing that its state still holds, and never asks to delete the key with which it signs. */
export const deletesNothingItNeeds: Invariant = ({ store, runs, wire }) => [
  ...store.commits.flatMap(({ actor, step, kind, id, after, isCascade }): Violation[] => {
    if (!isStack(actor) || after !== undefined || isCascade) return [];
    const run = runs.find((each) => each.step.number === step);
    const holder = [...(run?.after ?? [])].find(
      ([, kept]) => kindOf[kept.type] === kind && isSame(kept.id, id),
    );
    const wasReplaced = store.get(kind, id) !== undefined;
    if (!holder || wasReplaced || run?.wasKilled || run?.outcome.errors.length !== 0) return [];
    return [
      {
        promise: "deletes nothing it needs",
        what: `stack ${actor} deleted ${kind} ${id}, which is ${holder[0]} in its state`,
        step,
      },
    ];
  }),
  ...wire.flatMap(({ method, path, caller }): Violation[] =>
    method === "DELETE" && path.endsWith(signingKeyId)
      ? [
          {
            promise: "deletes nothing it needs",
            what: `stack ${caller.actor} asks to delete its signing key`,
            step: caller.step,
          },
        ]
      : [],
  ),
];

/** A tile that stays keeps its id, by which alerts know it, those of others too. */
export const keepsTheIdsOfTiles: Invariant = ({ store, runs, wire, history }) =>
  store.commits.flatMap(({ actor, step, kind, id, before, after }): Violation[] => {
    if (!isStack(actor) || kind !== "dashboards" || !before || !after) return [];
    const run = runs.find((each) => each.step.number === step);
    const kept = [...(run?.before.values() ?? [])].find((each) => isSame(each.id, id));
    // A refresh, or a look under another name, shows what was there some time before.
    const wasMisled = wire.some(({ caller, fault }) => caller.step === step && fault?.kind === "stale");
    const shown = run && store.get(kind, id, run.startedAt - history.behaviour.listLag);
    if (!kept || !shown || wasMisled) return [];
    const known = (kept.outputs.tileIds ?? {}) as Data;
    const name = Object.keys(known).find((each) => {
      const [old, now, earlier] = [before, after, shown].map((record) => onlyTileOf(record, each));
      const isKnown = old !== undefined && old.id === known[each] && old.id === earlier?.id;
      return isKnown && now !== undefined && now.id !== old.id;
    });
    if (name === undefined) return [];
    const what = `stack ${actor} gave the tile ${name} of dashboard ${id} another id, although it knew the old one`;
    return [{ promise: "keeps the ids of tiles", what, step }];
  });

/** The tile of a name; undefined where several have it. */
function onlyTileOf(dashboard: Data, name: string): Data | undefined {
  const [first, second] = (dashboard.tiles as Data[]).filter((tile) => tile.name === name);
  return second === undefined ? first : undefined;
}

/** An alert stays while the program declares it and its tile: the service deletes those of tiles that lose their ids. */
export const keepsAlertsOfTiles: Invariant = ({ store, runs }) =>
  store.commits.flatMap(({ actor, step, kind, id, isCascade }): Violation[] => {
    if (!isStack(actor) || kind !== "alerts" || !isCascade) return [];
    const run = runs.find((each) => each.step.number === step);
    if (!run) return [];
    const [name] = [...run.before].find(([, kept]) => kept.type === "Alert" && isSame(kept.id, id)) ?? [];
    const [old, now] = run.programs.map((program) => tileOf(program, name ?? ""));
    if (old === undefined || old !== now || run.outcome.gone.length > 0 || run.outcome.errors.length > 0)
      return [];
    // What a step before could not do, or somebody else did, may have moved the tile.
    const [dashboard] = old.split(" ");
    const isRemade = ({ op, name: each }: Operation) =>
      (op === "create" || op === "delete") && (each === name || each === dashboard);
    if (run.outcome.operations.some(isRemade)) return [];
    const what = `stack ${actor} made the service delete alert ${id} of ${name}, whose tile ${now} is still declared`;
    return [{ promise: "keeps the alerts of tiles", what, step }];
  });

/** Name of the dashboard's resource and of the tile that an alert of the program is on. */
function tileOf(program: Program, name: string): string | undefined {
  const { tileId } = program.get(name)?.args ?? {};
  if (!isReference(tileId) || tileId.tile === undefined) return undefined;
  const tiles = (program.get(tileId.ref)?.args.tiles ?? []) as readonly Data[];
  const tile = tiles[tileId.tile];
  // Tiles of one name can only be told by their places.
  const isAlone = tiles.filter((other) => other.name === tile?.name).length === 1;
  return isAlone ? `${tileId.ref} ${tile?.name}` : undefined;
}
