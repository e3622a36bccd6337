import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import type { Fixture } from "../fixture";

interface RunningProcess {
  readonly pid: number;
  readonly commandLine: string;
}

/**
 * Lists the processes that the CLI of a workspace has started, including those that have outlived it. Each has the workspace's
 * own PULUMI_HOME in its environment, which Linux shows below /proc.
 */
function processesOf({ environment }: Fixture): RunningProcess[] {
  const variable = `PULUMI_HOME=${environment.PULUMI_HOME}`;
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      if (!readFileSync(`/proc/${name}/environ`, "utf8").split("\0").includes(variable)) return [];
      const commandLine = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
      // A process that has ended may still be listed in /proc, but without a command line, so it is left out.
      return commandLine === "" ? [] : [{ pid: Number(name), commandLine }];
    } catch {
      // A process that has ended, or that belongs to another user, has no readable files in /proc, and is left out.
      return [];
    }
  });
}

/**
 * Returns the id of the process in which the provider runs: the dynamic host, which is the Node program
 * `@pulumi/pulumi/cmd/dynamic-provider`, or the plugin.
 */
export function hostProcess(fixture: Fixture): number {
  const hosts = processesOf(fixture).filter(({ commandLine }) =>
    /^\S*node\S* .*(cmd\/dynamic-provider|pulumi-resource-pulumi-nodejs|pulumi-resource-pipestack)/.test(
      commandLine,
    ),
  );
  const [host] = hosts;
  if (!host || hosts.length > 1) throw new Error(`the CLI runs ${hosts.length} hosts, not one`);
  return host.pid;
}

/** Ends the processes that a killed CLI leaves running, as the end of a container does, and waits until they are gone. */
export async function endLeftProcesses(fixture: Fixture): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (let left = processesOf(fixture); left.length > 0; left = processesOf(fixture)) {
    if (Date.now() > deadline)
      throw new Error(`a minute after SIGKILL there still is ${left[0]?.commandLine}`);
    for (const { pid } of left) {
      try {
        process.kill(pid, "SIGKILL");
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    }
    await setTimeout(10);
  }
}
