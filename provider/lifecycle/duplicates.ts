import { creationTimeOf } from "../values/age";
import { isSameId, type PropertyMap } from "../values/data";
import { createBodyOf } from "./body";
import { createTrackerOf } from "./createTracker";
import { isLike } from "./decode";
import type { Collection, Definition } from "./definition";
import { knownId } from "./run";
import { type Context, contextOf } from "./scope";
import type { Session } from "./session";

/** Milliseconds after which an existing object no longer counts as one that an interrupted update left behind. */
const day = 24 * 60 * 60_000;

/**
 * Finds existing objects that equal one about to be created, and that no resource is known to have: an update that was killed
 * may have left them behind. They are younger than a day, or of unknown age. The creates need the list of existing objects
 * anyway, so this costs no request.
 *
 * @param inputs the inputs of the objects to be created, which all belong to one organization or service
 */
export async function youngDuplicates(
  resource: Definition,
  inputs: readonly PropertyMap[],
  session: Session,
): Promise<PropertyMap[]> {
  const context = contextOf(resource, inputs[0] ?? {}, session);
  const tracker = createTrackerOf(resource as Definition & Collection, context);
  const objects = await tracker.objectsBefore();
  const isYoung = (object: PropertyMap) =>
    Math.abs(Date.now() - (creationTimeOf(object) ?? Date.now())) < day;
  const candidates = objects.filter((object) => isYoung(object) && !tracker.isHeld(object.id));
  if (candidates.length === 0) return [];
  const bodies = bodiesByName(resource, inputs, session);
  return candidates.filter((object) => {
    const alike = bodies.get(trimmedName(object)) ?? [];
    const at = alike.findIndex(
      (body) =>
        isLike(resource, object, body) || isLike(resource, object, { ...body, name: trimmedName(body) }),
    );
    // Lists mostly show objects in the order of their creation. So the next listed object is first compared with the create
    // requests after the one that this object matched.
    if (at >= 0) alike.push(...alike.splice(0, at + 1));
    return at >= 0;
  });
}

/**
 * Warns of young objects that equal one that takes minutes to start, and so is billed, and that no resource of the program has: a
 * create may have made them whose answer was lost, and which no list showed before another one was made. The latest list tells,
 * so this costs no request.
 */
export function warnOfDuplicates(
  resource: Definition,
  id: string,
  inputs: PropertyMap,
  { session, scope }: Context,
): void {
  const { list } = resource.operations;
  if (!list) return;
  const body = createBodyOf(resource, inputs, session);
  const name = trimmedName(body);
  for (const object of session.lists.latest(list, scope) ?? []) {
    const created = creationTimeOf({ createdAt: object.createdAt });
    const age = Date.now() - (created ?? Number.NaN);
    if (isSameId(object.id, id) || session.run.isHeld(resource, String(object.id))) continue;
    if (age < day && trimmedName(object) === name && isLike(resource, object, body))
      session.warnOnce(
        `${resource.noun} ${object.id} is like ${resource.noun} ${id}, and no resource of this program has it; it was created ${agoOf(age)}. It may be another stack's, or left by an update that was killed or lost an answer: if nobody uses it, delete it, since it is billed`,
      );
  }
}

/** The different bodies of create requests by name: comparing every object with every body would take too long. */
function bodiesByName(
  resource: Definition,
  inputs: readonly PropertyMap[],
  session: Session,
): Map<string, PropertyMap[]> {
  const bodies = inputs.map((values) => createBodyOf(resource, values, session));
  const byName = new Map<string, PropertyMap[]>();
  for (const body of new Map(bodies.map((body) => [JSON.stringify(body), body])).values())
    byName.set(trimmedName(body), [...(byName.get(trimmedName(body)) ?? []), body]);
  return byName;
}

/** The name of an object without blanks around it, since some servers remove them. */
function trimmedName({ name }: PropertyMap): string {
  return String(name ?? "").trim();
}

/**
 * Refuses to create an object beside a similar one. An update that was killed may have left a young one. With `--replace`,
 * `--taint`, or a renamed resource without an alias, the engine asks for a create in the place of an object that goes on
 * existing, and says nothing of that. An object that this update creates, replaces or has deleted does not count.
 *
 * @param likeness what the objects have in common, as the end of a clause: in aws eu-west-1 is also named "lake"
 * @param another what to do in order to create another object all the same
 */
export function refuseDuplicate(
  resource: Pick<Definition, "type" | "noun" | "isNamedInOrganization">,
  likes: readonly PropertyMap[],
  likeness: string,
  { session: { run }, scope }: Context,
  another = "set allowSameName: true or choose another name",
): void {
  const { noun } = resource;
  const idKnown = ({ id }: PropertyMap) => knownId(resource, String(id), scope);
  const isOfUpdate = (id: string) =>
    run.wasCreated(resource, id) || run.isReplaced(resource, id) || run.isDeleted(resource, id);
  const twin = likes.find((object) => !isOfUpdate(idKnown(object)));
  if (!twin) return;
  const created = creationTimeOf({ createdAt: twin.createdAt });
  const age = created === undefined ? undefined : Date.now() - created;
  const title = `${noun} ${twin.id} ${likeness}${age === undefined ? "" : `, and was created ${agoOf(age)}`}`;
  const origin = run.isHeld(resource, idKnown(twin))
    ? "it is in the state of this stack"
    : age !== undefined && age > day
      ? "it may be that of a resource that was renamed without the option aliases, or that the engine replaces on its own (--replace, --taint), or another stack's"
      : "an update that was killed may have left it, or it is another stack's";
  throw new Error(
    `${title}; ${origin}, so no second ${noun} was created. To take it over, declare its id as adoptId; to create a second one, ${another}`,
  );
}

function agoOf(age: number): string {
  const minutes = Math.max(0, Math.round(age / 60_000));
  if (minutes < 120) return `${minutes} min ago`;
  return minutes < 48 * 60
    ? `${Math.round(minutes / 60)} h ago`
    : `${Math.round(minutes / 60 / 24)} days ago`;
}
