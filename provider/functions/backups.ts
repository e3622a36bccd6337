import { inService, type Scope, scopeOf } from "../lifecycle/scope";
import type { Session } from "../lifecycle/session";
import { momentIn, type PropertyMap, pick } from "../values/data";
import { openSetOf } from "../values/schema";
import { type Static, type TArray, type TObject, Type } from "../values/schemaBuilders";
import type { FunctionDefinition, ResultOf } from "./definition";

const statuses = ["done", "error", "in_progress"] as const;

const backupSchema = Type.Object({
  /** Id of the backup (uuid), for `backupId` of a `Service`. */
  id: Type.String(),
  /** Id of the service that was backed up (uuid). */
  serviceId: Type.Optional(Type.String()),
  /** Name of the backup. */
  backupName: Type.Optional(Type.String()),
  /** Whether the backup is `done`, failed (`error`), or is `in_progress`. */
  status: Type.Optional(openSetOf(statuses)),
  /** Whether the backup is `full`, or `incremental`. */
  type: Type.Optional(openSetOf(["full", "incremental"])),
  /** When the backup began (ISO 8601). */
  startedAt: Type.Optional(Type.String()),
  /** When the backup ended (ISO 8601); absent while it is in progress. */
  finishedAt: Type.Optional(Type.String()),
  /** Size of the backup in bytes. */
  sizeInBytes: Type.Optional(Type.Number()),
  /** How long the backup took, in seconds. */
  durationInSeconds: Type.Optional(Type.Number()),
});

/** A backup of a service. */
export interface Backup extends ResultOf<typeof backupSchema> {}

const backupsArguments = inService({
  /** Exact status of the backups to return, such as `done`. */
  status: Type.Optional(openSetOf(statuses)),
});

/**
 * The backups of a service, the newest first. A {@link Service} is restored from one by its `backupId`. Needs `dialect: clickhouse`.
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 * @example
 * ```typescript
 * const backups = pipestack.getBackups({ status: "done" });
 * export const newest = backups.then(([backup]) => backup?.id);
 * ```
 */
export const getBackups: FunctionDefinition<typeof backupsArguments, TArray<typeof backupSchema>> = {
  name: "getBackups",
  dialect: "clickhouse",
  arguments: backupsArguments,
  result: Type.Array(backupSchema),
  run: (args, session) => newestFirst<Backup>("listBackups", backupSchema, args, session),
};

/** The backups or snapshots of a service with the status of the arguments, the newest first, with the properties of the schema. */
export async function newestFirst<Item>(
  operation: "listBackups" | "listSnapshots",
  schema: TObject,
  args: Scope & { readonly status?: string },
  session: Session,
): Promise<Item[]> {
  const all: readonly PropertyMap[] = await session.lists.read(operation, scopeOf("service", args, session));
  const beginOf = ({ startedAt }: PropertyMap) => momentIn(String(startedAt)) || 0;
  return all
    .filter(({ status }) => (args.status ?? status) === status)
    .sort((left, right) => beginOf(right) - beginOf(left))
    .map((entry) => pick(entry, Object.keys(schema.properties)) as Item);
}

/** Arguments of {@link getBackups}. */
export interface GetBackupsArgs extends Static<typeof backupsArguments> {}
