import { createInterface } from "node:readline/promises";
import { counted } from "../../../drawing/format";
import { contextOf } from "../../lifecycle/lifecycle";
import type { Session } from "../../lifecycle/session";
import { resourceTypes } from "../shared/resourceTypes";
import { alertsOn, type Orphan } from "./findOrphans";
import type { ListedObject } from "./listObjects";
import { titleOf } from "./report";

/** Asks one question; undefined when nobody is there to answer any more. */
export type Ask = (question: string) => Promise<string | undefined>;

/** Does something with questions on the terminal, until it ends. */
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
 * Which of the orphans the user wants to be deleted: all, none, or those that are agreed to one by one. A dashboard
 * takes its alerts with it, so it is not asked about where one of them is to stay.
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
  const chosen: Orphan[] = [];
  for (const orphan of orphans) {
    const stays = alertsOn(orphan.id, objects).some(({ id }) => !chosen.some((other) => other.id === id));
    if (orphan.type === "Dashboard" && stays) continue;
    if (isAnswer(await ask(`Delete ${titleOf(orphan)}? [y]es, [n]o (no): `), "yes")) chosen.push(orphan);
  }
  return chosen;
}

/** The first letter or the whole word, in upper or lower case. */
function isAnswer(answer: string | undefined, word: string): boolean {
  const given = answer?.trim().toLowerCase();
  return given === word || given === word[0];
}

/**
 * Deletes objects, each in its turn.
 *
 * @param failed told about each that could not be deleted, and why
 * @returns those that are gone
 */
export async function deleteOrphans(
  orphans: readonly Orphan[],
  session: Session,
  failed: (orphan: Orphan, reason: string) => void,
): Promise<Orphan[]> {
  const deleted: Orphan[] = [];
  for (const orphan of orphans) {
    try {
      const resource = resourceTypes[orphan.type];
      await resource.delete(orphan.id, {}, contextOf(resource, {}, session));
      deleted.push(orphan);
    } catch (error) {
      failed(orphan, (error as Error).message);
    }
  }
  return deleted;
}
