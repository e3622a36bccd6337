import type { Service } from "../../api/answers.golden";
import type { Waiting } from "../../lifecycle/definition";
import type { MembersOf } from "../../values/data";

/** The states of a service that is being deleted, or has been deleted. */
export const dying = ["terminating", "terminated", "softdeleting", "softdeleted"];

/** The states of a service that has failed or is being deleted, from which it does not recover by itself. */
export const failed = ["failed", ...dying];

/** The states in which clients can use a service. */
export const usable = ["running", "idle", "partially_running"];

/** The states of a service that is starting, waking or stopping, which it leaves by itself. */
export const onItsWay = ["starting", "awaking", "stopping"];

export const stateOf = ({ state }: MembersOf<Service>): string | undefined =>
  typeof state === "string" ? state : undefined;

/**
 * How long the provider waits for services. The vendor's own tests allow half an hour to create one, and a restored backup took
 * more than 20 minutes.
 */
export const waiting: Waiting = {
  stateMember: "state",
  // The wait for a new service also ends if it is stopped, since somebody may have stopped it.
  created: () => ({
    ends: ["running", "idle", "stopped"],
    fails: failed,
    suffices: ["degraded", "partially_running"],
  }),
  minutes: (step, { backupId }) => (step !== "create" ? 20 : backupId === undefined ? 30 : 120),
};

/** The `desiredState` that fits a service's state; undefined if nothing shows whether the service will run or be stopped. */
export function wishedState(state: unknown): "running" | "stopped" | undefined {
  if (state === "stopped" || state === "stopping") return "stopped";
  const runs = [...usable, "provisioning", "starting", "awaking", "degraded"];
  return runs.includes(String(state)) ? "running" : undefined;
}
