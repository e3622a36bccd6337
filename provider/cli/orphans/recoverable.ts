import { clean } from "../../hosts/engineValues";
import { differences } from "../../lifecycle/compare";
import type { Data } from "../../lifecycle/data";
import { read } from "../../lifecycle/lifecycle";
import type { Session } from "../../lifecycle/session";
import type { State } from "../../lifecycle/state";
import { resources, type TypeName, typeNames } from "../../resources/registry";
import type { StateResource } from "../engine/stack";
import { type DeclaredResource, type DeclaredResources, isOpen, withKnownIds } from "./declared";
import type { Orphan } from "./findOrphans";
import type { ListedObject } from "./listObjects";
import { type Likeness, pairUp } from "./pairs";

/** An orphan, and the declared resource that it belongs to. */
export interface Recovered {
  readonly orphan: Orphan;
  readonly resource: DeclaredResource;
  readonly by: Likeness;
  /** What the state holds of it once it is imported. */
  readonly inputs: Data;
  readonly state: State;
}

/** What is known before anything is recovered. */
export interface Findings {
  readonly declared: DeclaredResources;
  readonly orphans: readonly Orphan[];
  readonly objects: readonly ListedObject[];
  /** The resources in the state. */
  readonly held: readonly StateResource[];
}

/** Finds out which orphans are what the program declares and the state lacks. */
export async function recoverable(found: Findings, session: Session): Promise<Recovered[]> {
  const recovered = new Map<string, Recovered>();
  const idOf = (urn: string) =>
    recovered.get(urn)?.orphan.id ?? found.held.find((held) => held.urn === urn && !held.delete)?.id;
  // Those first to which others refer: their ids tell these apart. Some refer to others of their own type.
  for (const type of typeNames)
    for (let known = -1; known < recovered.size; ) {
      known = recovered.size;
      for (const one of await recoverableOf(type, found, idOf, session)) recovered.set(one.resource.urn, one);
    }
  return [...recovered.values()];
}

async function recoverableOf(
  type: TypeName,
  { declared, orphans, objects }: Findings,
  idOf: (urn: string) => string | undefined,
  session: Session,
): Promise<Recovered[]> {
  const missing = declared.missing
    .filter((resource) => resource.type === type)
    .flatMap((resource) => {
      const inputs = withKnownIds(resource, idOf);
      return inputs ? [{ ...resource, inputs }] : [];
    });
  const candidates = orphans.filter(
    (orphan) => orphan.type === type && !declared.adopted.has(orphan.id.toLowerCase()),
  );
  const isUnique = (name: string | null) =>
    name !== null &&
    declared.count(type, name) === 1 &&
    objects.filter((object) => object.type === type && object.answer.name === name).length === 1;

  const looks = new Map<string, Omit<Recovered, "by"> & { readonly by: Likeness | undefined }>();
  for (const resource of missing)
    for (const orphan of candidates) {
      const { name = null } = resource.inputs;
      if (name !== orphan.name) continue;
      const look = await lookAt(resource, orphan, session);
      if (!look) continue;
      const by = look.isSame ? "content" : isUnique(orphan.name) ? "name" : undefined;
      looks.set(keyOf(resource, orphan), { ...look, resource, orphan, by });
    }
  const lookOf = (resource: DeclaredResource, orphan: Orphan) => looks.get(keyOf(resource, orphan));
  return pairUp(missing, candidates, (resource, orphan) => lookOf(resource, orphan)?.by).flatMap(
    ({ declared: resource, found: orphan, by }) => {
      const look = lookOf(resource, orphan);
      return look ? [{ ...look, by }] : [];
    },
  );
}

function keyOf({ urn }: DeclaredResource, { id }: Orphan): string {
  return `${urn} ${id}`;
}

/** The object as a refresh would find it of this resource, and whether that is all that the program declares. */
async function lookAt({ type, inputs }: DeclaredResource, { id }: Orphan, session: Session) {
  const resource = resources[type];
  const found = clean(await read(resource, id, inputs, session));
  if (typeof found === "string") return undefined;
  const different = differences(resource.inputs, inputs, found.inputs);
  return { inputs: found.inputs, state: found.state, isSame: different.every(({ left }) => isOpen(left)) };
}
