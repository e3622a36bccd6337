import tls from "node:tls";
import type { Operation } from "../../../provider/api/operation";
import { type OperationName, operations } from "../../../provider/api/operations";
import { createSandbox, type Sandbox, type SandboxOptions } from "../../../sandbox/index";
import type { Violation } from "../../promises/promise";
import { type Call, callsOf, runCell } from "./cells";
import { type Effect, effectOf } from "./effects";
import type { Step } from "./step";
import { concerns, type Duration, durationsOf, type Variant, variants } from "./variants";

/** A column of the matrix: a call that a step makes. */
export interface Column {
  readonly step: Step;
  readonly call: Call;
}

/** A cell of the matrix, with the promises that were broken each time. */
export interface Cell extends Column {
  readonly variant: Variant;
  readonly broken: { [duration in Duration]?: readonly Violation[] };
}

/** So many run at once that turns of the event loop are shared; few where a fault takes much memory or a certificate. */
const [atOnce, costlyAtOnce] = [24, 2];

/**
 * Fills the matrix. Each fault happens to each operation at the client; then each step runs once for each effect that a
 * call of it can have there, and what comes of that stands in the cells of all faults with this effect.
 *
 * @param isRun chooses the cells
 * @param runsEach whether to run every chosen cell for itself instead
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
 * Operations of the management API whose definitions differ in path and noun alone are one case to the client; the
 * observability API has other words for each. The client checks the size of an answer before anything else of it, so one
 * operation for each method and API stands for all.
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

/** Starting a sandbox takes longer than a cell, so that each serves many; it keeps their connections open until it ends. */
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

/** What NODE_EXTRA_CA_CERTS does, for certificates that are made only after this process has started. */
function trustCertificatesOf({ opened }: Sandboxes): () => void {
  const { createSecureContext } = tls;
  tls.createSecureContext = (options) =>
    createSecureContext({ ca: opened.flatMap(({ certificate }) => certificate ?? []), ...options });
  return () => {
    tls.createSecureContext = createSecureContext;
  };
}
