import type { Session } from "../../provider/lifecycle/session";
import { idOfObject, type Referred, withReferences } from "../../provider/resources/references";
import { resources, type TypeName, typeNames } from "../../provider/resources/registry";
import { isObject, type PropertyMap } from "../../provider/values/data";
import type { Finding } from "./examination";

export interface GoneReference {
  readonly type: TypeName;
  readonly id: string;
  readonly name: string;
  /** The type of the object that the reference names and that does not exist: a resource type, or a tile. */
  readonly missing: Referred;
  readonly missingId: string;
}

/** Finds references to missing objects in the lists that the session has kept; types with incomplete lists do not count. */
export async function goneReferences(
  findings: readonly Finding[],
  session: Session,
): Promise<readonly GoneReference[]> {
  const readable = typeNames.filter((type) =>
    findings.some(({ name, outcome }) => name === type && outcome === "readable"),
  );
  const listed = await Promise.all(
    readable.map(async (type) => [type, await listOf(type, session)] as const),
  );
  const objects = new Map(listed.flatMap(([type, list]) => (list ? [[type, list] as const] : [])));
  const existing = new Map<Referred, ReadonlySet<string>>(
    [...objects].map(([type, list]) => [type, idsOf(list)]),
  );
  const dashboards = objects.get("Dashboard");
  if (dashboards) existing.set("tile", idsOf(dashboards.flatMap(tilesOf)));
  return [...objects].flatMap(([type, list]) => list.flatMap((object) => goneIn(type, object, existing)));
}

/** The objects of a type that `pipestack doctor` has read; undefined if their list is incomplete. */
async function listOf(type: TypeName, session: Session): Promise<readonly PropertyMap[] | undefined> {
  const { list } = resources[type].operations;
  const { organizationId, serviceId } = session.settings;
  return (
    list && session.lists.read(list, { organizationId, serviceId }, { isWhole: true }).catch(() => undefined)
  );
}

function goneIn(
  type: TypeName,
  object: PropertyMap,
  existing: ReadonlyMap<Referred, ReadonlySet<string>>,
): readonly GoneReference[] {
  const gone = new Map<string, GoneReference>();
  const identity = {
    type,
    id: String(object.id),
    name: String(object.name || object.displayName || object.id),
  };
  withReferences(object, (missing, id) => {
    const isGone = idOfObject.test(id) && existing.get(missing)?.has(id.toLowerCase()) === false;
    if (isGone) gone.set(`${missing} ${id}`, { ...identity, missing, missingId: id });
    return id;
  });
  return [...gone.values()];
}

function tilesOf({ tiles }: PropertyMap): readonly PropertyMap[] {
  return Array.isArray(tiles) ? tiles.filter(isObject) : [];
}

function idsOf(objects: readonly PropertyMap[]): ReadonlySet<string> {
  return new Set(objects.map(({ id }) => String(id).toLowerCase()));
}
