import { ApiError, badRequest, notFound } from "../apiError";
import type { Organization, Records } from "../records";
import { type Call, documentedRoute, type Route, type RouteContext } from "../routes";
import { datesOf } from "./listed";
import type { Resource } from "./resource";
import { sourceFiles, takenUpload } from "./udfUploads";

/** A version of a user-defined function, in the form of the answers. */
export interface UdfVersion {
  functionName: string;
  version: number;
  /** Whether the build lasts (`building`), has failed (`error`) or is done (`ready`). */
  status: string;
  /** What the failed build has written; null without a failure. */
  error: string | null;
  runtime: string;
  type: string;
  arguments: { name: string; type: string }[];
  returnType: string;
  returnName: string | null;
  format: string;
  deterministic: boolean;
  sendChunkHeader: boolean;
  commandReadTimeout: number;
  commandWriteTimeout: number;
  maxCommandExecutionTime: number | null;
  memoryLimitMib: number | null;
  poolSize: number | null;
  sandboxType: string;
  sandboxVersion: string;
  createdAt: string;
  updatedAt: string;
}

/** A user-defined function of the organization: its newest version, and the older ones. Its name is its id. */
export interface Udf extends UdfVersion {
  id: string;
  /** The older versions, the newest first. */
  older: UdfVersion[];
  /** The end of the build of the newest version, if it is yet to come. */
  steps?: { status: string; error: string | null; at: number }[];
}

type Body = Partial<UdfVersion> &
  Pick<UdfVersion, "arguments" | "returnType" | "runtime" | "type"> & { uploadId: string };

/** The names of functions that ClickHouse itself has: some of many. */
const builtIn = ["count", "sum", "avg", "min", "max", "now", "today", "length", "lower", "upper"];

/** The user-defined functions of the organization in the sandbox. */
export const udfs = {
  place: "organization",
  dialect: "clickhouse",
  operations: [
    ...(["listUdfs", "createUdf", "getUdf", "deleteUdf"] as const),
    ...(["listUdfVersions", "createUdfVersion", "deleteUdfVersion"] as const),
  ],
  path: () => "udfs",

  seed: (): Udf[] => [],
  columns: ["version", "runtime", "returnType"],

  routes(context: RouteContext): Route[] {
    const { store } = context;
    return [
      documentedRoute<object>({
        operation: "listUdfs",
        method: "GET",
        path: "",
        run: () => [...store.of<Udf>(udfs).values()].map(shown),
      }),
      documentedRoute<Body & { functionName: string }>({
        operation: "createUdf",
        method: "POST",
        path: "",
        run(call) {
          const { functionName } = call.body;
          if (builtIn.includes(functionName.toLowerCase()))
            throw badRequest(`functionName: ${functionName} is the name of a built-in function`);
          if (store.of<Udf>(udfs).has(functionName))
            throw new ApiError(409, `UDF ${functionName} already exists`);
          return published(functionName, undefined, call, context);
        },
      }),
      documentedRoute<object>({
        operation: "getUdf",
        method: "GET",
        path: "/:id",
        run: ({ id }) => shown(udfNamed(store, id)),
      }),
      documentedRoute<object>({
        operation: "deleteUdf",
        method: "DELETE",
        path: "/:id",
        run({ id }) {
          if (udfNamed(store, id).status === "building")
            throw new ApiError(409, `UDF ${id} is building, and can be deleted once it has been built`);
          store.remove(udfs, id);
        },
      }),
      documentedRoute<object>({
        operation: "listUdfVersions",
        method: "GET",
        path: "/:id/versions",
        run: ({ id }) => versionsOf(udfNamed(store, id)),
      }),
      documentedRoute<Body>({
        operation: "createUdfVersion",
        method: "POST",
        path: "/:id/versions",
        run(call) {
          const current = udfNamed(store, call.id);
          if (current.status === "building")
            throw new ApiError(409, `version ${current.version} of UDF ${call.id} is still building`);
          return published(call.id, current, call, context);
        },
      }),
      documentedRoute<object>({
        operation: "deleteUdfVersion",
        method: "DELETE",
        path: "/:id/versions/:version",
        run({ id, params: { version } }) {
          const left = versionsOf(udfNamed(store, id)).filter((each) => String(each.version) !== version);
          const [newest, ...older] = left;
          if (left.length > udfNamed(store, id).older.length)
            throw notFound(`version ${version} of UDF ${id} not found`);
          if (!newest) throw new ApiError(409, `version ${version} is the only one of UDF ${id}`);
          store.write<Udf>(udfs, { id, ...newest, older });
        },
      }),
    ];
  },
} as const satisfies Resource;

