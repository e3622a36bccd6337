import { perSession, type Session } from "../../lifecycle/session";
import type { Data } from "../../values/data";
import { isUnknown } from "../../values/unknown";
import { allMembers } from "./scalingRules";

/** The members of scalings that the resources of a program declare. */
interface Owners {
  /** Of its services, by id. */
  readonly services: Map<string, readonly string[]>;
  /** Of its scalings of services, by the id of the service. */
  readonly scalings: Map<string, readonly string[]>;
  /** Of services that are to be created, each. */
  readonly coming: (readonly string[])[];
  hasProgram: boolean;
}

const ownersOf = perSession(
  (): Owners => ({ services: new Map(), scalings: new Map(), coming: [], hasProgram: false }),
);

const membersIn = (inputs: Data) => allMembers.filter((name) => inputs[name] !== undefined);
const shared = (one: readonly string[] = [], other: readonly string[] = []) =>
  one.filter((name) => other.includes(name));

/** Notes that the program runs. The services that a refresh has noted before are those of the former program, and are forgotten. */
function beginIn(session: Session): Owners {
  const owners = ownersOf(session);
  if (!owners.hasProgram) {
    owners.services.clear();
    owners.hasProgram = true;
  }
  return owners;
}

/** Notes a service that the program declares, before its id is known. */
export function noteComing(inputs: Data, isNew: boolean, session: Session): void {
  const owners = beginIn(session);
  if (isNew) owners.coming.push(membersIn(inputs));
}

/**
 * Notes the members that a service declares of its scaling.
 *
 * @returns those that a `ServiceScaling` of the program declares, too
 */
export function noteService(id: string, inputs: Data, session: Session): readonly string[] {
  const owners = ownersOf(session);
  owners.services.set(id.toLowerCase(), membersIn(inputs));
  return shared(membersIn(inputs), owners.scalings.get(id.toLowerCase()));
}

/**
 * Notes the members that a `ServiceScaling` declares.
 *
 * @returns those that its service declares, too, or may declare where the id of the service is not known yet
 */
export function noteScaling(
  inputs: Data,
  session: Session,
): { readonly surely: readonly string[]; readonly perhaps: readonly string[] } {
  const owners = beginIn(session);
  const { serviceId } = inputs;
  if (isUnknown(serviceId)) return { surely: [], perhaps: shared(membersIn(inputs), owners.coming.flat()) };
  const key = String(serviceId).toLowerCase();
  owners.scalings.set(key, membersIn(inputs));
  return { surely: shared(membersIn(inputs), owners.services.get(key)), perhaps: [] };
}
