import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sandbox } from "../../sandbox/index";
import { settingsOf } from "../serviceContents";

/** A run of `npm run acceptance` that has begun. */
export interface Run {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
}

/** Starts acceptance runs against sandboxes, with a folder for what the runs remember. */
export class Acceptance {
  private constructor(readonly folder: string) {}

  static async begin(): Promise<Acceptance> {
    return new Acceptance(await mkdtemp(join(tmpdir(), "pipestack-acceptance-")));
  }

  end(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }

  /** Starts a run with the settings for a sandbox, which takes as many requests as come. */
  start(sandbox: Sandbox | undefined, args: readonly string[]): Run {
    const program = ["--require", require.resolve("tsx/cjs"), join(__dirname, "main.ts")];
    const child = spawn(process.execPath, [...program, "--folder", this.folder, ...args], {
      env: { ...withoutSettings(), ...(sandbox && environmentFor(sandbox)) },
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own, so that a test can end all processes of a run at once.
      detached: true,
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (part) => {
        output += part;
      });
    const ended = once(child, "close").then(([code]) => ({ code, output }));
    return { child, ended };
  }

  /** Runs it to its end, on the server of the settings. */
  run(sandbox: Sandbox, ...args: string[]) {
    const name = nameOf(sandbox);
    return this.start(sandbox, ["--on", name, "--on-again", name, ...args]).ended;
  }
}

/** Returns the name by which a user has to call the sandbox on the command line. */
export function nameOf({ baseUrl, obsBaseUrl, credentials }: Sandbox): string {
  return baseUrl ? credentials.organizationId : obsBaseUrl;
}

function environmentFor(sandbox: Sandbox): Record<string, string> {
  const settings = { ...settingsOf(sandbox), dialect: "clickhouse", requestsPerSecond: "1000" };
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      `PIPESTACK_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`,
      value,
    ]),
  );
}

const withoutSettings = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("PIPESTACK_")));
