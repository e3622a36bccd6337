import { startSandbox } from "../../sandbox/http/sandbox";
import type { Dialect, Sandbox, SandboxOptions } from "../../sandbox/index";
import { judge } from "../productJudge";
import { settingsOf } from "../serviceContents";
import { furnish } from "../unit/faults/furnish";
import { Service } from "../unit/faults/service";

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
} as const satisfies Record<string, Setup>;

export interface Setup extends Pick<SandboxOptions, "version"> {
  readonly dialect: Dialect;
  readonly apis: "both" | "management" | "observability";
}

/** A sandbox with objects that others have created, and the provider settings with which a user uses it. */
export interface OpenService {
  readonly sandbox: Sandbox;
  readonly settings: Readonly<Record<string, string>>;
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** In the dialect `clickhouse` a tile's series needs other properties than in the API document. */
const seriesOfProduct = {
  ...{ type: "number", sourceId: "65f1c0a2b3d4e5f607182911", aggFn: "count" },
  ...{ where: "", whereLanguage: "lucene" },
};

/**
 * Starts a sandbox for one kind of server. In the dialect `clickhouse` it refuses everything that the API documents of
 * ClickHouse Cloud and HyperDX do not contain.
 */
export async function openService({ dialect, apis, version }: Setup): Promise<OpenService> {
  const sandbox = await startSandbox(
    { dialect, apis, version },
    dialect === "clickhouse" ? judge : undefined,
  );
  const settings = { ...settingsOf(sandbox), dialect, maxRetries: "1", requestsPerSecond: "1000" };
  return {
    sandbox,
    settings,
    async reset() {
      sandbox.rewrites.clear();
      await sandbox.faults.clear();
      await sandbox.reset();
      furnish(new Service(sandbox, {}));
      if (dialect === "clickhouse")
        for (const { tiles } of sandbox.store.dashboards.values())
          for (const tile of tiles) Object.assign(tile, { series: [seriesOfProduct] });
    },
    close: () => sandbox.close(),
  };
}
