import type { TypeName } from "../program";
import type { Account } from "../simulate";
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

export const kindOf: Record<TypeName, Kind> = {
  Alert: "alerts",
  Dashboard: "dashboards",
  ApiKey: "keys",
  QueryEndpoint: "endpoint",
  ServiceScaling: "service",
};

/** Whether a type is one of those of which a service has many. */
export function isCollected(type: TypeName): boolean {
  return type === "Alert" || type === "Dashboard" || type === "ApiKey";
}
