import { nameIn } from "../../provider/engine/names";
import { isObject, momentIn } from "../../provider/values/data";
import type { RefreshStep, StateResource } from "../engine/stack";
import { managedIn } from "./findDrift";

/** An API key that ends soon, or has ended. */
export interface Expiring {
  readonly urn: string;
  readonly name: string;
  readonly id: string | undefined;
  /** The time at which the API key ends (ISO 8601), from the service. */
  readonly expireAt: string;
}

const day = 24 * 60 * 60 * 1000;

/** The API keys of a stack that end within the given number of days, the earliest first. */
export function expiringKeys(
  resources: readonly StateResource[],
  steps: readonly RefreshStep[],
  days: number,
): readonly Expiring[] {
  const ending = datedKeys(resources, steps).flatMap(({ urn, id, expireAt }) => {
    const isSoon = typeof expireAt === "string" && momentIn(expireAt) <= Date.now() + days * day;
    return isSoon ? [{ urn, name: nameIn(urn), id, expireAt }] : [];
  });
  return ending.sort((a, b) => momentIn(a.expireAt) - momentIn(b.expireAt));
}

/** A warning about API keys whose expiry the program keeps secret, so that nobody takes them for keys without an end. */
export function hiddenEnds(resources: readonly StateResource[], steps: readonly RefreshStep[]): string[] {
  const hidden = datedKeys(resources, steps).filter(
    ({ expireAt }) => isObject(expireAt) || expireAt === "[secret]",
  );
  if (hidden.length === 0) return [];
  const names = hidden.map(({ urn }) => `ApiKey ${nameIn(urn)}`).join(", ");
  return [`not known whether they end soon, since the program keeps expireAt secret: ${names}`];
}

/** The API keys of a stack that still exist, with their times of expiry in the service. */
function datedKeys(resources: readonly StateResource[], steps: readonly RefreshStep[]) {
  const keys = managedIn(resources).filter(({ type }) => type === "ApiKey");
  return keys.flatMap(({ resource: { urn, id, outputs } }) => {
    const step = steps.find((candidate) => candidate.urn === urn && !candidate.old?.delete);
    // The list of keys that end soon leaves out a key that was deleted in the service, since the report names it as drift.
    if (step && !step.new) return [];
    return [{ urn, id, expireAt: (step?.new?.outputs ?? outputs)?.expireAt }];
  });
}
