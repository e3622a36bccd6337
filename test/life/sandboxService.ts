import type { PropertyMap } from "../../provider/values/data";
import { startSandbox } from "../../sandbox/http/sandbox";
import type { Dialect, Fault, OperationName, Sandbox, SandboxOptions } from "../../sandbox/index";
import { realServer } from "../acceptance/realServer";
import { judge } from "../productJudge";
import { settingsOf } from "../serviceContents";
import { Service } from "../unit/faults/faultyService";
import { furnish } from "../unit/faults/furnish";
import { examples } from "../unit/resources/examples";
import type { Failing, OpenService, Server, Setup } from "./server";

/** The kinds of servers that users have: the dialect, the available APIs, and the version. */
export const setups = {
  "both APIs of the document": { dialect: "neutral", apis: "both" },
  "the management API of the document alone": { dialect: "neutral", apis: "management" },
  "the observability API of the document alone": { dialect: "neutral", apis: "observability" },
  "the management API of the product": { dialect: "clickhouse", apis: "management" },
  "an observability server of the product": { dialect: "clickhouse", apis: "observability" },
  "an older observability server of the product": {
    dialect: "clickhouse",
    apis: "observability",
    version: "2.36",
  },
} as const satisfies Record<string, SandboxSetup>;

type SandboxSetup = Omit<Setup, "version"> & Pick<SandboxOptions, "version">;

const faults = {
  refuses: { kind: "400" },
  "breaks off before": { kind: "reset", when: "before" },
  "breaks off after": { kind: "reset", when: "after" },
} as const satisfies Record<Failing, Partial<Fault>>;

/** In the dialect `clickhouse` a tile's series needs other properties than in the API document. */
const seriesOfProduct = {
  ...{ type: "number", sourceId: "65f1c0a2b3d4e5f607182911", aggFn: "count" },
  ...{ where: "", whereLanguage: "lucene" },
};

/** Adds objects of other people to a sandbox, some with the same content as the objects of the tests. */
export function addOthersObjects(sandbox: Sandbox, dialect: Dialect): void {
  furnish(new Service(sandbox, {}));
  if (dialect === "clickhouse")
    for (const { tiles } of sandbox.store.dashboards.values())
      for (const tile of tiles) Object.assign(tile, { series: [seriesOfProduct] });
}

/**
 * Starts a sandbox for one kind of server. In the dialect `clickhouse` it refuses everything that the API documents of
 * ClickHouse Cloud and HyperDX do not contain.
 */
async function openSandbox({ dialect, apis, version }: SandboxSetup): Promise<OpenService> {
  const sandbox = await startSandbox(
    { dialect, apis, version },
    dialect === "clickhouse" ? judge : undefined,
  );
  const settings = { ...settingsOf(sandbox), dialect, maxRetries: "1", requestsPerSecond: "1000" };
  return {
    settings,
    rewrites: sandbox.rewrites,
    hasVirtualTime: true,
    find: async (type, id) => structuredClone(examples[type].find(sandbox, id)) as PropertyMap | undefined,
    requests: async () => sandbox.requests,
    loseAnswer: (operation) =>
      sandbox.faults.set([{ kind: "reset-during", operation: operation as OperationName, nth: 1 }]),
    fail: (operation, nth, how) =>
      sandbox.faults.set(how ? [{ ...faults[how], operation: operation as OperationName, from: nth }] : []),
    async reset() {
      sandbox.rewrites.clear();
      await sandbox.faults.clear();
      await sandbox.reset();
      addOthersObjects(sandbox, dialect);
    },
    close: () => sandbox.close(),
  };
}

/** Sandboxes of all kinds, or the one real server that `npm run acceptance` names. */
export const servers: readonly Server[] = process.env.PIPESTACK_ACCEPTANCE
  ? [realServer(JSON.parse(process.env.PIPESTACK_ACCEPTANCE))]
  : Object.entries(setups).map(([title, setup]) => ({ title, setup, open: () => openSandbox(setup) }));
