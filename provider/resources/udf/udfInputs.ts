import { enums } from "../../api/enums.golden";
import { adoptable, inOrganization } from "../../lifecycle/scope";
import { oneOf } from "../../values/schema";
import { Type } from "../../values/schemaBuilders";
import { udfName } from "../udfs/settling";

const count = { minimum: 1 } as const;

/**
 * Inputs of a user-defined function.
 * @see "Create UDF", "Create UDF version" in the documents of ClickHouse Cloud
 */
export const udfInputs = inOrganization({
  /**
   * Adopts the existing function with this name instead of creating one. Has no effect once the function is in the Pulumi state; a
   * change that replaces the function is refused while `adoptId` is declared.
   */
  adoptId: adoptable,
  /**
   * Name under which queries call the function, up to 64 letters, digits and `_`, beginning with a letter, in this case. No other
   * function of the organization has it, and none of ClickHouse itself. Default: the name of the resource. A change replaces the
   * function.
   */
  functionName: Type.Optional(Type.String({ ...udfName, maxLength: 64, sent: "atCreation", replaces: true })),
  /**
   * Path of the code on the machine that runs Pulumi, from the folder of the program: a folder, a single file, or a ZIP archive
   * (`.zip`). Python starts with `main.py` at the root of it, and is refused without. Of a folder, files and folders that begin
   * with `.` and `__pycache__` are left out. Required unless the function exists already: an imported one keeps its code without.
   */
  sourcePath: Type.Optional(Type.String({ minLength: 1, sent: "never" })),
  /**
   * SHA-256 of the archive with the code, in base64. A new one publishes a new version. Default: that of what is at `sourcePath`,
   * so leave it out; a declared one has other code refused.
   */
  sourceHash: Type.Optional(Type.String({ minLength: 1, shown: "sometimes" })),
  /** What runs the code: `python3.11`, or `native` for a program of its own. */
  runtime: oneOf(enums.udfRuntime),
  /** Whether a command is started for each query (`executable`), or a pool of commands is kept (`executable_pool`). */
  type: oneOf(enums.udfType),
  /** Arguments of the function, in their order. */
  arguments: Type.Array(
    Type.Object(
      {
        /** Name of the argument, which formats such as `JSONEachRow` and `Native` show to the code. */
        name: Type.String(udfName),
        /** ClickHouse's type of the argument, such as `String`. */
        type: Type.String({ minLength: 1 }),
      },
      { additionalProperties: false },
    ),
  ),
  /** ClickHouse's type of what the function returns, such as `UInt64`. */
  returnType: Type.String({ minLength: 1 }),
  /** Name of what the function returns, for formats with names. Default: none. */
  returnName: Type.Optional(Type.String({ ...udfName, reset: null })),
  /** Format in which the code gets its arguments and writes its results. Default: `TabSeparated`. */
  format: Type.Optional(Type.String({ minLength: 1, reset: "TabSeparated" })),
  /** Whether equal arguments always give the same result, so that ClickHouse may reuse it. Default: false. */
  deterministic: Type.Optional(Type.Boolean({ reset: false })),
  /** Whether ClickHouse writes the number of rows before each block. Default: false. */
  sendChunkHeader: Type.Optional(Type.Boolean({ reset: false })),
  /** Milliseconds to wait for output of the command, at least 1. Default: 10000. */
  commandReadTimeout: Type.Optional(Type.Integer({ ...count, reset: 10_000 })),
  /** Milliseconds to wait until the command takes input, at least 1. Default: 10000. */
  commandWriteTimeout: Type.Optional(Type.Integer({ ...count, reset: 10_000 })),
  /**
   * Seconds that a command may take, at least 1. Default: 10. Without the line, an `executable` that somebody has given no limit
   * keeps none.
   */
  maxCommandExecutionTime: Type.Optional(Type.Integer({ ...count, reset: 10 })),
  /** Memory of a command in MiB, 1 to 1048576. Default: that of the service. */
  memoryLimitMib: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_048_576, reset: null })),
  /** Number of commands in the pool of an `executable_pool`, at least 1. Default: 3. */
  poolSize: Type.Optional(Type.Integer({ ...count, reset: 3 })),
  /** How the code is locked in: `basic`, or `netenable` with the network, which `native` code never has. Default: `basic`. */
  sandboxType: Type.Optional(oneOf(enums.udfSandboxType, { reset: "basic" })),
  /**
   * Minutes to wait for the build of a version, 1 to 1440. Default: 30. The option `customTimeouts` may end a wait sooner.
   */
  waitMinutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440, sent: "never" })),
});

/** Outputs of a user-defined function beyond its inputs. */
export const udfOutputs = Type.Object({
  /** Number of the newest version, for `version` of a `UdfAttachment`. */
  version: Type.Optional(Type.Integer({ volatile: true })),
  /** Whether the newest version is `ready`, still `building`, or has failed (`error`). */
  status: Type.Optional(Type.String({ volatile: true })),
  /** What the failed build of the newest version has written. */
  error: Type.Optional(Type.String({ volatile: true })),
  /** Version of the sandbox in which the code runs, such as `v2`. */
  sandboxVersion: Type.Optional(Type.String({ volatile: true })),
  /** When the newest version was published (ISO 8601). */
  createdAt: Type.Optional(Type.String({ volatile: true })),
  /** When the newest version last changed (ISO 8601). */
  updatedAt: Type.Optional(Type.String({ volatile: true })),
});
