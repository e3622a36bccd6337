import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nameIn } from "../../hosts/names";
import type { Session } from "../../lifecycle/session";
import { printableLine } from "../../values/printable";
import type { Stack } from "../engine/stack";
import { note } from "../shared/messages";
import { table } from "../shared/table";
import { declaredResources } from "./declared";
import type { Orphan } from "./findOrphans";
import { recoverable } from "./recoverable";
import { type RecoveryFile, recoveryFile } from "./recoveryFile";
import { titleOf } from "./report";

/** The import that recovers orphans. */
export interface Recovery extends RecoveryFile {
  /** Sentences about the other orphans. */
  readonly notes: readonly string[];
}

/** Runs the program in a preview, and finds the orphans that the state of its stack lacks. */
export async function planRecovery(
  stack: Stack,
  orphans: readonly Orphan[],
  session: Session,
): Promise<Recovery> {
  const declared = declaredResources(await stack.preview({}), session);
  const { missing, elsewhere, all } = declared;
  const held = await stack.resources();
  const found = await recoverable({ orphans, declared, held }, session);
  const file = recoveryFile(found, all, held);
  const left = orphans.filter(
    (orphan) =>
      !file.imported.some((one) => one.orphan === orphan) &&
      missing.some(({ type, inputs }) => type === orphan.type && inputs.name === orphan.name),
  );
  const reasonOf = (orphan: Orphan) => {
    if (found.some((one) => one.orphan === orphan)) return "the state lacks what it is in";
    return orphan.type === "ApiKey"
      ? 'its secret is lost, so "pulumi up" creates another key; revoke this one once nobody uses it'
      : "its content is not as declared, or not unique; adoptId takes it over";
  };
  const notes = left.map((orphan) => `${titleOf(orphan)} stays: ${reasonOf(orphan)}.`);
  if (elsewhere.length > 0)
    notes.push(
      `Not looked for, since their provider or their service is another: ${elsewhere.join(", ")}. Adopt them with adoptId.`,
    );
  return { ...file, notes };
}

/** A recovery as people read it, before they agree to it. */
export function readableRecovery({ imported, notes }: Recovery): string {
  const rows = imported.map(({ resource, orphan }) => [orphan.type, orphan.id, nameIn(resource.urn)]);
  const shown =
    rows.length > 0
      ? `\n${table([["TYPE", "ID", "RESOURCE"], ...rows], 48)}\n`
      : "No orphan has exactly the content of a declared resource.";
  return [shown, ...notes.map(printableLine)].join("\n");
}

/**
 * Imports the objects into the state of a stack.
 *
 * @param backup file that gets the state before
 */
export async function carryOutRecovery({ text }: Recovery, stack: Stack, backup: string): Promise<void> {
  await writeFile(backup, await stack.export(), { mode: 0o600, flag: "wx" });
  note(`note: ${backup} has the state before; "pulumi stack import --file ${backup}" undoes the import`);
  const folder = await mkdtemp(join(tmpdir(), "pipestack-"));
  try {
    const file = join(folder, "import.json");
    await writeFile(file, text, { mode: 0o600 });
    await stack.import(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
