import { isCollection, nouns } from "../world/nouns";
import { type Commit, isStack } from "../world/store";
import { type Invariant, isCollected, kindOf, type Violation } from "./violation";

/** An update says what it overwrites of what somebody changed since the state last saw the object. */
export const saysWhatItOverwrites: Invariant = ({ store, runs, wire, history, hand }) =>
  store.commits.flatMap((commit): Violation[] => {
    const { actor, step, kind, id, before, after, isCascade } = commit;
    if (!isStack(actor) || !before || !after || isCascade) return [];
    const run = runs.find((each) => each.step.number === step);
    const [name, kept] =
      [...(run?.before ?? [])].find(
        ([, each]) =>
          isCollected(each.type) && kindOf[each.type] === kind && each.id.toLowerCase() === id.toLowerCase(),
      ) ?? [];
    if (!run || !kept || run.step.command !== "up" || run.wasKilled) return [];
    if (!run.outcome.operations.some((each) => each.name === name && each.op === "update")) return [];
    if (wire.some(({ caller, fault }) => caller.step === step && fault !== undefined)) return [];
    const own = store.commits.filter(
      (each) => each !== commit && each.kind === kind && each.id === id && each.at <= commit.at,
    );
    const last = own.at(-1);
    const seen = runs.filter((each) => each.step.actor === actor && each.endedAt <= run.startedAt).at(-1);
    const shownFrom = run.startedAt - history.behaviour.listLag;
    if (last?.actor !== "hand" || last.at >= shownFrom || last.at < (seen?.endedAt ?? 0)) return [];
    // What was set inside of a tile is judged by itself; it goes with a tile that the program removes.
    if (hand.inside.some(({ dashboard }) => dashboard === id)) return [];
    return changedIn(last)
      .filter((member) => !isSame(before[member], after[member]))
      .filter((member) => !(isCollection(kind) && nouns[kind].hidden?.includes(member)))
      .filter((member) => member in kept.inputs && !isSame(kept.inputs[member], before[member]))
      .filter((member) => !run.messages.some((text) => text.includes(id) && text.includes(member)))
      .map((member) => ({
        promise: "says what it overwrites",
        what: `stack ${actor} overwrote ${member} of ${name} (${kind} ${id}) without a word`,
        step,
      }));
  });

function changedIn({ before, after }: Commit): string[] {
  return Object.keys(after ?? {}).filter((member) => !isSame(before?.[member], after?.[member]));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}
