import { clean } from "../../hosts/engineValues";
import { read } from "../../lifecycle/lifecycle";
import type { Session } from "../../lifecycle/session";
import type { State } from "../../lifecycle/state";
import { resources, type TypeName, typeNames } from "../../resources/registry";
import { differences } from "../../values/compare";
import type { Data } from "../../values/data";
import type { StateResource } from "../engine/stack";
import { type DeclaredResource, type DeclaredResources, isOpen, withKnownIds } from "./declared";
import type { Orphan } from "./findOrphans";

/** An orphan, and the declared resource that it belongs to. */
export interface Recovered {
  readonly orphan: Orphan;
  readonly resource: DeclaredResource;
  /** The state of the resource after the import. */
  readonly inputs: Data;
  readonly state: State;
}

/** The declared resources, the orphans, and the resources in the state before anything is recovered. */
export interface Findings {
  readonly declared: DeclaredResources;
  readonly orphans: readonly Orphan[];
  readonly held: readonly StateResource[];
}

/**
 * The orphans that have all that the program declares of a resource which the state lacks. Neither a resource that several
 * orphans fit, nor an orphan that fits several resources, is among them; nor is a key, whose secret is lost.
 */
export async function recoverable(found: Findings, session: Session): Promise<Recovered[]> {
  const recovered = new Map<string, Recovered>();
  const idOf = (urn: string) =>
    recovered.get(urn)?.orphan.id ?? found.held.find((held) => held.urn === urn && !held.delete)?.id;
  // Those first to which others refer: their ids tell these apart. Some refer to others of their own type.
  for (const type of typeNames.filter((name) => name !== "ApiKey"))
    for (let known = -1; known < recovered.size; ) {
      known = recovered.size;
      for (const one of await recoverableOf(type, found, idOf, session)) recovered.set(one.resource.urn, one);
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
  for (const missing of declared.missing.filter((resource) => resource.type === type)) {
    const inputs = withKnownIds(missing, idOf);
    if (!inputs) continue;
    const resource = { ...missing, inputs };
    for (const orphan of orphans) {
      const isNamesake = orphan.type === type && orphan.name === (inputs.name ?? null);
      if (!isNamesake || declared.adopted.has(orphan.id.toLowerCase())) continue;
      const found = await stateIfSame(resource, orphan, session);
      if (found) alike.push({ resource, orphan, ...found });
    }
  }
  return alike.filter((one) =>
    alike.every(
      (other) => other === one || (other.resource.urn !== one.resource.urn && other.orphan !== one.orphan),
    ),
  );
}

/** The object as a refresh would find it of this resource; undefined unless it has all that the program declares. */
async function stateIfSame({ type, inputs }: DeclaredResource, { id }: Orphan, session: Session) {
  const found = clean(await read(resources[type], id, inputs, session));
  if (typeof found === "string") return undefined;
  const different = differences(resources[type].inputs, inputs, found.inputs);
  return different.every(({ left }) => isOpen(left)) ? found : undefined;
}
