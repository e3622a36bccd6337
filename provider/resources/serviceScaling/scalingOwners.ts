import { Owners } from "../../lifecycle/owners";
import { perSession, type Session } from "../../lifecycle/session";
import type { Data } from "../../values/data";
import { isUnknown } from "../../values/unknown";
import { allMembers } from "./scalingRules";

type Members = readonly string[];

/** The members of a service's scaling that a `Service` declares, and those that a `ServiceScaling` does. */
const ownersOf = perSession(() => new Owners<Members, Members>());

const membersIn = (inputs: Data): Members => allMembers.filter((name) => inputs[name] !== undefined);
const shared = (one: Members, other: Members = []) => one.filter((name) => other.includes(name));

/** Notes a service that the program declares, while its id is unknown. */
export function noteComing(inputs: Data, isNew: boolean, session: Session): void {
  ownersOf(session).noteComing(membersIn(inputs), isNew);
}

/**
 * Notes the scaling members that a `Service` declares.
 *
 * @returns the members that a `ServiceScaling` of the program declares, too
 */
export function noteService(id: string, inputs: Data, session: Session): Members {
  return shared(membersIn(inputs), ownersOf(session).noteOwn(id, membersIn(inputs)));
}

/**
 * Notes the scaling members that a `ServiceScaling` declares.
 *
 * @returns the members that the `Service` declares, too, or may declare if the id of the service is unknown
 */
export function noteScaling(
  inputs: Data,
  session: Session,
): { readonly surely: Members; readonly perhaps: Members } {
  const members = membersIn(inputs);
  const id = isUnknown(inputs.serviceId) ? undefined : String(inputs.serviceId);
  const { own, coming } = ownersOf(session).noteOther(id, members);
  return { surely: shared(members, own), perhaps: shared(members, coming.flat()) };
}
