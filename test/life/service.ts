import { createSandbox, type Sandbox } from "../../sandbox/index";
import { settingsOf } from "../serviceContents";
import { furnish } from "../unit/faults/furnish";
import { Service } from "../unit/faults/service";

/** The servers that users have: their dialect, and which APIs there are. */
export const setups = {
  "both APIs of the document": { dialect: "neutral", apis: "both" },
  "the management API of the document alone": { dialect: "neutral", apis: "management" },
  "the observability API of the document alone": { dialect: "neutral", apis: "observability" },
  "the management API of the product": { dialect: "clickhouse", apis: "management" },
  "an observability server of the product": { dialect: "clickhouse", apis: "observability" },
} as const;

export type Setup = (typeof setups)[keyof typeof setups];

/** A service that holds objects of somebody else, and the settings with which a user of it works. */
export interface OpenService {
  readonly sandbox: Sandbox;
  readonly settings: Readonly<Record<string, string>>;
  /** Makes it as new. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a service of a setup. */
export async function openService({ dialect, apis }: Setup): Promise<OpenService> {
  const sandbox = await createSandbox({ dialect, apis });
  const settings = { ...settingsOf(sandbox), dialect, maxRetries: "1", requestsPerSecond: "1000" };
  return {
    sandbox,
    settings,
    async reset() {
      sandbox.rewrites.clear();
      await sandbox.faults.clear();
      await sandbox.reset();
      furnish(new Service(sandbox, {}));
    },
    close: () => sandbox.close(),
  };
}
