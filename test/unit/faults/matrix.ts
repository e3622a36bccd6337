import tls from "node:tls";
import { createSandbox, type Sandbox, type SandboxOptions } from "../../../sandbox/index";
import type { Violation } from "../../promises/promise";
import { type Call, callsOf, runCell } from "./cells";
import type { Step } from "./step";
import { concerns, type Duration, durationsOf, type Variant, variants } from "./variants";

/** A column of the fault matrix (the table of faults and requests): one request of a step. */
export interface Column {
  readonly step: Step;
  readonly call: Call;
}

/** A cell of the fault matrix (one fault at one request), and the promises that the provider broke in it. */
export interface Cell extends Column {
  readonly variant: Variant;
  readonly broken: { [duration in Duration]?: readonly Violation[] };
}

/** The number of cells of the fault matrix that run at once. Faults that need much memory or a certificate allow only a few. */
const [atOnce, costlyAtOnce] = [24, 2];

/** Runs the cells of the fault matrix that `select` returns. */
export async function runMatrix(steps: readonly Step[], select: (cells: readonly Cell[]) => readonly Cell[]) {
  const sandboxes = new Sandboxes();
  const distrust = trustCertificatesOf(sandboxes);
  try {
    const columns: Column[] = [];
    for (const step of steps) {
      const calls = await sandboxes.use(step.setup?.options, (sandbox) => callsOf(step, sandbox));
      columns.push(...calls.map((call) => ({ step, call })));
    }
    const cells = columns.flatMap((column) =>
      variants
        .filter((variant) => concerns(variant, column.call))
        .map((variant): Cell => ({ ...column, variant, broken: {} })),
    );
    const run = ({ step, call, variant, broken }: Cell) => {
      const options = { ...step.setup?.options, ...(variant.fault.kind === "certificate" && { tls: true }) };
      return sandboxes.use(options, async (sandbox) => {
        for (const duration of durationsOf(variant))
          broken[duration] = await runCell(sandbox, step, call, variant, duration);
      });
    };
    const isCostly = ({ variant: { isHeavy, fault } }: Cell) => isHeavy || fault.kind === "certificate";
    const chosen = select(cells);
    await atATime(
      atOnce,
      chosen.filter((cell) => !isCostly(cell)),
      run,
    );
    await atATime(costlyAtOnce, chosen.filter(isCostly), run);
    return { columns, variants, cells, run: chosen };
  } finally {
    distrust();
    await Promise.all(sandboxes.opened.map((sandbox) => sandbox.close()));
  }
}

async function atATime<Item>(
  workers: number,
  items: readonly Item[],
  task: (item: Item) => Promise<void>,
): Promise<void> {
  const left = [...items];
  const work = async () => {
    for (let item = left.shift(); item; item = left.shift()) await task(item);
  };
  await Promise.all(Array.from({ length: workers }, work));
}

/**
 * The number of cells of the fault matrix for which one sandbox is used. Starting a sandbox takes longer than a cell, but each
 * keeps its connections open until it is closed.
 */
const cellsOfSandbox = 20;

class Sandboxes {
  readonly opened: Sandbox[] = [];
  readonly #free = new Map<string, Sandbox[]>();
  readonly #served = new Map<Sandbox, number>();

  async use<Result>(options: SandboxOptions | undefined, task: (sandbox: Sandbox) => Promise<Result>) {
    const free = this.#free.get(JSON.stringify({ ...options })) ?? [];
    this.#free.set(JSON.stringify({ ...options }), free);
    const sandbox = free.pop() ?? (await createSandbox(options));
    if (!this.opened.includes(sandbox)) this.opened.push(sandbox);
    const result = await task(sandbox);
    const served = (this.#served.get(sandbox) ?? 0) + 1;
    this.#served.set(sandbox, served);
    if (served < cellsOfSandbox) free.push(sandbox);
    else await sandbox.close();
    return result;
  }
}

/** Makes the test's process trust the sandboxes' certificates, as NODE_EXTRA_CA_CERTS would if they existed at the start. */
function trustCertificatesOf({ opened }: Sandboxes): () => void {
  const { createSecureContext } = tls;
  tls.createSecureContext = (options) =>
    createSecureContext({ ca: opened.flatMap(({ certificate }) => certificate ?? []), ...options });
  return () => {
    tls.createSecureContext = createSecureContext;
  };
}
