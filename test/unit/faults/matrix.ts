import tls from "node:tls";
import type { Operation } from "../../../provider/api/operation";
import { type OperationName, operations } from "../../../provider/api/operations";
import { createSandbox, type Sandbox, type SandboxOptions } from "../../../sandbox/index";
import type { Violation } from "../../promises/promise";
import { type Call, callsOf, runCell } from "./cells";
import { type Effect, effectOf } from "./effects";
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

/**
 * Fills the fault matrix. For each fault and operation, one request of the client shows the effect of the fault. Then each step
 * runs once for each effect at each of its requests, and the result counts for the cells of all faults with this effect.
 * @param isRun selects the cells
 * @param runsEach true to run every selected cell by itself
 */
export async function runMatrix(steps: readonly Step[], isRun: (cell: Cell) => boolean, runsEach: boolean) {
  const sandboxes = new Sandboxes();
  const effects = new Map<string, Promise<Effect>>();
  const outcomes = new Map<string, Promise<readonly Violation[]>>();
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
    const run = ({ step, call, variant, broken: results }: Cell) => {
      const options = { ...step.setup?.options, ...(variant.fault.kind === "certificate" && { tls: true }) };
      return sandboxes.use(options, async (sandbox) => {
        for (const duration of durationsOf(variant)) {
          const effect = await once(effects, keyOf(step, call, variant, duration, runsEach), () =>
            effectOf(sandbox, step.setup, call, variant, duration),
          );
          const identity = runsEach ? variant.name : effect.signature;
          const column = columns.findIndex((candidate) => candidate.call === call);
          results[duration] = await once(outcomes, JSON.stringify([column, duration, identity]), () =>
            runCell(sandbox, step, call, variant, duration),
          );
        }
      });
    };
    const isCostly = ({ variant: { isHeavy, fault } }: Cell) => isHeavy || fault.kind === "certificate";
    const chosen = cells.filter(isRun);
    await atATime(
      atOnce,
      chosen.filter((cell) => !isCostly(cell)),
      run,
    );
    await atATime(costlyAtOnce, chosen.filter(isCostly), run);
    const settled = await Promise.all(
      [...effects].map(async ([key, effect]) => ({ key, ...(await effect) })),
    );
    return { columns, variants, cells, effects: settled };
  } finally {
    distrust();
    await Promise.all(sandboxes.opened.map((sandbox) => sandbox.close()));
  }
}

/**
 * Returns equal keys for requests that the client treats alike in the fault matrix. Operations of the management API that
 * differ only in path and noun share a key; on the observability API their refusals have different texts. For oversized answers
 * only method and API count, since the client checks the size first.
 */
function keyOf(
  { setup }: Step,
  call: Call,
  { name, isHeavy }: Variant,
  duration: Duration,
  runsEach: boolean,
) {
  const { operation, api } = call;
  const { path, otherPath, permissions, object, ...rest }: Operation = operations[operation as OperationName];
  const kind = isHeavy ? rest.method : runsEach || api === "observability" ? operation : rest;
  return JSON.stringify([isHeavy || setup?.options, kind, api, name, duration]);
}

function once<Value>(
  cache: Map<string, Promise<Value>>,
  key: string,
  make: () => Promise<Value>,
): Promise<Value> {
  const value = cache.get(key) ?? make();
  cache.set(key, value);
  return value;
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
