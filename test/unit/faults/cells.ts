import { setTimeout as pause } from "node:timers/promises";
import { plainly } from "../../../provider/hosts/dynamic/plainErrors";
import type { Fault, OperationName, Sandbox } from "../../../sandbox/index";
import { leaksOf, secretsOf } from "../../secrets";
import { Service } from "./service";
import type { Duration, Run, Setup, Step } from "./step";
import type { Variant } from "./variants";

/** A call that a step makes. */
export interface Call {
  readonly operation: OperationName;
  readonly api: "management" | "observability";
  /** Which call of the operation it is, from 1. */
  readonly nth: number;
  /** Which request to the API it is, from 1. */
  readonly position: number;
}

/** What came of a step in which a fault happened. */
export interface Outcome {
  /**
   * `done`: the step did what it should. `error`: it failed, and the next `pulumi up` put everything right. `named`: the
   * same, but for an object that the error or a warning named. `unseen`: a warning said that drift cannot be detected.
   */
  readonly result: "done" | "error" | "named" | "unseen";
  readonly error?: string;
  /** What should not be. */
  readonly shortfalls: readonly string[];
}

/** The calls that a step makes where the fault of a cell has not happened yet. */
export async function callsOf(step: Step, sandbox: Sandbox): Promise<Call[]> {
  const service = await reset(sandbox, step.setup);
  const run = await step.begin(service);
  sandbox.requests.length = 0;
  if (step.after) await sandbox.faults.set([step.after]);
  const { error } = await settle(run.attempt());
  if (error && !step.endsInError) throw error;
  if (!error && step.endsInError) throw new Error(`${step.table}, ${step.name}: ends in no error`);
  const made = [...sandbox.requests];
  const first = made.findIndex(({ fault }) => fault !== undefined) + 1;
  return made.flatMap(({ operation, api }, index) => {
    if (operation === undefined || index < first) return [];
    const before = made.slice(0, index + 1);
    const nth = before.filter((entry) => entry.operation === operation).length;
    const position = before.filter((entry) => entry.api === api).length;
    return [{ operation, api, nth, position }];
  });
}

/** A service in which nothing has happened yet, as the setup asks for. */
export async function reset(sandbox: Sandbox, setup: Setup | undefined): Promise<Service> {
  await sandbox.faults.clear();
  await sandbox.reset();
  return new Service(sandbox, setup?.settings ?? {});
}

/** Does a step in which a fault happens to one of its calls, clears the fault, and does what the next `pulumi up` would. */
export async function runCell(
  sandbox: Sandbox,
  step: Step,
  call: Call,
  variant: Variant,
  duration: Duration,
): Promise<Outcome> {
  const service = await reset(sandbox, step.setup);
  const run = await step.begin(service);
  sandbox.requests.length = 0;
  const faults = [faultOf(call, variant, duration), ...(step.after ? [step.after] : [])];
  await sandbox.faults.set(faults);
  const attempt = await settle(run.attempt());
  await delaysAreOver(sandbox);
  const [{ injected } = { injected: 0 }] = sandbox.faults.list();
  await sandbox.faults.clear();
  // What lists alone show is believed to be gone some minutes after its creation.
  if (variant.fault.kind === "ignored") await minutesPass();
  const again = await settle(run.again());
  const strays = run.strays();
  const error = attempt.error;
  const words = [error?.message ?? "", ...service.told].join("\n");
  const unnamed = strays.filter((id) => !isNamed(words, id, run));
  const shortfalls = [
    ...(injected > 0 ? [] : ["the fault did not happen"]),
    ...(attempt.value ?? []),
    ...(again.error ? [`the next up fails: ${again.error.message}`] : []),
    ...unnamed.map((id) => `${id} is forgotten`),
    ...run.problems(),
    ...(error ? faultsOfError(error) : []),
    ...leaks(service, run.secrets(), [error, again.error]),
  ];
  const isUnseen = service.told.some((text) => text.includes("drift cannot be detected"));
  const result = strays.length > 0 ? "named" : error ? "error" : isUnseen ? "unseen" : "done";
  return { result, ...(error && { error: error.message }), shortfalls };
}

/** In virtual time. */
async function minutesPass(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 200_000));
}

export function faultOf(call: Call, { fault }: Variant, duration: Duration): Fault {
  const { operation, api, nth, position } = call;
  if (fault.kind === "refused" || fault.kind === "certificate") {
    // What one call meets is over before it is repeated.
    const milliseconds = fault.kind === "refused" && duration === "once" ? { milliseconds: 100 } : {};
    return { ...fault, ...milliseconds, operation: "*", api, nth: position };
  }
  if (duration === "once") return { ...fault, operation, api, nth };
  return { ...fault, operation, api, from: nth };
}

export async function settle<Value>(promise: Promise<Value>): Promise<{ value?: Value; error?: Error }> {
  try {
    return { value: await plainly(() => promise) };
  } catch (error) {
    return { error: error as Error };
  }
}

/** Until every request that was delayed has been carried out, though nobody waits for it any more. */
export async function delaysAreOver({ faults, requests }: Sandbox): Promise<void> {
  const delayed = () => requests.filter(({ fault }) => fault === "delay").length;
  const deadline = Date.now() + 60_000;
  while (faults.list().some(({ fault, injected }) => fault.kind === "delay" && injected > delayed())) {
    if (Date.now() > deadline) throw new Error("a delayed request was not carried out within a minute");
    await pause(5);
  }
}

function isNamed(message: string, id: string, { description }: Run): boolean {
  return message.includes(id) || (description !== undefined && message.includes(description));
}

/** What is wrong with an error as the user sees it. */
export function faultsOfError({ message, stack = "" }: Error): string[] {
  const shown = `${message}\n${stack}`;
  return [
    ...(message.split("\n").length > 2 ? ["the error has more than two lines"] : []),
    ...(/\n\s+at .+:\d+/.test(shown) ? ["the error shows a stack"] : []),
    ...(/\[object |\bundefined\b|\bNaN\b/.test(shown) ? [`the error is garbled: ${message}`] : []),
    ...(message.length > 900 ? ["the error is too long"] : []),
  ];
}

/** Where a secret is found that nobody should see, in whatever form. */
export function leaks(
  { sandbox, told }: Service,
  further: readonly string[],
  errors: readonly (Error | undefined)[],
): string[] {
  const { keyId, keySecret } = sandbox.credentials;
  const created = further.map((secret, index) => [`created secret ${index}`, secret] as const);
  return leaksOf(
    { ...secretsOf(sandbox), credentials: `${keyId}:${keySecret}`, ...Object.fromEntries(created) },
    {
      "an error": errors.map((error) => `${error?.message} ${error?.stack}`).join("\n"),
      "a message": told.join("\n"),
      "the journal": JSON.stringify(sandbox.requests),
    },
  );
}
