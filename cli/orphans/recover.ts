import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clean } from "../../provider/engine/engineValues";
import { nameIn, tokenPrefix, typeToken } from "../../provider/engine/names";
import type { Session } from "../../provider/lifecycle/session";
import type { State } from "../../provider/lifecycle/state";
import { resources, type TypeName, typeNames } from "../../provider/resources/registry";
import { differences } from "../../provider/values/compare";
import type { PropertyMap } from "../../provider/values/data";
import { printableLine } from "../../provider/values/printable";
import { counted, plural } from "../../provider/values/wording";
import type { PreviewStep, Stack, StateResource } from "../engine/stack";
import { note } from "../shared/output";
import { isHidden, stateForImport } from "../shared/secrets";
import { table } from "../shared/table";
import {
  type DeclaredResource,
  type DeclaredResources,
  declaredResources,
  isOpen,
  withKnownIds,
} from "./declared";
import type { Orphan } from "./findOrphans";
import { titleOf } from "./report";

export interface Recovery extends RecoveryFile {
  /** Sentences about orphans that the next update would create once more, and that have to be deleted before it. */
  readonly beforeUpdate: readonly string[];
  /** Sentences for the user about orphans that are not recovered. */
  readonly notes: readonly string[];
}

/** Runs a preview of the program, and finds the orphans that belong to resources that the program declares. */
export async function planRecovery(
  stack: Stack,
  orphans: readonly Orphan[],
  session: Session,
): Promise<Recovery> {
  const declared = declaredResources(await stack.preview({}), session);
  const { missing, elsewhere, byUrn } = declared;
  const inState = await stack.resources();
  const matches = await recoverable({ orphans, declared, inState }, session);
  const file = recoveryFile(matches, byUrn, inState);
  const keyOf = (type: TypeName, name: unknown) => JSON.stringify([type, name]);
  const imported = new Set(file.imported.map(({ orphan }) => orphan));
  const names = new Set(missing.map(({ type, inputs }) => keyOf(type, inputs.name)));
  const left = orphans.filter(
    (orphan) => !imported.has(orphan) && names.has(keyOf(orphan.type, orphan.name)),
  );
  const recovered = new Set(matches.map(({ orphan }) => orphan));
  const reasonOf = (orphan: Orphan) => {
    if (recovered.has(orphan)) return "its parent is not in the state";
    return orphan.type === "ApiKey"
      ? 'its secret is lost, so "pulumi up" creates another key; revoke this one once nobody uses it'
      : "its content is not as declared, or not unique; adoptId takes it over";
  };
  const notes = left.map((orphan) => `${titleOf(orphan)} stays: ${reasonOf(orphan)}.`);
  if (elsewhere.length > 0)
    notes.push(
      `Not looked for, since their provider or their service is another: ${elsewhere.join(", ")}. Adopt them with adoptId.`,
    );
  const free = orphans.filter((orphan) => !imported.has(orphan));
  return { ...file, notes, beforeUpdate: await leftOfSets(free, declared.entries, session) };
}

/** Says which orphans equal entries of sets that the next update would create: an update that was killed has left them. */
async function leftOfSets(
  orphans: readonly Orphan[],
  entries: readonly DeclaredResource[],
  session: Session,
): Promise<string[]> {
  const left = new Map<TypeName, string[]>();
  for (const orphan of orphans)
    for (const entry of entries) {
      const isNamesake = entry.type === orphan.type && (entry.inputs.name ?? null) === orphan.name;
      if (!isNamesake || !(await stateIfSame(entry, orphan, session))) continue;
      left.set(orphan.type, [...(left.get(orphan.type) ?? []), orphan.id]);
      break;
    }
  return [...left].map(([type, ids]) => {
    const { noun } = resources[type];
    return `${counted(ids.length, noun)} equal to entries of a set cannot be imported, since a set makes all of its ${plural(noun)} itself: ${ids.join(", ")}. Delete them before you run "pulumi up", with npx pipestack orphans --only ${type} --delete: otherwise it makes each of them a second time.`;
  });
}

export function readableRecovery({ beforeUpdate, imported, notes }: Recovery): string {
  const rows = imported.map(({ resource, orphan }) => [orphan.type, orphan.id, nameIn(resource.urn)]);
  const rowsOrReason =
    rows.length > 0
      ? `\n${table([["TYPE", "ID", "RESOURCE"], ...rows], 48)}\n`
      : "No orphan has exactly the content of a declared resource.";
  return [...beforeUpdate.map(printableLine), rowsOrReason, ...notes.map(printableLine)].join("\n");
}

/** Imports the recovered orphans into the Pulumi state of a stack, whose former state goes into the file `backup`. */
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

/** An orphan to recover, and the declared resource to which it belongs. */
interface Recovered {
  readonly orphan: Orphan;
  readonly resource: DeclaredResource;
  /** The inputs and the Pulumi state of the resource after the import. */
  readonly inputs: PropertyMap;
  readonly state: State;
}

interface Findings {
  readonly declared: Omit<DeclaredResources, "entries">;
  readonly orphans: readonly Orphan[];
  readonly inState: readonly StateResource[];
}

/**
 * The orphans that match a resource which the program declares and the Pulumi state lacks: they have everything that it
 * declares. Ambiguous matches are left out, and so are API keys, whose secrets are lost.
 */
