import type { Waiting } from "../../lifecycle/definition";
import type { PropertyMap } from "../../values/data";
import { isDatabase, sourceIn } from "./kinds";

/** The statuses of a pipe that has failed, which it leaves only after somebody has intervened. */
export const failed = ["Failed", "InternalError"];

const stopped = ["Stopped", "Paused"];
const stopping = ["Stopping", "Pausing"];
const beginning = ["Provisioning", "Setup"];
const working = ["Running", "Snapshot", "Modifying", "Resync", "Degraded"];
const ended = "Completed";

const all = [...beginning, ...working, ...stopping, ...stopped, ...failed, ended, "Unknown"];

/** The statuses in which a wait for the declared `state` of a pipe ends. */
export const endsOf = (wished: unknown): readonly string[] =>
  wished === "stopped" ? [...stopped, ended] : ["Running", "Snapshot", ended];

/**
 * How long the provider waits for a pipe. The vendor's own tests allow ten minutes to create one. A pipe that reads a database
 * takes longer: a service's first one also sets up what all later ones share, and only then reports tables that already exist
 * in the destination. A deletion was seen to take a quarter of an hour.
 */
export const waiting: Waiting = {
  stateMember: "state",
  created(inputs) {
    if (inputs.awaitRunning === false) return { ends: all, fails: [] };
    // The wait for a new pipe also ends if somebody has stopped it. If the program declares `stopped`, the provider stops the
    // running pipe afterwards.
    return { ends: [...endsOf("running"), ...stopped], fails: failed, suffices: ["Degraded", "Setup"] };
  },
  minutes(step, inputs) {
    if (step !== "create") return 15;
    return isDatabase(sourceIn(inputs)?.kind ?? "") ? 30 : 10;
  },
  whyFailed: (object) =>
    isDatabase(sourceIn(object)?.kind ?? "")
      ? "its page in the console tells why"
      : "the service tells why in a table: SELECT * FROM system.clickpipes_log",
};

/** Whether the status of a pipe is a transition to another one, such as `Stopping`. */
export const isOnItsWay = (state: unknown): boolean =>
  [...beginning, ...stopping, "Modifying"].includes(String(state));

/** Whether a pipe has loaded all data that it ever will load. */
export const isCompleted = (state: unknown): boolean => state === ended;

/** Whether the service changes the source of a streaming pipe only once the pipe has been stopped, since it has failed. */
export const needsStop = (state: unknown): boolean => ["Degraded", ...failed].includes(String(state));

/** Whether a pipe loads tables of its database. */
export const isLoading = (state: unknown): boolean => state === "Resync" || state === "Snapshot";

/** The input `state` that fits a pipe's status; undefined if neither value fits, or both do. */
export function wishedState(state: unknown): "running" | "stopped" | undefined {
  if ([...stopped, ...stopping].includes(String(state))) return "stopped";
  return [...beginning, ...working].includes(String(state)) ? "running" : undefined;
}

/** The input `state` to which an update brings a pipe back that it has stopped. One that has failed was meant to run. */
export const stateBefore = (state: unknown): "running" | "stopped" | undefined =>
  failed.includes(String(state)) ? "running" : wishedState(state);

export const titleOf = (id: string, { name }: PropertyMap): string =>
  typeof name === "string" ? `pipe ${id} (${name})` : `pipe ${id}`;

/** Whether a pipe is being scaled: for a while the API then shows 0 replicas, which no pipe can have. */
export const isBeingScaled = ({ replicas }: PropertyMap) => replicas === 0;
