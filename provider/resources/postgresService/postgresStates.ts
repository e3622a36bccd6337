import type { Collection, Definition, Waiting } from "../../lifecycle/definition";

export type PostgresDefinition = Definition & Collection;

/** The states of a Postgres service from which it does not come back. */
export const failed = ["deleting"];

/** How long the provider waits for Postgres services. Read replicas and restored ones read the data of another one first. */
export const postgresWaiting: Waiting = {
  stateMember: "state",
  created: () => ({ ends: ["running"], fails: failed, suffices: ["unavailable"] }),
  minutes: (step, { readReplicaOf, restoreOf }) =>
    step === "create" && (readReplicaOf ?? restoreOf) !== undefined ? 120 : 30,
};
