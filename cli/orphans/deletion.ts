import { createInterface } from "node:readline/promises";
import { resourceKey } from "../../provider/lifecycle/run";
import { contextOf } from "../../provider/lifecycle/scope";
import type { Session } from "../../provider/lifecycle/session";
import { withTracking } from "../../provider/lifecycle/state";
import { resources, type TypeName } from "../../provider/resources/registry";
import type { PropertyMap } from "../../provider/values/data";
import { counted } from "../../provider/values/wording";
import { type Orphan, usersAmong } from "./findOrphans";
import type { ListedObject } from "./listObjects";
import { titleOf } from "./report";

/** Asks the user a question; returns undefined if the terminal was closed. */
export type Ask = (question: string) => Promise<string | undefined>;

export async function inTerminal<Result>(use: (ask: Ask) => Promise<Result>): Promise<Result> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const closed = new Promise<undefined>((resolve) => terminal.once("close", () => resolve(undefined)));
  try {
    return await use((question) => Promise.race([terminal.question(question), closed]));
  } finally {
    terminal.close();
  }
}

/**
 * Asks which orphans to delete, without those that a remaining object uses: their deletion would delete or break it. Whoever
 * closes the terminal, as by Ctrl+C, chooses none.
 */
export async function chooseOrphans(
  orphans: readonly Orphan[],
  objects: readonly ListedObject[],
  ask: Ask,
): Promise<Orphan[]> {
  const answer = await ask(
    `Delete ${counted(orphans.length, "object")}? [a]ll, [o]ne by one, [n]one (none): `,
  );
  if (isAnswer(answer, "all")) return [...orphans];
  if (!isAnswer(answer, "one by one")) return [];
  const usersOf = usersAmong(objects);
  const chosen = new Map<string, Orphan>();
  for (const orphan of orphans) {
    const users = usersOf(orphan.type, orphan.id);
    if (users.some((user) => !chosen.has(resourceKey(user, user.id)))) continue;
    const verdict = await ask(`Delete ${titleOf(orphan)}? [y]es, [n]o (no): `);
    if (verdict === undefined) return [];
    if (isAnswer(verdict, "yes")) chosen.set(resourceKey(orphan, orphan.id), orphan);
  }
  return [...chosen.values()];
}

/** The orphans that only each other use: the deletion of another one would delete or break an object that stays. */
export function usedByNoOther(
  orphans: readonly Orphan[],
  objects: readonly ListedObject[],
): readonly Orphan[] {
  const usersOf = usersAmong(objects);
  const keys = new Set(orphans.map((orphan) => resourceKey(orphan, orphan.id)));
  const free = orphans.filter(({ type, id }) =>
    usersOf(type, id).every((user) => keys.has(resourceKey(user, user.id))),
  );
  return free.length < orphans.length ? usedByNoOther(free, objects) : free;
}

/** Whether the user's answer is a word or its first letter, in upper or lower case. */
export function isAnswer(answer: string | undefined, word: string): boolean {
  const text = answer?.trim().toLowerCase();
  return text === word || text === word[0];
}

/**
 * Deletes orphans one by one, by their resource types. An object stays if other objects still use it, or if its type refuses
 * the deletion, as for the key that signs the requests.
 */
export async function deleteOrphans(
  orphans: readonly Orphan[],
  objects: readonly ListedObject[],
  session: Session,
  failed: (orphan: Orphan, reason: string) => void,
): Promise<Orphan[]> {
  const usersOf = usersAmong(objects);
  const listedAs = new Map(objects.map((object) => [`${object.type} ${object.id}`, object]));
  const left = new Set<Orphan>();
  const leftIds = new Set<string>();
  for (const orphan of orphans) {
    const { type, id } = orphan;
    const object = listedAs.get(`${type} ${id}`);
    const user = usersOf(type, id).find((candidate) => leftIds.has(candidate.id));
    try {
      if (user)
        throw new Error(
          `the ${resources[type].noun} is still in use by ${resources[user.type].noun} ${user.id}, which could not be deleted`,
        );
      await resources[type].delete(id, stateOf(type, object?.answer ?? {}, session), session);
    } catch (error) {
      left.add(orphan);
      leftIds.add(id);
      failed(orphan, (error as Error).message);
    }
  }
  return orphans.filter((orphan) => !left.has(orphan));
}

/**
 * Returns an orphan as the list request has shown it, in the form of a Pulumi state. The state lacks the values from before the
 * object was adopted, since the deletion of an orphan restores no values.
 */
function stateOf(type: TypeName, answer: PropertyMap, session: Session): PropertyMap {
  const { organizationId, serviceId, ...members } = answer;
  return withTracking({ ...members, ...contextOf(resources[type], {}, session).scope }, { previous: {} });
}
