import { ApiError, badRequest } from "../apiError";
import type { Organization } from "../records";

/** A later state of a pipe, and its time in milliseconds since 1970. With the state `Gone` the pipe is deleted. */
export interface PipeStep {
  state: string;
  at: number;
}

export interface PipeLifecycle {
  state: string;
  /** The states into which the pipe will pass, in their order; absent if there are none. */
  steps?: PipeStep[];
}

export type PipeCommand = "start" | "stop" | "resync";

/** The databases that can be the source of a pipe, with the names that messages give them. */
export const databases: { readonly [kind: string]: string } = {
  ...{ postgres: "Postgres", mysql: "MySQL", mongodb: "MongoDB", bigquery: "BigQuery" },
};

const isDatabase = (kind: string) => kind in databases;

/** Makes the lifecycle of a pipe that passes through states, one after each `duration`. */
const after = (states: readonly string[], now: number, duration: number): PipeLifecycle => {
  const [state = "Unknown", ...coming] = states;
  const steps = coming.map((each, index) => ({ state: each, at: now + duration * (index + 1) }));
  return { state, ...(steps.length > 0 && { steps }) };
};

/** Makes the lifecycle of a pipe that is created now: its states until it runs or fails. */
export function createdPipe(
  kind: string,
  { isOnce, isPaused, isBlocked }: { isOnce: boolean; isPaused: boolean; isBlocked: boolean },
  { provisioning = "works" }: Organization,
  now: number,
  duration: number,
): PipeLifecycle {
  if (provisioning === "hangs") return { state: "Provisioning" };
  const end = isOnce ? "Completed" : isPaused ? "Stopped" : "Running";
  const begun = isDatabase(kind) ? ["Provisioning", "Setup"] : ["Provisioning"];
  if (provisioning === "fails" || isBlocked) return after([...begun, "Failed"], now, duration);
  return after([...begun, ...(isDatabase(kind) ? ["Snapshot"] : []), end], now, duration);
}

/**
 * Makes the lifecycle of a pipe after a command (start, stop or resync). A command without effect keeps the lifecycle.
 * @throws ApiError 400 if the pipe's state or kind does not allow the command
 */
export function commandedPipe(
  pipe: PipeLifecycle,
  kind: string,
  command: PipeCommand,
  now: number,
  duration: number,
): PipeLifecycle {
  const { state } = pipe;
  if (command === "resync") {
    if (kind !== "postgres" && kind !== "mysql")
      throw badRequest(`resync is not supported for ${databases[kind] ?? kind} ClickPipes`);
    return after(["Resync", "Snapshot", "Running"], now, duration);
  }
  if (command === "stop") {
    if (["Stopped", "Stopping", "Paused", "Pausing", "Completed"].includes(state)) return pipe;
    return after(isDatabase(kind) ? ["Pausing", "Paused"] : ["Stopping", "Stopped"], now, duration);
  }
  if (!["Stopped", "Paused", "Failed"].includes(state))
    throw badRequest(
      ["Running", "Provisioning", "Setup", "Snapshot", "Modifying", "Resync"].includes(state)
        ? "ClickPipe is already running"
        : `ClickPipe cannot be started. Current state: ${state}`,
    );
  // After the command to start, a pipe keeps its old state for a while, as in ClickHouse Cloud.
  return after([state, ...(isDatabase(kind) ? [] : ["Provisioning"]), "Running"], now, duration);
}

/**
 * Makes the lifecycle of a pipe after a change of its source, columns or mappings.
 * @throws ApiError if the pipe's state does not allow the change
 */
export function changedPipe(
  pipe: PipeLifecycle,
  kind: string,
  { editsTables, addsTables }: { editsTables: boolean; addsTables: boolean },
  now: number,
  duration: number,
): PipeLifecycle {
  const { state } = pipe;
  if (!isDatabase(kind)) {
    if (state !== "Running" && state !== "Stopped")
      throw new ApiError(409, `ClickPipe cannot be updated. Current state: ${state}`);
    return state === "Running" ? after(["Provisioning", "Running"], now, duration) : pipe;
  }
  if (!editsTables) return pipe;
  if (state !== "Paused") throw badRequest(`${databases[kind]} ClickPipe must be paused to edit`);
  // After a change of a pipe's tables, ClickHouse Cloud starts the pipe again by itself.
  return after(["Modifying", ...(addsTables ? ["Snapshot"] : []), "Running"], now, duration);
}

/** Makes the lifecycle of a pipe that is deleted now. Its deletion ends long after the response. */
export const deletedPipe = (pipe: PipeLifecycle, now: number, duration: number): PipeLifecycle => ({
  state: pipe.state,
  steps: [{ state: "Gone", at: now + 2 * duration }],
});
