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
import { type Recovered, recoverable } from "./recoverable";
import { recoveryFile } from "./recoveryFile";
import { titleOf } from "./report";

/** The objects that a recovery imports. */
export interface Recovery {
  readonly imported: readonly Recovered[];
  /** What is told about the rest. */
  readonly notes: readonly string[];
  /** The import file. */
  readonly file: string;
}

/** Runs the program in a preview, and finds the orphans that the state of its stack lacks. */
export async function planRecovery(
  stack: Stack,
  orphans: readonly Orphan[],
  session: Session,
): Promise<Recovery> {
  const [preview, held] = [await stack.preview({}), await stack.resources()];
  const declared = declaredResources(preview, session);
  const found = await recoverable({ orphans, declared, held }, session);
  const { text, imported } = recoveryFile(found, { declared: declared.all, held });
  const rest = orphans.filter((orphan) => !imported.some((one) => one.orphan === orphan));
  const isDeclared = ({ type, name }: Orphan) =>
    declared.missing.some((resource) => resource.type === type && resource.inputs.name === name);
  const reasonOf = (orphan: Orphan) => {
    if (found.some((one) => one.orphan === orphan)) return "the state lacks what it is in";
    return orphan.type === "ApiKey"
      ? 'its secret is lost, so "pulumi up" creates another key; revoke this one once nobody uses it'
      : "its content is not as declared, or not unique; adoptId takes it over";
  };
  const { elsewhere } = declared;
  return {
    imported,
    file: text,
    notes: [
      ...rest.filter(isDeclared).map((orphan) => `${titleOf(orphan)} stays: ${reasonOf(orphan)}.`),
      ...(elsewhere.length > 0
        ? [
            `Not looked for, since their provider or their service is another: ${elsewhere.join(", ")}. Adopt them with adoptId.`,
          ]
        : []),
    ],
  };
}

/** A recovery as people read it, before they agree to it. */
export function readableRecovery({ imported, notes }: Recovery): string {
  const rows = imported.map(({ resource, orphan }) => [orphan.type, orphan.id, nameIn(resource.urn)]);
  const cells = [["TYPE", "ID", "RESOURCE"], ...rows].map((row) => row.map(printableLine));
  const shown =
    rows.length > 0 ? `\n${table(cells, 48)}\n` : "No orphan has exactly the content of a declared resource.";
  return [shown, ...notes.map(printableLine)].join("\n");
}

/**
 * Imports the objects into the state of a stack.
 *
 * @param backup file that gets the state before
 */
export async function carryOutRecovery({ file }: Recovery, stack: Stack, backup: string): Promise<void> {
  await writeFile(backup, await stack.export(), { mode: 0o600, flag: "wx" });
  note(`note: ${backup} has the state before; "pulumi stack import --file ${backup}" undoes the import`);
  const folder = await mkdtemp(join(tmpdir(), "pipestack-"));
  try {
    const importFile = join(folder, "import.json");
    await writeFile(importFile, file, { mode: 0o600 });
    await stack.import(importFile);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
