import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import tls from "node:tls";
import { createSandbox, type Sandbox, type SandboxOptions } from "../../../sandbox/src";
import { type Call, callsOf, type Duration, durations, type Outcome, runCell } from "./cells";
import type { Step } from "./step";
import { type Variant, variantsFor } from "./variants";

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

/** Cells wait most of the time, so that many run at once; some need much memory. */
const atOnce = 24;
const heavyAtOnce = 2;

/** Runs every step with every fault at every call. */
export async function runMatrix(steps: readonly Step[], only: (cell: Cell) => boolean = () => true) {
  const elsewhere = await startElsewhere();
  const opened: Sandbox[] = [];
  const open = async (options?: SandboxOptions) => {
    const sandbox = await createSandbox(options);
    opened.push(sandbox);
    return sandbox;
  };
  const distrust = trustTestCertificates(() => opened);
  try {
    const variants = variantsFor(elsewhere.origin);
    const columns: Column[] = [];
    const cells: Cell[] = [];
    for (const setup of new Set(steps.map((step) => step.setup))) {
      const first = await open(setup?.options);
      const own: Column[] = [];
      for (const step of steps.filter((step) => step.setup === setup)) {
        for (const call of await callsOf(step, first)) own.push({ step, call });
      }
      columns.push(...own);
      const all = own.flatMap((column) =>
        variants.map((variant): Cell => ({ ...column, variant, outcomes: {} })),
      );
      const [heavy, light] = partition(all.filter(only), ({ variant }) => variant.isHeavy);
      const [secure, plain] = partition(light, ({ variant }) => variant.fault.kind === "certificate");
      await work(plain, atOnce, () => open(setup?.options));
      await work(secure, heavyAtOnce, () => open({ ...setup?.options, tls: true }));
      await work(heavy, heavyAtOnce, () => open(setup?.options));
      cells.push(...all);
    }
    return { columns, variants, cells, strayRequests: elsewhere.requests };
  } finally {
    distrust();
    await Promise.all(opened.map((sandbox) => sandbox.close()));
    await elsewhere.close();
  }
}

/** Those for which it holds, and the others. */
function partition(cells: readonly Cell[], holds: (cell: Cell) => boolean | undefined): [Cell[], Cell[]] {
  return [cells.filter((cell) => holds(cell)), cells.filter((cell) => !holds(cell))];
}

async function work(cells: readonly Cell[], workers: number, open: () => Promise<Sandbox>): Promise<void> {
  const jobs = cells.flatMap((cell) =>
    durations
      .filter((duration) => duration === "lasting" || !cell.variant.isHeavy)
      .map((duration) => ({ cell, duration })),
  );
  await Promise.all(
    Array.from({ length: Math.min(workers, jobs.length) }, async () => {
      const sandbox = await open();
      for (let job = jobs.shift(); job; job = jobs.shift()) {
        const { cell, duration } = job;
        const { step, call, variant } = cell;
        cell.outcomes[duration] = await runCell(sandbox, step, call, variant, duration);
      }
    }),
  );
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
    return createSecureContext({ ca: [...tls.rootCertificates, ...trusted], ...options });
  };
  return () => {
    tls.createSecureContext = createSecureContext;
  };
}
