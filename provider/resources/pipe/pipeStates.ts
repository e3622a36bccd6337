import type { Waiting } from "../../lifecycle/resource";
import type { Data } from "../../values/data";
import { isDatabase, sourceIn } from "./kinds";

/** The states of a pipe that nothing leads out of but a person. */
export const failed = ["Failed", "InternalError"];

const stopped = ["Stopped", "Paused"];
const stopping = ["Stopping", "Pausing"];
const beginning = ["Provisioning", "Setup"];
const working = ["Running", "Snapshot", "Modifying", "Resync", "Degraded"];
const ended = "Completed";

const all = [...beginning, ...working, ...stopping, ...stopped, ...failed, ended, "Unknown"];

/** The states in which a wait for what a program wishes ends. */
export const endsOf = (wished: unknown): readonly string[] =>
  wished === "stopped" ? [...stopped, ended] : ["Running", "Snapshot", ended];

/**
 * How long pipes take. The vendor's own tests give a create ten minutes. A pipe of a database takes longer: the first one of a service
 * also sets up what all later ones share, and only after that reports tables that already exist in the destination. A deletion was
 * seen to take a quarter of an hour.
 */
export const waiting: Waiting = {
  stateMember: "state",
  created(inputs) {
    if (inputs.awaitRunning === false) return { ends: all, fails: [] };
    // Somebody may have stopped it meanwhile. One that runs and shall not is stopped afterwards.
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

/** Whether a pipe is on its way to a state. */
export const isOnItsWay = (state: unknown): boolean =>
  [...beginning, ...stopping, "Modifying"].includes(String(state));

/** Whether a pipe has loaded all that it ever will. */
export const isCompleted = (state: unknown): boolean => state === ended;

/** The state that a program can wish for; undefined for one that is neither, or either. */
export function wishedState(state: unknown): "running" | "stopped" | undefined {
  if ([...stopped, ...stopping].includes(String(state))) return "stopped";
  return [...beginning, ...working].includes(String(state)) ? "running" : undefined;
}

/** What messages call a pipe: its id, with the name if that is known. */
export const titleOf = (id: string, { name }: Data): string =>
  typeof name === "string" ? `pipe ${id} (${name})` : `pipe ${id}`;
