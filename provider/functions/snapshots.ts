import { inService } from "../lifecycle/scope";
import { openSetOf } from "../values/schema";
import { type Static, type TArray, Type } from "../values/schemaBuilders";
import { newestFirst } from "./backups";
import type { FunctionDefinition, ResultOf } from "./definition";

const statuses = ["done", "error", "in_progress", "throttled"] as const;

const snapshotSchema = Type.Object({
  /** Id of the snapshot (uuid). */
  id: Type.String(),
  /** Id of the service of which the snapshot is (uuid). */
  serviceId: Type.Optional(Type.String()),
  /** Name of the snapshot. */
  backupName: Type.Optional(Type.String()),
  /** Whether the snapshot is `done`, failed (`error`), is `in_progress`, or waits (`throttled`). */
  status: Type.Optional(openSetOf(statuses)),
  /** Kind of the snapshot: `full`. */
  type: Type.Optional(openSetOf(["full"])),
  /** When the snapshot began (ISO 8601). */
  startedAt: Type.Optional(Type.String()),
  /** When the snapshot ended (ISO 8601); absent while it is in progress. */
  finishedAt: Type.Optional(Type.String()),
  /** Size of the snapshot in bytes. */
  sizeInBytes: Type.Optional(Type.Number()),
  /** How long the snapshot took, in seconds. */
  durationInSeconds: Type.Optional(Type.Number()),
});

/** A snapshot of a service. */
export interface Snapshot extends ResultOf<typeof snapshotSchema> {}

const snapshotsArguments = inService({
  /** Exact status of the snapshots to return, such as `done`. */
  status: Type.Optional(openSetOf(statuses)),
});

/**
 * The snapshots of a service, the newest first. A {@link SnapshotConfiguration} says how often they are made. Needs
 * `dialect: clickhouse`.
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 * @example
 * ```typescript
 * const snapshots = pipestack.getSnapshots({ status: "done" });
 * export const newest = snapshots.then(([snapshot]) => snapshot?.finishedAt);
 * ```
 */
export const getSnapshots: FunctionDefinition<typeof snapshotsArguments, TArray<typeof snapshotSchema>> = {
  name: "getSnapshots",
  dialect: "clickhouse",
  arguments: snapshotsArguments,
  result: Type.Array(snapshotSchema),
  run: (args, session) => newestFirst<Snapshot>("listSnapshots", snapshotSchema, args, session),
};

/** Arguments of {@link getSnapshots}. */
export interface GetSnapshotsArgs extends Static<typeof snapshotsArguments> {}
