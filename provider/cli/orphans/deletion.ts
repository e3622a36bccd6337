import { createInterface } from "node:readline/promises";
import type { Session } from "../../lifecycle/session";
import { withTracking } from "../../lifecycle/state";
import { resources } from "../../resources/registry";
import type { Data } from "../../values/data";
import { counted } from "../../values/wording";
import { type Orphan, usersAmong } from "./findOrphans";
import type { ListedObject } from "./listObjects";
import { titleOf } from "./report";

/** Asks one question; answers undefined when the terminal has closed. */
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
 * Asks which orphans to delete: all, none, or one by one. An object that a remaining one uses is not offered:
 * it would go along, as the alerts of a dashboard do, or no longer work.
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
    if (users.some(({ id }) => !chosen.has(id))) continue;
    if (isAnswer(await ask(`Delete ${titleOf(orphan)}? [y]es, [n]o (no): `), "yes"))
      chosen.set(orphan.id, orphan);
  }
  return [...chosen.values()];
}

/** The first letter or the whole word, in upper or lower case. */
export function isAnswer(answer: string | undefined, word: string): boolean {
  const text = answer?.trim().toLowerCase();
  return text === word || text === word[0];
}

/**
 * Deletes objects, one after the other. Each goes to its resource with its listed answer in place of a state, so that the
 * resource can refuse: the key that signs the requests is known by its suffix. An object stays with those that use it.
 *
 * @param failed called for each object that was not deleted, with the reason
 * @returns the deleted ones
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
      if (user) throw new Error(`${resources[user.type].noun} ${user.id} uses it and was not deleted`);
      await resources[type].delete(id, stateOf(object?.answer ?? {}), session);
    } catch (error) {
      left.add(orphan);
      leftIds.add(id);
      failed(orphan, (error as Error).message);
    }
  }
  return orphans.filter((orphan) => !left.has(orphan));
}

/**
 * An answer in place of a state: where its object is follows from the settings alone, and whoever names an orphan wants it gone,
 * whatever there was before.
 */
function stateOf({ organizationId, serviceId, ...answer }: Data): Data {
  return withTracking(answer, { previous: {} });
}
