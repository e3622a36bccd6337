import { ApiError } from "../apiError";

export type ServiceState =
  | ("provisioning" | "starting" | "running" | "partially_running" | "idle" | "awaking" | "stopping")
  | ("stopped" | "degraded" | "failed" | "terminating" | "terminated" | "softdeleting" | "softdeleted");

export type StateCommand = "start" | "stop" | "awake";

interface Step {
  state: ServiceState;
  /** The time at which a service enters one of its later states, in milliseconds since 1970. */
  at: number;
}

/** The state of a service, and the states into which it will pass. In the dialect `neutral`, services have no states. */
export interface Lifecycle {
  /** The service's state; absent if the service runs. */
  state?: ServiceState;
  /** When the service entered its state, in milliseconds since 1970. */
  since?: number;
  /** The states into which the service will pass, in their order; absent if there are none. */
  steps?: Step[];
}

/** The position of a service in its warehouse, a group of services that share their data. */
interface InWarehouse {
  readonly isPrimary: boolean;
  readonly dataWarehouseId: string;
}

/**
 * The number of state changes until a new service runs, if it is empty or restored from a backup. It determines how long the
 * creation takes.
 */
const stepsToProvision = { empty: 3, restored: 10 };

/** The states in which ClickHouse Cloud allows the deletion of a service, in the order of its error message. */
const deletable: readonly ServiceState[] = [
  ...(["provisioning", "starting", "awaking", "idle", "stopped", "degraded", "failed"] as const),
];

/** The outcome of creating services in the sandbox: the creation works, fails, or never ends. */
export type Provisioning = "works" | "fails" | "hangs";

export const stateOf = ({ state = "running" }: Lifecycle): ServiceState => state;

/** Makes the lifecycle of a service that is created now: its states until it runs or fails. */
export function provisioned(
  now: number,
  duration: number,
  { isRestored, outcome = "works" }: { readonly isRestored: boolean; readonly outcome?: Provisioning },
): Lifecycle {
  const at = now + duration * stepsToProvision[isRestored ? "restored" : "empty"];
  const begun: Lifecycle = { state: "provisioning", since: now };
  if (outcome === "hangs") return begun;
  return { ...begun, steps: [{ state: outcome === "fails" ? "failed" : "running", at }] };
}

const commands: {
  readonly [command in StateCommand]: {
    readonly from: readonly ServiceState[];
    readonly through: ServiceState;
    readonly to: ServiceState;
  };
} = {
  start: { from: ["stopped"], through: "starting", to: "running" },
  stop: { from: ["running", "partially_running", "idle", "degraded"], through: "stopping", to: "stopped" },
  awake: { from: ["idle"], through: "awaking", to: "running" },
};

/**
 * Makes the lifecycle of a service after a command. The command `awake` does nothing if the service is not idle.
 * @throws ApiError 409 if the service's state does not allow the command
 */
export function commanded(
  service: Lifecycle,
  command: StateCommand,
  now: number,
  duration: number,
): Lifecycle {
  const { from, through, to } = commands[command];
  const state = stateOf(service);
  if (from.includes(state)) return { state: through, since: now, steps: [{ state: to, at: now + duration }] };
  if (command === "awake") return { state, since: service.since, steps: service.steps };
  throw new ApiError(
    409,
    `Only instance in one of the following states: ${quoted(from)} can be ${command === "stop" ? "stopped" : "started"}. Current state: '${state}'`,
  );
}

/**
 * Makes the lifecycle of a service that is deleted now.
 * @throws ApiError 409 if the service's state does not allow its deletion, which also holds shortly after it has stopped, or if it is the first of a warehouse with further services
 */
export function terminated(
  service: Lifecycle & InWarehouse,
  others: readonly InWarehouse[],
  now: number,
  duration: number,
): Lifecycle {
  const state = stateOf(service);
  const isSettling = state === "stopped" && now < (service.since ?? 0) + duration;
  if (!deletable.includes(state) || isSettling)
    throw new ApiError(
      409,
      `Only instance in one of the following states: ${quoted(deletable)} can be terminated. Current state: '${isSettling ? "stopping" : state}'`,
    );
  if (service.isPrimary && others.some(({ dataWarehouseId }) => dataWarehouseId === service.dataWarehouseId))
    throw new ApiError(
      409,
      "The primary service of a warehouse can be deleted only after its other services",
    );
  return {
    state: "terminating",
    since: now,
    steps: [{ state: "terminated", at: now + 2 * duration }],
  };
}

const quoted = (states: readonly ServiceState[]) => states.map((state) => `'${state}'`).join(",");

/**
 * Checks that a service runs, for a request that needs a running service.
 * @throws ApiError 424 if the service does not run
 */
export function mustRun(service: Lifecycle | undefined): void {
  const state = service ? stateOf(service) : "running";
  if (!["running", "partially_running"].includes(state))
    throw new ApiError(424, `the service must be running. Current state: '${state}'`);
}
