import { Owners } from "../../lifecycle/owners";
import { perSession, type Session } from "../../lifecycle/session";
import { type PropertyMap, pick } from "../../values/data";
import { isUnknown } from "../../values/unknown";
import { allMembers } from "./scalingRules";

type Members = readonly string[];

/**
 * Which scaling properties of a service its `Service` declares, and which a `ServiceScaling` declares. No property may be
 * declared in both.
 */
const ownersOf = perSession(() => new Owners<Members, Members>());

const membersIn = (inputs: PropertyMap): Members => allMembers.filter((name) => inputs[name] !== undefined);
const shared = (one: Members, other: Members = []) => one.filter((name) => other.includes(name));

/**
 * Records the scaling properties of a new service whose id is not known yet, for warnings about a `ServiceScaling` that may
 * declare them, too.
 */
export function noteComing(inputs: PropertyMap, isNew: boolean, session: Session): void {
  ownersOf(session).noteComing(membersIn(inputs), isNew);
}

/** @returns the properties that a `ServiceScaling` of the program also declares */
export function noteService(id: string, inputs: PropertyMap, session: Session): Members {
  return shared(membersIn(inputs), ownersOf(session).noteOwn(id, membersIn(inputs)));
}

/** @returns the properties that the `Service` also declares, or may declare if the id of the service is unknown */
export function noteScaling(
  inputs: PropertyMap,
  session: Session,
): { readonly surely: Members; readonly perhaps: Members } {
  const members = membersIn(inputs);
  const id = isUnknown(inputs.serviceId) ? undefined : String(inputs.serviceId);
  const { own, coming } = ownersOf(session).noteOther(id, members);
  return { surely: shared(members, own), perhaps: shared(members, coming.flat()) };
}

/** Records the scaling properties that the Pulumi state of a `Service` shows, which the program may move to a `ServiceScaling`. */
export function noteFormerService(id: string, state: PropertyMap, session: Session): void {
  ownersOf(session).noteFormer(id, pick(state, allMembers));
}

/** @returns the values of properties that a `ServiceScaling` declares, as the `Service` has last shown them */
export function shownByService(id: string, inputs: PropertyMap, session: Session): PropertyMap {
  return pick(ownersOf(session).formerOf(id), membersIn(inputs));
}

/** @returns the properties that the `Service` declares, as after a move from a `ServiceScaling` that is deleted */
export function membersOfService(id: string, session: Session): Members {
  return ownersOf(session).ownOf(id) ?? [];
}
