import type { Fault, OperationName, Sandbox } from "../../../sandbox/index";
import { leavesNothingBehind } from "../../promises/creations";
import { type Violation, violationsIn } from "../../promises/promise";
import { brokenIn } from "../../promises/promises";
import { differencesOf } from "./differences";
import { Service } from "./faultyService";
import type { Setup, Step } from "./step";
import type { Duration, Variant } from "./variants";

/** A request of a step of the fault matrix, to which a fault can happen. */
export interface Call {
  readonly operation: OperationName;
  readonly api: "management" | "observability";
  /** The position of the request among the step's requests of the same operation, from 1. */
  readonly nth: number;
  /** The position of the request among all requests of the step to its API, from 1. */
  readonly position: number;
}

export async function callsOf(step: Step, sandbox: Sandbox): Promise<Call[]> {
  const attempt = await step.begin(await reset(sandbox, step.setup));
  sandbox.requests.length = 0;
  if (step.after) await sandbox.faults.set([step.after]);
  const { outcome } = await attempt.run();
  if (outcome.errors.length > 0 !== (step.endsInError ?? false))
    throw new Error(`${step.table}, ${step.name}: ${outcome.errors.join() || "ends in no error"}`);
  const requests = [...sandbox.requests];
  const first = requests.findIndex(({ fault }) => fault !== undefined) + 1;
  return requests.flatMap(({ operation, api }, index) => {
    if (operation === undefined || index < first) return [];
    const before = requests.slice(0, index + 1);
    const nth = before.filter((entry) => entry.operation === operation).length;
    const position = before.filter((entry) => entry.api === api).length;
    return [{ operation, api, nth, position }];
  });
}

export async function reset(sandbox: Sandbox, setup: Setup | undefined): Promise<Service> {
  await sandbox.faults.clear();
  await sandbox.reset();
  return new Service(sandbox, setup?.settings ?? {}, differencesOf);
}

/**
 * Runs one cell of the fault matrix: a step with a fault at one of its requests. Removes the fault, and runs what the next
 * `pulumi up` would.
 * @returns the promises (rules) that the provider broke
 */
export async function runCell(
  sandbox: Sandbox,
  step: Step,
  call: Call,
  variant: Variant,
  duration: Duration,
): Promise<readonly Violation[]> {
  const service = await reset(sandbox, step.setup);
  const { recorder } = service;
  const attempt = await step.begin(service);
  sandbox.requests.length = 0;
  await sandbox.faults.set([faultOf(call, variant, duration), ...(step.after ? [step.after] : [])]);
  await attempt.run();
  const brokenAtOnce = [...idle(sandbox), ...violationsIn(recorder.account(), [leavesNothingBehind])];
  await sandbox.faults.clear();
  // The provider concludes from lists alone that an object is gone only if the object is some minutes old, so time passes
  // before the next update.
  if (variant.fault.kind === "ignored") await new Promise((resolve) => setTimeout(resolve, 200_000));
  await attempt.again();
  return [...brokenAtOnce, ...brokenIn(recorder.account())];
}

/** Returns a violation if the fault did not happen, since the cell of the fault matrix then proves nothing. */
export function idle({ faults }: Sandbox): Violation[] {
  const [{ injected } = { injected: 0 }] = faults.list();
  return injected > 0 ? [] : [{ promise: "happens", what: "the fault did not happen" }];
}

export function faultOf(call: Call, { fault }: Variant, duration: Duration): Fault {
  const { operation, api, nth, position } = call;
  if (fault.kind === "refused" || fault.kind === "certificate") {
    // The sandbox closes its port for so short a time that the port is open when the client repeats the request. So the client
    // meets a refused connection only once.
    const milliseconds = fault.kind === "refused" && duration === "once" ? { milliseconds: 100 } : {};
    return { ...fault, ...milliseconds, operation: "*", api, nth: position };
  }
  if (duration === "once") return { ...fault, operation, api, nth };
  return { ...fault, operation, api, from: nth };
}
