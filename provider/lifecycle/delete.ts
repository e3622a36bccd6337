import {
  Interrupted,
  InvalidIdentifier,
  MalformedResponse,
  MissingObject,
  MissingRoute,
} from "../api/errors";
import { isObject, type PropertyMap, pick } from "../values/data";
import { counted, enumerated, plural } from "../values/wording";
import type { Definition } from "./definition";
import { hasGoneWithService } from "./goneServices";
import { look } from "./look";
import { ifServed, observe } from "./observe";
import type { Dependent, Resource } from "./resource";
import { knownId, resourceKey } from "./run";
import { type Context, contextOf, elsewhere, namesOf } from "./scope";
import type { Session } from "./session";
import { declaredIn, type State, seenOrGone, trackingOf, Unseen } from "./state";

/**
 * Deletes the object of a resource, unless the program still declares it, and warns of objects that still use it. To the engine
 * a renamed resource is a new one, created before the old one is deleted. Both may have the same object, by `adoptId` or
 * because the API answered the create with the old object: that object must stay.
 *
 * @param isDeclared whether the program names the object, or another of its resources has it
 */
export async function deleteUnlessDeclared(
  resource: Resource,
  id: string,
  state: State,
  session: Session,
  isDeclared: boolean,
): Promise<void> {
  if (!isDeclared || session.run.isReplaced(resource, id)) {
    const key = resourceKey(resource, knownId(resource, id, state));
    await session.run.whileDeleting(key, async () => {
      const deletedAlong = await warnOfUsers(resource, id, contextOf(resource, state, session));
      await resource.delete(id, state, session).catch(async (error) => {
        if (!(await hasGoneWithService(resource, id, state, error, session))) throw error;
      });
      for (const gone of [key, ...deletedAlong]) session.run.deleted.add(gone);
    });
    return;
  }
  session.warnOnce(
    `${resource.type} ${id} is not deleted, since the program still declares it; if you renamed the resource, use the option "aliases"`,
  );
  // Another resource of the program has the singleton now, such as a service's scaling. When that one is destroyed, it restores
  // the values of this resource. The values from before this resource are lost, so a warning names them.
  const { previous } = trackingOf(state);
  const replaced = pick(previous ?? {}, Object.keys(declaredIn(resource, state)));
  if (Object.keys(replaced).length === 0) return;
  const lost = JSON.stringify(replaced);
  session.warnOnce(`${resource.type} ${id}: destroying it will not restore its previous values ${lost}`);
}

/** Deletes an object in the API, if it still exists. If the type has no delete operation, the object stays in the API. */
export async function deleteObject(
  resource: Definition,
  id: string,
  state: State,
  session: Session,
): Promise<void> {
  const operation = resource.operations.delete;
  if (!operation) return;
  const context = contextOf(resource, state, session);
  const hasDeleted = () => session.run.isDeleted(resource, knownId(resource, id, state));
  // Some servers answer the deletion of a dashboard that they lack as if they had deleted it. The look fails instead. What the run has
  // deleted, itself or along with another object, was here.
  if (
    elsewhere(resource, id, state, session) &&
    !hasDeleted() &&
    !(await resource.isCascadeDeleted?.(state, context, false))
  )
    seenOrGone(await look(resource, { moment: "beforeWrite", id, state, context }));
  let requests = 0;
  try {
    await session.call(
      operation,
      { ...context.scope, ...namesOf(id, context.scope) },
      undefined,
      () => requests++,
    );
  } catch (error) {
    if (!mayBeGone(error)) throw error;
    const isDenied = error instanceof MissingObject;
    // The API has deleted this alert with its tile, and refuses a second deletion, though lists and reads may still show it.
    if (isDenied && (await resource.isCascadeDeleted?.(state, context, isDenied))) return;
    // A repeated delete request may find no object because its first attempt deleted it and the answer was lost. So an object
    // that is missing then counts as deleted.
    const isDeleted = isDenied && (requests > 1 || hasDeleted());
    const observed = await ifServed(observe(resource, id, context, { state, isDenied, isDeleted }));
    if (observed instanceof Unseen && !(observed.reason instanceof MissingRoute)) throw observed.reason;
    if (observed !== "gone") throw error;
  }
}

/** Whether the error of a delete request may mean that the object is already gone. Only reading the object can tell. */
function mayBeGone(error: unknown): boolean {
  const types = [MissingObject, MissingRoute, InvalidIdentifier, MalformedResponse];
  return types.some((type) => error instanceof type);
}

