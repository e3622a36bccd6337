import type { Operation, Program } from "./account";
import { faultedIn, isSameId, promise, runOf, wasLastWriteSwallowed } from "./promise";
import { type Data, isStack, type Store } from "./store";

/**
 * A promise of the provider about the ids of tiles: alerts refer to tiles by id, so the Pulumi state must contain the right
 * ids.
 */
export const knowsItsOwnTiles = promise(
  "knows its own tiles",
  "The tiles of a dashboard in a state are tiles that it had at some time.",
  [],
  ({ runs, store }) =>
    runs.flatMap(({ step: { actor, number }, after: resources }) =>
      [...resources].flatMap(([name, { type, id, outputs }]) => {
        if (type !== "Dashboard") return [];
        const own = store.commits
          .filter((commit) => commit.kind === "dashboards" && commit.id === id)
          .flatMap(({ after }) => ((after?.tiles ?? []) as Data[]).map((tile) => tile.id));
        const other = Object.values((outputs.tileIds ?? {}) as Data).find((tileId) => !own.includes(tileId));
        if (own.length === 0 || other === undefined) return [];
        const what = `the state of stack ${actor} has tile ${other} in ${name}, and dashboard ${id} never had it`;
        return [{ what, step: number }];
      }),
    ),
);

export const keepsTheIdsOfTiles = promise(
  "keeps the ids of tiles",
  "A tile that stays keeps its id, by which alerts know it.",
  ["habits"],
  (account) =>
    account.store.commits.flatMap((commit) => {
      const { actor, step, kind, id, before, after } = commit;
      if (!isStack(actor) || kind !== "dashboards" || !before || !after) return [];
      const run = runOf(account, commit);
      const kept = [...(run?.before.values() ?? [])].find((each) => isSameId(each.id, id));
      // If the Pulumi command read an old version of the dashboard because of a fault, it could not know the right ids of the
      // tiles. So its change is not judged.
      const wasMisled = account.wire?.some(
        ({ caller, fault }) => caller.step === step && fault?.kind === "stale",
      );
      const shown = run && account.store.get(kind, id, run.startedAt - account.habits.listLag);
      if (!kept || !shown || wasMisled) return [];
      const known = (kept.outputs.tileIds ?? {}) as Data;
      const name = Object.keys(known).find((each) => {
        const [old, now, earlier] = [before, after, shown].map((record) => onlyTileOf(record, each));
        const isKnown = old !== undefined && old.id === known[each] && old.id === earlier?.id;
        return isKnown && now !== undefined && now.id !== old.id;
      });
      if (name === undefined) return [];
      const what = `stack ${actor} gave the tile ${name} of dashboard ${id} another id, although it knew the old one`;
      return [{ what, step }];
    }),
);

function onlyTileOf(dashboard: Data, name: string): Data | undefined {
  const [first, second] = (dashboard.tiles as Data[]).filter((tile) => tile.name === name);
  return second === undefined ? first : undefined;
}

/**
 * A promise of the provider about the alerts on tiles: for the service a tile with a new id is a new tile, and it deletes the
 * alerts on the old tile.
 */
export const keepsAlertsOfTiles = promise(
  "keeps the alerts of tiles",
  "An alert stays while the program declares it and its tile.",
  [],
  (account) =>
    account.store.commits.flatMap((commit) => {
      const { actor, step, kind, id, before, isCascade } = commit;
      if (!isStack(actor) || kind !== "alerts" || !isCascade) return [];
      const run = runOf(account, commit);
      if (!run) return [];
      const [name] = [...run.before].find(([, kept]) => kept.type === "Alert" && isSameId(kept.id, id)) ?? [];
      const [old, now] = run.programs.map((program) => tileOf(program, name ?? ""));
      const kept = run.after.get(name ?? "");
      // If the resource has another alert after the Pulumi command, the provider has created the alert again, as it should.
      if (kept && !isSameId(kept.id, id)) return [];
      if (old === undefined || old !== now || run.outcome.gone.length > 0 || run.outcome.errors.length > 0)
        return [];
      // After an update that failed the alert may be on another tile than the program declared.
      if (old !== `${old.split(" ")[0]} ${nameOfTile(account.store, before?.tileId)}`) return [];
      // With `--target` the engine calls the provider only for the targets, so it may know nothing of an alert that is no
      // target.
      if (run.step.targets && !run.outcome.operations.some((each) => each.name === name)) return [];
      // If the Pulumi command also created or deleted the alert's resource or its dashboard, the program has moved the alert on
      // purpose, so the provider did nothing wrong.
      const [dashboard] = old.split(" ");
      const isRemade = ({ op, name: each }: Operation) =>
        (op === "create" || op === "delete") && (each === name || each === dashboard);
      if (run.outcome.operations.some(isRemade)) return [];
      const what = `stack ${actor} made the service delete alert ${id} of ${name}, whose tile ${now} is still declared`;
      return [{ what, step }];
    }),
);

