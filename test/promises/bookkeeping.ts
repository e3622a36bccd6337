import type { Account } from "./account";
import { heldIn, nameOf, unheld } from "./held";
import { isCollected, type Kind, kindOf } from "./kinds";
import { isSameId, promise } from "./promise";
import { type Data, isStack } from "./store";

export const knowsOnlyWhatIsThere = promise(
  "knows only what is there",
  "Nothing is in the state that the service never had.",
  [],
  ({ stacks, store }) =>
    heldIn(stacks)
      .filter(({ type, id }) => isCollected(type) && !store.creationOf(kindOf(type), id))
      .map(({ actor, name, type, id }) => ({
        what: `the state of stack ${actor} has ${type} ${id} as ${name}, which the service never had`,
      })),
);

export const forgetsNothing = promise(
  "forgets nothing",
  "Nothing that the service has leaves the state, by a refresh or by a deletion that did not happen.",
  [],
  (account) =>
    account.runs.flatMap((run) => {
      const { step, startedAt, endedAt, outcome, before } = run;
      const says = (name: string, id: string, how: string) => ({
        what: `${name} (${id}) left the state of stack ${step.actor} ${how}, and the service has it`,
        step: step.number,
      });
      const refreshed = outcome.gone
        .filter(
          ({ kept: { type, id } }) =>
            type === "ServiceScaling" || wasThereFrom(account, kindOf(type), id, startedAt, endedAt),
        )
        .map(({ name, kept }) => says(name, kept.id, "at a refresh"));
      const deleted = outcome.operations.flatMap(({ name, type, op }) => {
        const kept = before.get(name);
        if (op !== "delete" || !kept || type === "ServiceScaling") return [];
        const isKept = run.messages.some((message) => message.includes(kept.id));
        // Another resource in a Pulumi state may have the same object. Then the provider rightly leaves the object in the
        // service when it deletes the first resource.
        const isHeld = heldIn(account.stacks).some((each) => each.type === type && each.id === kept.id);
        // An object that was deleted never comes back with the same id, so the promise judges at the end of the test whether it
        // is gone. A delayed request may set a singleton again, so a singleton is judged as it was at the end of the command.
        const at = isCollected(type) ? undefined : endedAt;
        const isThere =
          account.store.get(kindOf(type), kept.id, at) &&
          !wasDeletedFrom(account, kindOf(type), kept.id, startedAt, endedAt);
        return isThere && !isKept && !isHeld ? [says(name, kept.id, "as deleted")] : [];
      });
      return [...refreshed, ...deleted];
    }),
);

/** Returns true if the object existed at both moments, and was not deleted between them. */
function wasThereFrom(account: Account, kind: Kind, id: string, from: number, to: number): boolean {
  const { store } = account;
  const isThere = [from, to].every((at) => store.get(kind, id, at) !== undefined);
  return isThere && !wasDeletedFrom(account, kind, id, from, to);
}

function wasDeletedFrom({ store }: Account, kind: Kind, id: string, from: number, to: number): boolean {
  return store.commits.some(
    (commit) =>
      commit.kind === kind &&
      commit.after === undefined &&
      commit.at > from &&
      commit.at <= to &&
      isSameId(commit.id, id),
  );
}

/**
 * A promise of the provider about a destroy that has deleted only some alerts of an AlertSet: the set stays in the Pulumi state
 * as a whole, and the message says to refresh, which removes the deleted alerts.
 */
export const saysWhatIsLeft = promise(
  "says what is left",
  "Where a destroy has deleted a part of a set alone, it says to refresh before the stack is kept.",
  [],
  ({ runs, store }) =>
    runs.flatMap(({ step, after, messages, wasKilled }) => {
      if (step.command !== "destroy" || wasKilled) return [];
      const deleted = [...after].find(
        ([name, { id }]) =>
          name.includes(", ") &&
          store.commits.some(
            (commit) =>
              commit.id === id &&
              commit.step === step.number &&
              commit.after === undefined &&
              !commit.isCascade,
          ),
      );
      const says = messages.some((message) => message.includes('run "pulumi refresh" before you keep'));
      return deleted && !says
        ? [{ what: `${deleted[0]} is deleted and stays in the state without a word`, step: step.number }]
        : [];
    }),
);

/**
 * A promise of the provider about a Pulumi state that lists an object twice: if an update failed before its deletions, an
 * object may be in the state under its old and its new resource name.
 */