/**
 * Warns of the objects that still use an object to be deleted, such as the alerts of a webhook. It skips objects that this
 * Pulumi run has deleted, and waits for those that the API deletes along with another deletion of the run, so that a destroy in
 * the right order warns of nothing. All deletions of a run share one list request for each type of users.
 *
 * @returns keys of the objects that the API deletes along with the object
 */
async function warnOfUsers(resource: Resource, id: string, context: Context): Promise<readonly string[]> {
  const { session } = context;
  const along: string[] = [];
  for (const user of resource.dependents?.() ?? []) {
    const { definition, isDeletedToo } = user;
    const keyOf = (object: PropertyMap) => resourceKey(definition, String(object.id));
    const objects = await existing(user, resource.noun, context);
    const own = resourceKey(resource, id);
    const using = usersById(objects, user.members)(id).filter((object) => keyOf(object) !== own);
    const remaining = () =>
      using.filter((object) => !session.run.deleted.has(keyOf(object)) && !along.includes(keyOf(object)));
    // Resources that use this object may have the option `deletedWith`, and go when the resource that it names is deleted. The
    // engine does not wait for that before it deletes this object, so the provider does.
    if (!isDeletedToo) await session.run.untilDeleted(ownersOf(user, remaining()));
    const dependents = remaining();
    if (dependents.length === 0) continue;
    const users = `${counted(dependents.length, definition.noun)}: ${enumerated(dependents, ["id"])}`;
    session.warnOnce(
      isDeletedToo
        ? `with ${resource.noun} ${id} the service deletes ${users}`
        : `${resource.noun} ${id} is still used by ${users}. ${user.consequence}`,
    );
    if (isDeletedToo) along.push(...dependents.map(keyOf));
  }
  return along;
}

/** Keys of the objects whose deletion makes the API delete the given objects, too. */
function ownersOf(user: Dependent, objects: readonly PropertyMap[]): string[] {
  const owners = objects.flatMap((object) => user.ownersOf(object));
  return [...new Set(owners.map(({ type, id }) => resourceKey({ type }, id)))];
}

/** For each list that the API returned: the objects of the list by a property that holds ids, and by the id in it. */
const knownUsers = new WeakMap<readonly PropertyMap[], Map<string, Map<string, Set<PropertyMap>>>>();

/** Finds the objects of a list that have an id in the named properties. All deletions share one index of the list. */
function usersById(
  objects: readonly PropertyMap[],
  members: readonly string[],
): (id: string) => readonly PropertyMap[] {
  const indexes = knownUsers.get(objects) ?? new Map();
  knownUsers.set(objects, indexes);
  const name = members.join();
  const index: Map<string, Set<PropertyMap>> = indexes.get(name) ?? new Map();
  if (!indexes.has(name))
    for (const object of objects)
      for (const id of idsIn(object, members)) {
        const key = String(id).toLowerCase();
        index.set(key, (index.get(key) ?? new Set()).add(object));
      }
  indexes.set(name, index);
  return (id) => [...(index.get(id.toLowerCase()) ?? [])];
}

/** The ids that an object has in the named properties, at any depth. */
export function idsIn(object: unknown, members: readonly string[], isId = false): unknown[] {
  if (Array.isArray(object)) return object.flatMap((entry) => idsIn(entry, members, isId));
  if (!isObject(object)) return isId ? [object] : [];
  return Object.entries(object).flatMap(([name, member]) => idsIn(member, members, members.includes(name)));
}

/**
 * The objects that may use the object to be deleted. Only the service of the settings is searched, since each further service
 * would cost a request.
 */
async function existing(
  { definition: { operations, scope: kind }, isDeletedToo }: Dependent,
  noun: string,
  { session, scope }: Context,
): Promise<readonly PropertyMap[]> {
  const { list } = operations;
  const { serviceId } = session.settings;
  const place = kind === "service" ? { serviceId, ...scope } : scope;
  if (!list || (kind === "service" && place.serviceId === undefined)) return [];
  try {
    return await session.lists.read(list, place, { asOf: "creation" });
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    if (error instanceof MissingRoute) {
      const listed = session.lists.latest(list, place);
      // A server may be too old to have objects that could use the deleted one. All have those that they delete along with others.
      if (listed || !isDeletedToo) return listed ?? [];
    }
    session.warnOnce(
      `cannot tell what still uses ${plural(noun)}, and deletes them nevertheless: ${(error as Error).message}`,
    );
    return [];
  }
}
