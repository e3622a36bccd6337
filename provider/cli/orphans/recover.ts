import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { printableLine } from "../../api/printable";
import { counted } from "../../lifecycle/nouns";
import type { Session } from "../../lifecycle/session";
import { nameIn, type Stack } from "../engine/stack";
import { note } from "../shared/messages";
import { table } from "../shared/table";
import { declaredResources } from "./declared";
import { type Ask, deleteOrphans, isAnswer } from "./deletion";
import type { Orphan } from "./findOrphans";
import type { ListedObject } from "./listObjects";
import { type Recovered, recoverable } from "./recoverable";
import { recoveryFile } from "./recoveryFile";
import { titleOf } from "./report";

/** What a recovery may change: objects that are imported, and keys that are revoked. */
export interface Recovery {
  readonly imported: readonly Recovered[];
  /** Their secrets are lost, so that the next update has to make them again. */
  readonly revoked: readonly Recovered[];
  /** What is told about the rest. */
  readonly notes: readonly string[];
  /** The file that imports. */
  readonly file: string;
}

/** Runs the program in a preview, and finds out what the state of its stack lacks. */
export async function planRecovery(
  stack: Stack,
  found: { readonly orphans: readonly Orphan[]; readonly objects: readonly ListedObject[] },
  session: Session,
): Promise<Recovery> {
  const [preview, held] = [await stack.preview({}), await stack.resources()];
  const declared = declaredResources(preview, session);
  const all = await recoverable({ ...found, declared, held }, session);
  const keys = all.filter(({ orphan }) => orphan.type === "ApiKey");
  const revoked = keys.filter(({ by, orphan }) => by === "content" && isUnused(orphan));
  const others = all.filter(({ orphan }) => orphan.type !== "ApiKey");
  const { text, imported } = recoveryFile(others, { declared: declared.all, held });
  const { elsewhere } = declared;
  return {
    imported,
    revoked,
    file: text,
    notes: [
      ...keys
        .filter((key) => !revoked.includes(key))
        .map(
          ({ orphan }) => `${titleOf(orphan)} stays: ${orphan.kept ?? "it is in use, or not as declared"}.`,
        ),
      ...others
        .filter((other) => !imported.includes(other))
        .map(({ orphan }) => `${titleOf(orphan)} stays: the state lacks what it is in.`),
      ...(elsewhere.length > 0
        ? [
            `Not looked for, since their provider or their service is another: ${elsewhere.join(", ")}. Adopt them with adoptId.`,
          ]
        : []),
    ],
  };
}

/** A key that signed a request is somebody's, and so is one that others refer to. */
function isUnused({ usedAt, kept }: Orphan): boolean {
  return usedAt === null && kept === null;
}

/** A recovery as people read it, before they agree to it. */
export function readableRecovery({ imported, revoked, notes }: Recovery): string {
  const rows = [...imported, ...revoked].map(({ resource, orphan, by }) => [
    orphan.type,
    orphan.id,
    nameIn(resource.urn),
    by === "content" ? "the same content" : "the only one of that name",
    orphan.type === "ApiKey" ? "revoke: its secret is lost" : "import",
  ]);
  const cells = [["TYPE", "ID", "RESOURCE", "KNOWN BY", "RECOVERY"], ...rows];
  const shown =
    rows.length > 0
      ? `\n${table(
          cells.map((row) => row.map(printableLine)),
          48,
        )}\n`
      : "None of them is surely what the program declares.";
  return [shown, ...notes.map(printableLine)].join("\n");
}

/** Asks for the import and for the revocation by themselves. */
export async function agreedRecovery(recovery: Recovery, ask: Ask): Promise<Recovery> {
  const { imported, revoked } = recovery;
  const agrees = async (count: number, noun: string, what: string) =>
    count > 0 && isAnswer(await ask(`${what} ${counted(count, noun)}? [y]es, [n]o (no): `), "yes");
  const imports = await agrees(imported.length, "object", "Import");
  const revokes = await agrees(revoked.length, "key", "Revoke");
  return { ...recovery, imported: imports ? imported : [], revoked: revokes ? revoked : [] };
}

/**
 * Imports, then revokes.
 *
 * @param backup file that gets the state before
 * @returns the orphans that are none any more
 */
export async function carryOutRecovery(
  { imported, revoked, file }: Recovery,
  stack: Stack,
  backup: string,
  objects: readonly ListedObject[],
  session: Session,
  failed: (message: string) => void,
): Promise<Orphan[]> {
  if (imported.length > 0) {
    await writeFile(backup, await stack.export(), { mode: 0o600, flag: "wx" });
    note(`note: ${backup} has the state before; "pulumi stack import --file ${backup}" undoes the import`);
    await importFrom(file, stack);
  }
  const keys = revoked.map(({ orphan }) => orphan);
  const deleted = await deleteOrphans(keys, objects, session, (key, reason) =>
    failed(`${titleOf(key)} was not revoked: ${reason}`),
  );
  return [...imported.map(({ orphan }) => orphan), ...deleted];
}

async function importFrom(text: string, stack: Stack): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "pipestack-"));
  try {
    const file = join(folder, "import.json");
    await writeFile(file, text, { mode: 0o600 });
    await stack.import(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
