import { join } from "node:path";
import type { Sandbox, Udf } from "../../../sandbox/index";
import { type Example, organizationId } from "./example";

const folder = (name: string) => join(__dirname, "udf", name);

const echo = {
  ...{ functionName: "echo", sourcePath: folder("one"), runtime: "python3.11", type: "executable" },
  ...{ arguments: [{ name: "line", type: "String" }], returnType: "String" },
};

const whole = {
  ...{ ...echo, type: "executable_pool", poolSize: 2, returnName: "answer", format: "JSONEachRow" },
  ...{ deterministic: true, sendChunkHeader: true, commandReadTimeout: 5000, commandWriteTimeout: 6000 },
  ...{ maxCommandExecutionTime: 20, memoryLimitMib: 512, sandboxType: "netenable" },
};

const home = "others_function";

export const udfExample: Example = {
  valid: { organizationId, adoptId: home, ...whole, sourceHash: "a hash", waitMinutes: 5 },
  wholes: { "with all members": whole, "of few members": echo },
  programs: () => [echo, { ...echo, sourcePath: folder("two") }],
  bodyOf: ({ sourcePath: _, sourceHash: __, ...body }) => body,
  follows: ["sourceHash"],
  lasting: ({ older: _, version: __, createdAt: ___, ...record }) => record,
  find: ({ store }, id) => store.udfs.get(id),
  made: ["older", "version", "updatedAt", "uploadId"],
  home,
  furnish: ({ sandbox }) => addUdf(sandbox, { functionName: home }),
  creatable: {
    id: "another_function",
    hasUniqueName: true,
    add: ({ sandbox }, id) => addUdf(sandbox, { functionName: id }),
  },
};

/** Adds a function whose newest version is built. */
export function addUdf({ store }: Pick<Sandbox, "store">, changed: Partial<Udf>): void {
  const createdAt = "2026-10-01T08:00:00.000Z";
  const functionName = String(changed.functionName);
  store.udfs.set(functionName, {
    ...{ id: functionName, functionName, version: 1, status: "ready", error: null, older: [] },
    ...{ runtime: "python3.11", type: "executable", arguments: [{ name: "line", type: "String" }] },
    ...{ returnType: "String", returnName: null, format: "TabSeparated", deterministic: false },
    ...{ sendChunkHeader: false, commandReadTimeout: 10_000, commandWriteTimeout: 10_000 },
    ...{ maxCommandExecutionTime: 10, memoryLimitMib: null, poolSize: null, sandboxType: "basic" },
    ...{ sandboxVersion: "v2", createdAt, updatedAt: createdAt },
    ...changed,
  });
}
