import { perSession, type Session } from "../../lifecycle/session";
import type { Data } from "../../values/data";
import { isUnknown } from "../../values/unknown";
import { allMembers } from "./scalingRules";

/**
 * Records which members of a service's scaling the resources of a program declare, since `Service` and `ServiceScaling`
 * can both do so.
 */
interface Owners {
  /** The members that `Service` resources declare, by the service's id. */
  readonly services: Map<string, readonly string[]>;
  /** The members that `ServiceScaling` resources declare, by the service's id. */
  readonly scalings: Map<string, readonly string[]>;
  /** The members that each service declares which is yet to be created. */
  readonly coming: (readonly string[])[];
  hasProgram: boolean;
}

const ownersOf = perSession(
  (): Owners => ({ services: new Map(), scalings: new Map(), coming: [], hasProgram: false }),
);

const membersIn = (inputs: Data) => allMembers.filter((name) => inputs[name] !== undefined);
const shared = (one: readonly string[] = [], other: readonly string[] = []) =>
  one.filter((name) => other.includes(name));

/**
 * Notes that the program runs, and forgets the services that a refresh has noted, since they describe the former
 * program.
 */
function beginIn(session: Session): Owners {
  const owners = ownersOf(session);
  if (!owners.hasProgram) {
    owners.services.clear();
    owners.hasProgram = true;
  }
  return owners;
}

/** Notes a service that the program declares, while its id is unknown. */
export function noteComing(inputs: Data, isNew: boolean, session: Session): void {
  const owners = beginIn(session);
  if (isNew) owners.coming.push(membersIn(inputs));
}

/**
 * Notes the scaling members that a `Service` declares.
 *
 * @returns the members that a `ServiceScaling` of the program declares, too
 */
export function noteService(id: string, inputs: Data, session: Session): readonly string[] {
  const owners = ownersOf(session);
  owners.services.set(id.toLowerCase(), membersIn(inputs));
  return shared(membersIn(inputs), owners.scalings.get(id.toLowerCase()));
}

/**
 * Notes the scaling members that a `ServiceScaling` declares.
 *
 * @returns the members that the `Service` declares, too, or may declare if the id of the service is unknown
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
