import { creationTimeOf } from "../values/age";
import type { Data } from "../values/data";
import { ledgerOf } from "./ledger";
import type { Collection, Definition } from "./resource";
import { contextOf } from "./scope";
import type { Session } from "./session";
import { declaredIn, sentPart } from "./state";
import { isLike } from "./way";

/** Milliseconds after which an equal object is no longer taken for the rest of an update. */
const day = 24 * 60 * 60_000;

/**
 * The objects that equal one of those which are about to be created, and that no resource is known to have: those younger
 * than a day, and those of which the service tells no age. Costs no request: the creates themselves need the list.
 *
 * @param inputs those of the objects to be created, all in one place
 */
export async function youngTwins(
  resource: Definition,
  inputs: readonly Data[],
  session: Session,
): Promise<Data[]> {
  const context = contextOf(resource, inputs[0] ?? {}, session);
  const ledger = ledgerOf(resource as Definition & Collection, context);
  const objects = await ledger.objectsBefore();
  const isYoung = (object: Data) => Math.abs(Date.now() - (creationTimeOf(object) ?? Date.now())) < day;
  const candidates = objects.filter((object) => isYoung(object) && !ledger.isHeld(object.id));
  if (candidates.length === 0) return [];
  const bodies = bodiesByName(resource, inputs, session);
  return candidates.filter((object) => {
    const alike = bodies.get(nameOf(object)) ?? [];
    const at = alike.findIndex((body) => isLike(resource, object, body));
    // Lists mostly have them in the order in which they were made: the next one is like the next body.
    if (at >= 0) alike.push(...alike.splice(0, at + 1));
    return at >= 0;
  });
}

/** The different bodies, by the names of their objects: to compare all with all takes too long. */
function bodiesByName(resource: Definition, inputs: readonly Data[], session: Session): Map<string, Data[]> {
  const bodies = inputs.map((values) => {
    const desired = sentPart(resource, declaredIn(resource, values));
    return resource.encode?.(desired, session.settings) ?? desired;
  });
  const byName = new Map<string, Data[]>();
  for (const body of new Map(bodies.map((body) => [JSON.stringify(body), body])).values())
    byName.set(nameOf(body), [...(byName.get(nameOf(body)) ?? []), body]);
  return byName;
}

/** A service may trim names. */
function nameOf({ name }: Data): string {
  return String(name ?? "").trim();
}