export async function recoverable(findings: Findings, session: Session): Promise<Recovered[]> {
  const recovered = new Map<string, Recovered>();
  const ids = new Map(
    findings.inState.filter((resource) => !resource.delete).map((resource) => [resource.urn, resource.id]),
  );
  const idOf = (urn: string) => recovered.get(urn)?.orphan.id ?? ids.get(urn);
  // Resource types that others refer to come first, since an object is recognized by the ids of the objects to which it refers.
  // Each type is repeated until nothing more is recovered, since its objects may refer to each other.
  for (const type of typeNames.filter((name) => name !== "ApiKey"))
    for (let count = -1; count < recovered.size; ) {
      count = recovered.size;
      for (const match of await recoverableOf(type, findings, idOf, session))
        recovered.set(match.resource.urn, match);
    }
  return [...recovered.values()];
}

async function recoverableOf(
  type: TypeName,
  { declared, orphans }: Findings,
  idOf: (urn: string) => string | undefined,
  session: Session,
): Promise<Recovered[]> {
  const alike: Recovered[] = [];
  const namesakes = new Map<string | null, Orphan[]>();
  for (const orphan of orphans.filter((candidate) => candidate.type === type)) {
    const sameName = namesakes.get(orphan.name) ?? [];
    sameName.push(orphan);
    namesakes.set(orphan.name, sameName);
  }
  for (const missing of declared.missing.filter((resource) => resource.type === type)) {
    const inputs = withKnownIds(missing, idOf);
    if (!inputs) continue;
    const resource = { ...missing, inputs };
    for (const orphan of namesakes.get((inputs.name ?? null) as string | null) ?? []) {
      if (declared.adopted.has(orphan.id.toLowerCase())) continue;
      const live = await stateIfSame(resource, orphan, session);
      if (live) alike.push({ resource, orphan, ...live });
    }
  }
  const counts = new Map<unknown, number>();
  for (const key of alike.flatMap(({ resource, orphan }) => [resource.urn, orphan]))
    counts.set(key, (counts.get(key) ?? 0) + 1);
  return alike.filter(({ resource, orphan }) => counts.get(resource.urn) === 1 && counts.get(orphan) === 1);
}

/**
 * The Pulumi state that a declared resource would have with this orphan as its object; undefined if the orphan lacks something
 * that the program declares.
 */
async function stateIfSame({ type, inputs }: DeclaredResource, { id }: Orphan, session: Session) {
  const live = clean(await resources[type].read(id, inputs, session));
  if (typeof live === "string") return undefined;
  const different = differences(resources[type].inputs, inputs, live.inputs);
  return different.every(({ left }) => isOpen(left)) ? live : undefined;
}

interface RecoveryFile {
  readonly text: string;
  /** The orphans to import, except those whose resource's parent is neither in the Pulumi state nor imported, too. */
  readonly imported: readonly Recovered[];
}

/** The import file for recovered orphans, with the components that contain their resources. It holds no secret. */
function recoveryFile(
  recovered: readonly Recovered[],
  declared: ReadonlyMap<string, PreviewStep>,
  inState: readonly StateResource[],
): RecoveryFile {
  const entries: object[] = [];
  const nameTable: { [name: string]: string } = {};
  // Unique names for the import file, by URN: in the program, resources of different types may have the same name.
  const names = new Map<string, string>();
  const nameFor = (urn: string): string => {
    const name = `resource${names.size}`;
    names.set(urn, name);
    return name;
  };
  /** The parent of a resource in the import file; undefined if neither the Pulumi state nor the file has the parent. */
  const parentOf = (urn: string): { readonly parent?: string } | undefined => {
    const parent = declared.get(urn)?.newState?.parent;
    if (parent === undefined || parent.includes("::pulumi:pulumi:Stack::")) return {};
    const parentName = names.get(parent);
    if (parentName) return { parent: parentName };
    if (inState.some((resource) => resource.urn === parent && !resource.delete)) {
      const name = nameFor(parent);
      nameTable[name] = parent;
      return { parent: name };
    }
    const component = declared.get(parent)?.newState;
    const place = component?.custom === false ? parentOf(parent) : undefined;
    if (!component || !place) return undefined;
    const name = nameFor(parent);
    entries.push({ type: component.type, name, logicalName: nameIn(parent), component: true, ...place });
    return { parent: name };
  };
  // In the import file, parents have to come before their children.
  const imported = [...recovered].sort((a, b) => depthOf(a.resource.urn) - depthOf(b.resource.urn));
  const placed = imported.filter(({ resource, orphan, inputs, state: outputs }) => {
    const { urn, type, host } = resource;
    const place = parentOf(urn);
    if (!place) return false;
    const secrets = Object.keys(resource.inputs).filter((name) => isHidden(resource.inputs[name]));
    entries.push({
      type: host === "plugin" ? tokenPrefix + type : typeToken(type),
      name: nameFor(urn),
      logicalName: nameIn(urn),
      id: orphan.id,
      ...place,
      ...stateForImport({ type, inputs, outputs, secrets, host }),
    });
    return true;
  });
  return { text: `${JSON.stringify({ nameTable, resources: entries }, null, 2)}\n`, imported: placed };
}

/** The depth of a resource below its parents: its URN contains the types of all its parents. */
function depthOf(urn: string): number {
  return (urn.split("::")[2] ?? "").split("$").length;
}