export const holdsNothingTwice = promise(
  "holds nothing twice",
  "No two resources hold the same object.",
  [],
  ({ stacks, runs }) => {
    const seen = new Map<string, string>();
    return heldIn(stacks).flatMap(({ actor, program, name, type, id }) => {
      const last = runs.filter(({ step }) => step.actor === actor && step.command.startsWith("up")).at(-1);
      const isLeftOver = !program.has(name) && (last?.outcome.errors.length ?? 0) > 0;
      if (!isCollected(type) || isLeftOver) return [];
      const key = `${type} ${id.toLowerCase()}`;
      const other = seen.get(key);
      seen.set(key, `${name} of stack ${actor}`);
      return other === undefined
        ? []
        : [{ what: `${other} and ${name} of stack ${actor} are both ${type} ${id}` }];
    });
  },
);

export const listsOrphans = promise(
  "lists orphans",
  "`pipestack orphans` lists every object that an update has created and no state holds.",
  ["orphans"],
  (account) => {
    const last = account.orphans.find(({ step }) => step.number === lastLook);
    if (!last) return [];
    const listed = new Set(last.found?.map(({ id }) => id.toLowerCase()));
    return unheld(account)
      .filter(({ id }) => !listed.has(id.toLowerCase()))
      .map(({ kind, id }) => ({
        what: `pipestack orphans does not list ${kind} ${id}, which is in no state: ${last.messages.join(" / ")}`,
      }));
  },
);

/** The step number of the last `pipestack orphans` run, at the end of a simulated history. */
export const lastLook = -1;

export const sparesWhatIsHeld = promise(
  "spares what is held",
  "`pipestack orphans` neither lists nor deletes what a state holds, nor a key that signs for a stack.",
  ["orphans", "signingKeys"],
  ({ orphans, store, signingKeys }) =>
    orphans.flatMap(({ step, held, found = [] }) => {
      const deleted = store.commits.filter(
        (commit) => commit.step === step.number && commit.actor === "orphans" && !commit.isCascade,
      );
      const listed = found.map(({ type, id }) => ({ kind: kindOf(type), id }));
      return [...listed, ...deleted]
        .filter(({ kind, id }) => held.has(nameOf(kind, id)) || signingKeys.some((key) => isSameId(key, id)))
        .map(({ id }) => ({
          what: `pipestack orphans lists or deletes ${id}, which a state holds or which signs`,
          step: step.number,
        }));
    }),
);

/** A promise of the provider about restoring a scaling. It is judged only if nobody but stacks changed the scaling. */
export const restoresTheScaling = promise(
  "restores the scaling",
  "The state of a scaling remembers the values from before its creation, or a message says that they are lost.",
  [],
  ({ stacks, runs, store, serviceId, wire = [], habits }) => {
    const commits = store.commits.filter(
      ({ kind, id, before }) => kind === "services" && id === serviceId && before,
    );
    const restoring = runs.filter(({ programs }) =>
      [...programs[1].values()].some(
        ({ type, args }) => type === "ServiceScaling" && args.onDestroy === "restore",
      ),
    );
    const first = commits.findIndex((commit) => restoring.some(({ step }) => step.number === commit.step));
    // The scaling's state may also remember older values, from before a write that preceded the first program with the option
    // `onDestroy`: that write may have failed at first, and been carried out after the provider read the values.
    const originals = commits.slice(0, first + 1).map(({ before }) => before as Data);
    const creations = runs
      .filter(({ step }) => step.command.startsWith("up"))
      .flatMap(({ before, after }) =>
        [...after].filter(([name, { type }]) => type === "ServiceScaling" && !before.has(name)),
      );
    const isMisled = wire.some(({ fault }) => fault?.kind === "stale" || fault?.kind === "otherObject");
    // If an update was killed, or the program created the scaling under two resource names, the values from before the first
    // update may be lost. A message of the provider says so, and the stack need not restore them.
    if (
      first < 0 ||
      runs.some(({ wasKilled }) => wasKilled) ||
      creations.length > 1 ||
      isMisled ||
      habits?.scalingLag ||
      commits.some(({ actor }) => !isStack(actor))
    )
      return [];
    return heldIn(stacks)
      .filter(({ type }) => type === "ServiceScaling")
      .flatMap(({ name, outputs }) => {
        const { previous = {} } = (outputs.__tracking ?? {}) as { previous?: Data };
        const wrong = Object.keys(previous).filter(
          // The service may return the numbers of a scaling as text, so numbers are compared as texts.
          (member) => originals.every((original) => String(previous[member]) !== String(original[member])),
        );
        return wrong.map((member) => ({
          what: `${name} would be restored to ${member} ${JSON.stringify(previous[member])}`,
        }));
      });
  },
);
