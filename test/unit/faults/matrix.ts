import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import tls from "node:tls";
import { type OperationName, operations } from "../../../provider/api/operations";
import { createSandbox, type Sandbox, type SandboxOptions } from "../../../sandbox/index";
import { type Call, callsOf, type Outcome, runCell } from "./cells";
import { type Effect, effectOf } from "./effects";
import type { Setup, Step } from "./step";
import { concerns, type Duration, durationsOf, type Variant, variantsFor } from "./variants";

/** A column of the matrix: a call that a step makes. */
export interface Column {
  readonly step: Step;
  readonly call: Call;
}

/** A cell of the matrix, with what came of it each time. */
export interface Cell extends Column {
  readonly variant: Variant;
  readonly outcomes: { [duration in Duration]?: Outcome };
}

/** So many run at once that turns of the event loop are shared; few where a fault takes much memory. */
const atOnce = 24;
const heavyAtOnce = 2;

/** What has to be run: one cell stands for all in which the client makes the same of the fault. */
interface Job {
  readonly setup: Setup | undefined;
  readonly variant: Variant;
  run(sandbox: Sandbox): Promise<void>;
}

/**
 * Fills the matrix. Each fault happens to each operation at the client; then each step runs once for each effect that a
 * call of it can have there, and what comes of that stands in the cells of all faults with this effect.
 *
 * @param runsAll whether to run every cell for itself instead
 */
export async function runMatrix(steps: readonly Step[], runsAll: boolean) {
  const elsewhere = await startElsewhere();
  const opened: Sandbox[] = [];
  const free = new Map<string, Sandbox[]>();
  /** Starting a sandbox takes longer than a cell, so that each serves many. */
  const withSandbox: WithSandbox = async (options, use) => {
    const key = JSON.stringify(options ?? {});
    const sandbox = free.get(key)?.pop() ?? (await createSandbox(options));
    if (!opened.includes(sandbox)) opened.push(sandbox);
    await use(sandbox);
    free.set(key, [...(free.get(key) ?? []), sandbox]);
  };
  const distrust = trustTestCertificates(() => opened);
  try {
    const variants = variantsFor(elsewhere.origin);
    const columns: Column[] = [];
    for (const setup of new Set(steps.map((step) => step.setup))) {
      await withSandbox(setup?.options, async (sandbox) => {
        for (const step of steps.filter((step) => step.setup === setup)) {
          for (const call of await callsOf(step, sandbox)) columns.push({ step, call });
        }
      });
    }
    const cells = columns.flatMap((column) =>
      variants
        .filter((variant) => concerns(variant, column.call))
        .map((variant): Cell => ({ ...column, variant, outcomes: {} })),
    );
    const atClient = new Map<string, Probe>();
    for (const { step, call, variant } of cells) {
      for (const duration of durationsOf(variant))
        atClient.set(keyOf(step, call, variant, duration), { setup: step.setup, call, variant, duration });
    }
    await work(
      [...atClient.values()].map((probe) => ({
        ...probe,
        async run(sandbox) {
          const { setup, call, variant, duration } = probe;
          probe.effect = await effectOf(sandbox, setup, call, variant, duration);
        },
      })),
      withSandbox,
    );

    const groups = new Map<string, { duration: Duration; cells: Cell[] }>();
    for (const cell of cells) {
      const { step, call, variant } = cell;
      for (const duration of durationsOf(variant)) {
        const effect = atClient.get(keyOf(step, call, variant, duration))?.effect;
        const same = runsAll ? variant.name : effect?.signature;
        const key = JSON.stringify([columns.findIndex((column) => column.call === call), duration, same]);
        const group = groups.get(key) ?? { duration, cells: [] };
        group.cells.push(cell);
        groups.set(key, group);
      }
    }
    await work(
      [...groups.values()].map(({ duration, cells: [first, ...others] }) => {
        const { step, call, variant } = first as Cell;
        return {
          setup: step.setup,
          variant,
          async run(sandbox) {
            const outcome = await runCell(sandbox, step, call, variant, duration);
            for (const cell of [first as Cell, ...others]) cell.outcomes[duration] = outcome;
          },
        };
      }),
      withSandbox,
    );
    return {
      columns,
      variants,
      cells,
      runs: groups.size,
      probes: [...atClient.values()],
      strayRequests: elsewhere.requests,
    };
  } finally {
    distrust();
    await Promise.all(opened.map((sandbox) => sandbox.close()));
    await elsewhere.close();
  }
}

/** One fault at one operation of the client. */
export interface Probe {
  readonly setup: Setup | undefined;
  readonly call: Call;
  readonly variant: Variant;
  readonly duration: Duration;
  effect?: Effect;
}

/**
 * The size of an answer is looked at before anything else of it, so that one operation of each method of each API shows
 * what follows, whatever the setup.
 */
function keyOf({ setup }: Step, call: Call, { name, isHeavy }: Variant, duration: Duration): string {
  const { operation, api } = call;
  const kind = isHeavy ? operations[operation as OperationName].method : operation;
  return JSON.stringify([isHeavy ? undefined : setup?.options, kind, api, name, duration]);
}

type WithSandbox = (
  options: SandboxOptions | undefined,
  use: (sandbox: Sandbox) => Promise<void>,
) => Promise<void>;

async function work(jobs: readonly Job[], withSandbox: WithSandbox): Promise<void> {
  for (const setup of new Set(jobs.map((job) => job.setup))) {
    const own = jobs.filter((job) => job.setup === setup);
    const [heavy, light] = partition(own, ({ variant }) => variant.isHeavy);
    const [secure, plain] = partition(light, ({ variant }) => variant.fault.kind === "certificate");
    const { options } = setup ?? {};
    await workOff(plain, Math.min(atOnce, Math.ceil(plain.length / 20)), (use) => withSandbox(options, use));
    await workOff(secure, 1, (use) => withSandbox({ ...options, tls: true }, use));
    await workOff(heavy, heavyAtOnce, (use) => withSandbox(options, use));
  }
}

async function workOff(
  jobs: readonly Job[],
  workers: number,
  withSandbox: (use: (sandbox: Sandbox) => Promise<void>) => Promise<void>,
): Promise<void> {
  const left = [...jobs];
  await Promise.all(
    Array.from({ length: workers }, () =>
      withSandbox(async (sandbox) => {
        for (let job = left.shift(); job; job = left.shift()) await job.run(sandbox);
      }),
    ),
  );
}

/** Those for which it holds, and the others. */
function partition<One>(all: readonly One[], holds: (one: One) => boolean | undefined): [One[], One[]] {
  return [all.filter((one) => holds(one)), all.filter((one) => !holds(one))];
}

/** Another origin, which nobody should ask for anything. */
async function startElsewhere() {
  const requests: string[] = [];
  const server: Server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, requests, close: () => new Promise((resolve) => server.close(resolve)) };
}

/** What NODE_EXTRA_CA_CERTS does, for certificates that are made only after this process has started. */
function trustTestCertificates(sandboxes: () => readonly Sandbox[]): () => void {
  const { createSecureContext } = tls;
  tls.createSecureContext = (options) => {
    const trusted = sandboxes().flatMap(({ certificate }) => certificate ?? []);
    return createSecureContext({ ca: trusted, ...options });
  };
  return () => {
    tls.createSecureContext = createSecureContext;
  };
}
