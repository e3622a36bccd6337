import type { TypeName } from "../program";
import type { Account } from "../simulate";
import { collections, nouns } from "../world/nouns";
import type { Kind } from "../world/store";

/** A promise of the provider that a history has broken. */
export interface Violation {
  /** Short name of the promise. */
  readonly promise: string;
  /** What happened, in a sentence. */
  readonly what: string;
  /** Number of the step in which it was seen. */
  readonly step?: number;
}

export type Invariant = (account: Account) => Violation[];

const single = { QueryEndpoint: "endpoint", ServiceScaling: "service" } as const;
const collected = Object.fromEntries(collections.map((kind) => [nouns[kind].type, kind]));

export const kindOf = { ...single, ...collected } as Record<TypeName, Kind>;

/** Whether a type is one of those of which a service has many. */
export function isCollected(type: TypeName): boolean {
  return !(type in single);
}