function nameOfTile({ commits }: Store, id: unknown): unknown {
  const boards = commits.flatMap(({ kind, after }) => (kind === "dashboards" && after ? [after] : []));
  const tiles = boards.flatMap((board) => (board.tiles ?? []) as Data[]);
  return tiles.filter((tile) => tile.id === id).at(-1)?.name;
}

/**
 * A promise of the provider about deleted alerts: the service deletes an alert with its tile, but the alert's resource stays
 * and must get a new alert.
 */
export const makesAlertsAnew = promise(
  "makes alerts anew",
  "An update that removes a tile does not fail at the alerts that the service deletes with it.",
  ["habits"],
  (account) =>
    account.store.commits.flatMap((commit) => {
      // If lists lag, the provider may still see the deleted alert in a list, and may fail when it updates that alert. So the
      // promise is not judged for services with lagging lists.
      if (account.habits.listLag > 0) return [];
      const { actor, step, kind, id, isCascade } = commit;
      const run = isStack(actor) && kind === "alerts" && isCascade ? runOf(account, commit) : undefined;
      if (!run) return [];
      // An alert that this update has created can go only by a write of an earlier time, which nobody could foresee.
      const [name] = [...run.before].find(([, kept]) => kept.type === "Alert" && isSameId(kept.id, id)) ?? [];
      if (name === undefined) return [];
      const failure = run.outcome.errors.find(
        (error) =>
          error.includes(id) &&
          /no longer exists in the service|may not be there yet|created less than 3 minutes ago/.test(error),
      );
      // A gateway's 404 to the deletion may mean that the alert is still there, and is not believed. That a process of another host
      // has removed the tile, only reads tell.
      const isInDoubt = faultedIn(account, step).some(({ method, path }) =>
        method === "GET" ? /dashboards|alerts/.test(path) : method === "DELETE" && path.endsWith(`/${id}`),
      );
      // Nor is it known that an alert is on the tile if the service has answered its move to another one without carrying it out.
      const isHidden = wasLastWriteSwallowed(account, actor, commit);
      if (failure === undefined || isInDoubt || isHidden) return [];
      return [
        { what: `stack ${actor} failed at alert ${id} of ${name}, which had gone with its tile`, step },
      ];
    }),
);

/** A promise of the provider about tiles: it recognises them by their names and contents, never by their positions. */
export const inheritsNothing = promise(
  "inherits nothing",
  "A tile that shows something else under another name does not get the id of the tile in whose place it is.",
  [],
  ({ runs }) =>
    runs.flatMap(({ step: { actor, number, command }, before, after }) =>
      [...after].flatMap(([name, now]) => {
        const old = before.get(name);
        if (now.type !== "Dashboard" || !old || !isSameId(old.id, now.id) || command !== "up") return [];
        const [former, tiles] = [old, now].map(({ inputs }) => (inputs.tiles ?? []) as readonly Data[]);
        const [formerIds, ids] = [old, now].map(({ outputs }) => (outputs.tileIds ?? {}) as Data);
        const inherited = tiles?.find((tile, index) => {
          const other = former?.[index];
          const isNew = !former?.some((each) => each.name === tile.name) && tile.id === undefined;
          const isOther = other !== undefined && aggregationsOf(other) !== aggregationsOf(tile);
          const id = ids?.[String(tile.name)];
          return isNew && isOther && id !== undefined && id === formerIds?.[String(other.name)];
        });
        if (!inherited) return [];
        const what = `stack ${actor} gave the tile ${inherited.name} of ${name} the id of the tile that it replaces`;
        return [{ what, step: number }];
      }),
    ),
);

/**
 * Returns the display type and the aggregate functions of a tile, which identify it. A person may have changed its other
 * properties by hand.
 */
function aggregationsOf({ config, series }: Data): string {
  const { displayType, select } = (config ?? {}) as Data;
  const entries = [select, series].flatMap((list) => (Array.isArray(list) ? (list as Data[]) : []));
  return JSON.stringify([displayType, entries.map(({ type, aggFn }) => [type, aggFn])]);
}

function tileOf(program: Program, name: string): string | undefined {
  const { ref, tile: index } = (program.get(name)?.args.tileId ?? {}) as { ref?: string; tile?: number };
  if (ref === undefined || index === undefined) return undefined;
  const tiles = (program.get(ref)?.args.tiles ?? []) as readonly Data[];
  const tile = tiles[index];
  // Only their positions tell tiles of the same name apart. So the promise does not judge alerts on such tiles.
  const isAlone = tiles.filter((other) => other.name === tile?.name).length === 1;
  return isAlone ? `${ref} ${tile?.name}` : undefined;
}
