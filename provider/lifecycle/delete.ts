import {
  Interrupted,
  InvalidIdentifier,
  MalformedResponse,
  MissingObject,
  MissingRoute,
} from "../api/errors";
import { type Data, isObject, pick } from "../values/data";
import { counted, enumerated, plural } from "../values/wording";
import { deletionsOf, isDeletedByRun, isReplaced } from "./deletions";
import { hasGoneWithService } from "./goneServices";
import { ifServed, namesOf, observe } from "./observe";
import { type Definition, type Resource, resourceKey, type User } from "./resource";
import { type Context, contextOf } from "./scope";
import type { Session } from "./session";
import { declaredIn, type State, trackingOf, Unseen } from "./state";

/**
 * Deletes an object, after a warning of the objects that still use it, unless the program still declares it. The engine
 * creates a renamed resource before it deletes the old one, and both are the same object: an adopted one, or the one that the
 * creation was answered with, or found in a list.
 *
 * @param isDeclared whether the program of this run names the object, or another resource has it
 */
export async function deleteUnlessDeclared<Inputs extends object>(
  resource: Resource<Inputs>,
  id: string,
  state: State,
  session: Session,
  isDeclared: boolean,
): Promise<void> {
  if (!isDeclared || isReplaced(resource, id, session)) {
    const key = resourceKey(resource, id);
    const deletions = deletionsOf(session);
    await deletions.run(key, async () => {
      const deletedAlong = await warnOfUsers(resource, id, contextOf(resource, state, session));
      await resource.delete(id, state, session).catch(async (error) => {
        if (!(await hasGoneWithService(resource, state, error, session))) throw error;
      });
      for (const gone of [key, ...deletedAlong]) deletions.done.add(gone);
    });
    return;
  }
  session.warnOnce(
    `${resource.type} ${id} is not deleted, since the program still declares it; if you renamed the resource, use the option "aliases"`,
  );
  // The replacement already recorded the changed values as its `previous`.
  const { previous } = trackingOf(state);
  const replaced = pick(previous ?? {}, Object.keys(declaredIn(resource, state)));
  if (Object.keys(replaced).length === 0) return;
  const lost = JSON.stringify(replaced);
  session.warnOnce(`${resource.type} ${id}: destroying it will not restore its previous values ${lost}`);
}

/** Deletes an object; succeeds if it is already gone. An object without an operation for it stays as it is. */
export async function deleteObject<Inputs extends object>(
  resource: Definition<Inputs>,
  id: string,
  state: State,
  session: Session,
): Promise<void> {
  const operation = resource.operations.delete;
  if (!operation) return;
  const context = contextOf(resource, state, session);
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
    // The service deletes an alert with its tile, and says so at once, whatever lists and other reads show yet.
    if (isDenied && (await resource.isDeletedAlong?.(state, context, isDenied))) return;
    // A repeated request does not find the object that the lost one before it has deleted.
    const isDeleted = isDenied && (requests > 1 || isDeletedByRun(resource, id, session));
    const observed = await ifServed(observe(resource, id, context, { state, isDenied, isDeleted }));
    if (observed instanceof Unseen && !(observed.reason instanceof MissingRoute)) throw observed.reason;
    if (observed !== "gone") throw error;
  }
}

/** Whether a deletion failed in a way that may mean that the object is gone, or something else entirely: a look tells. */
function mayBeGone(error: unknown): boolean {
  const types = [MissingObject, MissingRoute, InvalidIdentifier, MalformedResponse];
  return types.some((type) => error instanceof type);
}

/**
 * Warns of the objects that still use one that is about to be deleted. Those that this run has deleted before do not
 * count, so a destroy in the right order names none, and those that go with another object of this run are waited for.
 * Costs one list of each using type for all deletions of a run.
 *
 * @returns keys of the objects that the service deletes with it
 */
async function warnOfUsers<Inputs extends object>(
  resource: Definition<Inputs>,
  id: string,
  context: Context,
): Promise<readonly string[]> {
  const { session } = context;
  const deletions = deletionsOf(session);
  const along: string[] = [];
  for (const user of resource.users?.() ?? []) {
    const { definition, isDeletedToo } = user;
    const keyOf = (object: Data) => resourceKey(definition, String(object.id));
    const objects = await existing(definition, resource.noun, context);
    const own = resourceKey(resource, id);
    const using = usersById(objects, user.members)(id).filter((object) => keyOf(object) !== own);
    const remaining = () =>
      using.filter((object) => !deletions.done.has(keyOf(object)) && !along.includes(keyOf(object)));
    // The engine leaves objects to the service that have the option deletedWith, and waits for none of them.
    if (!isDeletedToo) await deletions.waitFor(ownersOf(definition, remaining()), session);
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

/** Keys of the objects with which the service deletes these. */
function ownersOf({ goesWith }: User["definition"], objects: readonly Data[]): string[] {
  const owners = objects.flatMap((object) => goesWith?.(object) ?? []);
  return [...new Set(owners.map(({ type, id }) => resourceKey({ type }, id)))];
}

/** Objects of lists by the ids in some of their members, by these members. */
const knownUsers = new WeakMap<readonly Data[], Map<string, Map<string, Set<Data>>>>();

/** The objects of a list that have an id in these members; looked for once for all deletions that the list serves. */
function usersById(objects: readonly Data[], members: readonly string[]): (id: string) => readonly Data[] {
  const indexes = knownUsers.get(objects) ?? new Map();
  knownUsers.set(objects, indexes);
  const name = members.join();
  const index: Map<string, Set<Data>> = indexes.get(name) ?? new Map();
  if (!indexes.has(name))
    for (const object of objects)
      for (const id of idsIn(object, members)) {
        const key = String(id).toLowerCase();
        index.set(key, (index.get(key) ?? new Set()).add(object));
      }
  indexes.set(name, index);
  return (id) => [...(index.get(id.toLowerCase()) ?? [])];
}

/** The ids in these members of an object, as a service answers it. */
export function idsIn(object: unknown, members: readonly string[], isId = false): unknown[] {
  if (Array.isArray(object)) return object.flatMap((entry) => idsIn(entry, members, isId));
  if (!isObject(object)) return isId ? [object] : [];
  return Object.entries(object).flatMap(([name, member]) => idsIn(member, members, members.includes(name)));
}

/**
 * The objects that may use others; none where there is no list of them. Those of services that use an object of the
 * organization are looked for on the service of the settings: each further one would cost a request.
 */
async function existing(
  { operations: { list }, scope: kind }: User["definition"],
  noun: string,
  { session, scope }: Context,
): Promise<readonly Data[]> {
  const { serviceId } = session.settings;
  const place = kind === "service" ? { serviceId, ...scope } : scope;
  if (!list || (kind === "service" && place.serviceId === undefined)) return [];
  try {
    return await session.lists.read(list, place, { asOf: "creation" });
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    // A server that is too old for them has none.
    if (error instanceof MissingRoute) return [];
    session.warnOnce(`cannot tell what still uses ${plural(noun)}: ${(error as Error).message}`);
    return [];
  }
}