/** @throws ApiError 404 for an unknown name, which is case-sensitive */
export function udfNamed(store: Records, name: string): Udf {
  const found = store.of<Udf>(udfs).get(name);
  if (!found) throw notFound(`UDF ${name} not found`);
  return found;
}

/** The versions of a function, the newest first. */
export function versionsOf(udf: Udf): UdfVersion[] {
  return [shown(udf), ...udf.older];
}

const shown = ({ id: _, older: __, steps: ___, ...newest }: Udf): UdfVersion => newest;

/** Publishes a version of a function, which is then built. Values that the body omits are the documented defaults. */
function published(
  functionName: string,
  current: Udf | undefined,
  { body, now }: Call<Body>,
  { store, stateMilliseconds }: RouteContext,
): object {
  const { uploadId, ...members } = body;
  if (members.type === "executable" && (members.poolSize ?? null) !== null)
    throw badRequest("Body validation failed: poolSize must be null");
  const upload = takenUpload(store.organization, uploadId, now);
  const isNative = members.runtime === "native";
  const isPool = members.type === "executable_pool";
  const outcome = buildOutcome(store.organization, isNative, upload);
  const record: Udf = {
    ...{ returnName: null, format: "TabSeparated", deterministic: false, sendChunkHeader: false },
    ...{ commandReadTimeout: 10_000, commandWriteTimeout: 10_000, maxCommandExecutionTime: 10 },
    ...{ memoryLimitMib: null, poolSize: isPool ? 3 : null },
    ...members,
    ...{ functionName, id: functionName, version: (current?.version ?? 0) + 1 },
    // Native functions run in the basic sandbox, whatever the request says.
    sandboxType: isNative ? "basic" : (members.sandboxType ?? "basic"),
    sandboxVersion: isNative ? "v1" : "v2",
    ...{ status: "building", error: null, ...datesOf(now) },
    older: current ? versionsOf(current) : [],
    ...(outcome && { steps: [{ ...outcome, at: now + stateMilliseconds }] }),
  };
  store.write<Udf>(udfs, record);
  return shown(record);
}

/** How the build of uploaded code ends; undefined if it never does. */
function buildOutcome(
  { provisioning = "works" }: Organization,
  isNative: boolean,
  archive: Buffer,
): { status: string; error: string | null } | undefined {
  if (provisioning === "hangs") return undefined;
  const files = sourceFiles(archive);
  const failed = (error: string) => ({ status: "error", error });
  if (provisioning === "fails") return failed("Step 3/7 : RUN pip install\nERROR: exit code 1");
  if (!files) return failed("the source is no ZIP archive");
  if (!isNative && !files.includes("main.py")) return failed("main.py is missing at the root of the archive");
  return { status: "ready", error: null };
}

/** Ends the builds of functions that are due. */
export function settleUdfs(store: Records, now: number): void {
  for (const { steps = [], ...udf } of [...store.of<Udf>(udfs).values()]) {
    const due = steps.find(({ at }) => at <= now);
    if (!due) continue;
    const { status, error, at } = due;
    store.write<Udf>(udfs, { ...udf, status, error, updatedAt: new Date(at).toISOString() });
  }
}
