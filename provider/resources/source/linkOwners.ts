import { Owners } from "../../lifecycle/owners";
import { perSession, type Session } from "../../lifecycle/session";
import { type State, trackingOf, withTracking } from "../../lifecycle/state";
import { type PropertyMap, pick } from "../../values/data";

/** The properties with which data sources refer to each other. The kind of a source determines which of them it may have. */
export const linkNames: readonly string[] = [
  "logSourceId",
  "traceSourceId",
  "metricSourceId",
  "sessionSourceId",
];

type Members = readonly string[];

/** Which links of a data source its `Source` declares, and which a `SourceLinks` declares. No link may be declared in both. */
const ownersOf = perSession(() => new Owners<Members, Members>());

const linksIn = (inputs: PropertyMap): Members => linkNames.filter((name) => inputs[name] !== undefined);
const shared = (one: Members, other: Members = []) => one.filter((name) => other.includes(name));

/** Records that the program declares a data source, whose id a check does not know. */
export function noteSourceOfProgram(inputs: PropertyMap, isNew: boolean, session: Session): void {
  ownersOf(session).noteComing(linksIn(inputs), isNew);
}

/** @returns the links that a `SourceLinks` of the program also declares */
export function noteSource(id: string, inputs: PropertyMap, session: Session): Members {
  return shared(linksIn(inputs), ownersOf(session).noteOwn(id, linksIn(inputs)));
}

/** Records the links that the Pulumi state of a `Source` shows, which the program may move to a `SourceLinks`. */
export function noteFormerSource(id: string, state: PropertyMap, session: Session): void {
  ownersOf(session).noteFormer(id, pick(state, linkNames));
}

/** @returns the values of links that a `SourceLinks` declares, as the `Source` has last shown them */
export function shownBySource(id: string, inputs: PropertyMap, session: Session): PropertyMap {
  return pick(ownersOf(session).formerOf(id), linksIn(inputs));
}

/** @returns the links that a `SourceLinks` of the program declares of a source, as far as this run has checked it */
export function linksOfOthers(id: string, session: Session): Members {
  return ownersOf(session).otherOf(id) ?? [];
}

/** @returns the links that the `Source` of the program also declares */
export function noteLinks(id: string, inputs: PropertyMap, session: Session): Members {
  return shared(linksIn(inputs), ownersOf(session).noteOther(id, linksIn(inputs)).own);
}

/** @returns the links that the `Source` of the program declares, as far as this run has compared it */
export function linksOfSource(id: string, session: Session): Members {
  return ownersOf(session).ownOf(id) ?? [];
}

/** The Pulumi state as if it had none of some links, so that nothing becomes of these. */
export function withoutLinks(state: State, names: Members): State {
  const { attempted, ...tracking } = trackingOf(state);
  const left = attempted && without(attempted, names);
  return withTracking(without(state, names), { ...tracking, attempted: left });
}

const without = <Value>(values: { readonly [name: string]: Value }, names: Members) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
