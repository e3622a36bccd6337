import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { SandboxRequest } from "./sandboxProcess";

export type BenchSandbox = ReturnType<typeof forkSandbox>;

/** Starts the sandbox in its own process, so that its CPU time does not count as the CLI's. */
export function forkSandbox() {
  const child = fork(join(__dirname, "sandboxProcess.ts"), { execArgv: ["--require", "tsx/cjs"] });
  return {
    /** Starts the sandbox anew, and returns the environment variables with which the benchmark's programs reach it. */
    start: () => ask<Record<string, string>>(child, "start"),
    takeRequests: () => ask<number>(child, "takeRequests"),
    async close() {
      if (!child.connected) return;
      child.disconnect();
      await once(child, "exit");
    },
  };
}

async function ask<Answer>(child: ChildProcess, request: SandboxRequest): Promise<Answer> {
  const answered = new AbortController();
  const ended = async () => {
    const [code, signal] = await once(child, "exit", answered);
    throw new Error(`the sandbox has ended with ${signal ?? `exit code ${code}`}`);
  };
  try {
    const answer = Promise.race([once(child, "message", answered), ended()]);
    child.send(request);
    return (await answer)[0] as Answer;
  } finally {
    answered.abort();
  }
}
