import { lastLook, unheld } from "../simulate";
import type { Invariant, Violation } from "./violation";

/** In the end `pipestack orphans` lists whatever stacks have created and no state holds. */
export const listsOrphans: Invariant = ({ orphans, store, stacks }) => {
  const last = orphans.find(({ step }) => step.number === lastLook);
  if (!last) return [];
  const listed = new Set(last.found?.map(({ id }) => id.toLowerCase()));
  return unheld(store, stacks)
    .filter(({ id }) => !listed.has(id.toLowerCase()))
    .map(({ kind, id }) => ({
      promise: "lists orphans",
      what: `pipestack orphans does not list ${kind} ${id}, which is in no state: ${last.messages.join(" / ")}`,
    }));
};

/** `pipestack orphans` neither lists nor deletes what a state holds, nor a key that signs for one of the states. */
export const sparesWhatIsHeld: Invariant = ({ orphans, store, stacks }) =>
  orphans.flatMap(({ step, held, found = [] }): Violation[] => {
    const signing = store
      .all("keys")
      .filter(({ signsFor }) => signsFor === "other" || stacks.some(({ actor }) => actor === signsFor))
      .map(({ id }) => String(id).toLowerCase());
    const wrong = (id: string) => held.has(id.toLowerCase()) || signing.includes(id.toLowerCase());
    const deleted = store.commits.filter(
      (commit) => commit.step === step.number && commit.actor === "orphans" && !commit.isCascade,
    );
    return [...found, ...deleted]
      .filter(({ id }) => wrong(id))
      .map(({ id }) => ({
        promise: "spares what is held",
        what: `pipestack orphans lists or deletes ${id}, which a state holds or which signs`,
        step: step.number,
      }));
  });
