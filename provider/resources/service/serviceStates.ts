import type { Waiting } from "../../lifecycle/resource";
import type { Data } from "../../values/data";

/** The states of a service that is being deleted, or has been. */
export const dying = ["terminating", "terminated", "softdeleting", "softdeleted"];

/** The states of a service that nothing leads out of but a person. */
export const failed = ["failed", ...dying];

/** The states in which a service can be used. */
export const usable = ["running", "idle", "partially_running"];

/** The states that a service leaves by itself, after somebody has started, woken or stopped it. */
export const onItsWay = ["starting", "awaking", "stopping"];

/** The state of a service as an answer shows it; undefined if it shows none. */
export const stateOf = ({ state }: Data): string | undefined =>
  typeof state === "string" ? state : undefined;

/** What messages call a service: its id, with the name if that is known. */
export const titleOf = (id: string, { name }: Data): string =>
  typeof name === "string" ? `service ${id} (${name})` : `service ${id}`;

/** How long services take: the vendor's own tests give a create half an hour, and restores took more than 20 minutes. */
export const waiting: Waiting = {
  stateMember: "state",
  // Somebody may have stopped it meanwhile.
  created: () => ({
    ends: ["running", "idle", "stopped"],
    fails: failed,
    suffices: ["degraded", "partially_running"],
  }),
  minutes: (step, { backupId }) => (step !== "create" ? 20 : backupId === undefined ? 30 : 120),
};

/** The state that a program can wish for; undefined for one of which nothing tells what comes of it. */
export function wishedState(state: unknown): "running" | "stopped" | undefined {
  if (state === "stopped" || state === "stopping") return "stopped";
  const runs = [...usable, "provisioning", "starting", "awaking", "degraded"];
  return runs.includes(String(state)) ? "running" : undefined;
}
