import { Owners } from "../../lifecycle/owners";
import { perSession, type Session } from "../../lifecycle/session";
import type { PropertyMap } from "../../values/data";

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

/** The links that the `Source` of each data source declared before this update. */
const formerLinksOf = perSession(() => new Map<string, Members>());

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

/** Records the links in the Pulumi state of a `Source`, which the program may move to a `SourceLinks`. */
export function noteFormerSource(id: string, state: PropertyMap, session: Session): void {
  formerLinksOf(session).set(id.toLowerCase(), linksIn(state));
}

/** @returns the links among those that a `SourceLinks` declares which the program has moved there from the `Source` */
export function movedFromSource(id: string, inputs: PropertyMap, session: Session): Members {
  return shared(linksIn(inputs), formerLinksOf(session).get(id.toLowerCase()));
}

/** @returns the links that the `Source` of the program also declares */
export function noteLinks(id: string, inputs: PropertyMap, session: Session): Members {
  return shared(linksIn(inputs), ownersOf(session).noteOther(id, linksIn(inputs)).own);
}

/** @returns the links among those in the Pulumi state of a `SourceLinks` that the program has moved to the `Source` */
export function movedToSource(id: string, state: PropertyMap, session: Session): Members {
  return shared(linksIn(state), ownersOf(session).ownOf(id));
}
