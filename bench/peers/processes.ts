import { readdirSync, readFileSync } from "node:fs";

const everyMilliseconds = 50;

/** The largest memory of the processes of a command, by the name of their program. It is known only on Linux. */
export type Peaks = ReadonlyMap<string, number>;

/**
 * Watches the memory of a process and of all processes that it starts, until the returned function is called.
 * @returns a function that ends the watch, and returns the peak of the resident memory of each program, in megabytes
 */
export function watchMemory(pid: number): () => Peaks {
  const peaks = new Map<number, { name: string; megabytes: number }>();
  const look = () => {
    for (const { id, name } of descendantsOf(pid)) {
      const megabytes = peakMemoryOf(id);
      if (megabytes !== undefined) peaks.set(id, { name, megabytes });
    }
  };
  const timer = setInterval(look, everyMilliseconds);
  return () => {
    clearInterval(timer);
    const largest = new Map<string, number>();
    for (const { name, megabytes } of peaks.values())
      largest.set(name, Math.max(largest.get(name) ?? 0, megabytes));
    return largest;
  };
}

interface Process {
  readonly id: number;
  readonly parent: number;
  readonly name: string;
}

export function descendantsOf(pid: number): Process[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => processOf(Number(name)) ?? []);
  const family = new Set([pid]);
  // A child process mostly, but not always, has a higher number than its parent, so this loop searches all processes.
  for (let size = 0; size < family.size; ) {
    size = family.size;
    for (const { id, parent } of all) if (family.has(parent)) family.add(id);
  }
  return all.filter(({ id }) => family.has(id));
}

/** Reads the facts about a process; undefined if the process has ended meanwhile. */
function processOf(id: number): Process | undefined {
  try {
    // In Linux's file about a process, the fields follow the name of the process. The name is in brackets, cut to 15
    // characters, and may contain any character.
    const [, fields = ""] = readFileSync(`/proc/${id}/stat`, "utf8").split(/\) (?=\S \d)/);
    const program = readFileSync(`/proc/${id}/cmdline`, "utf8").split("\0");
    return { id, parent: Number(fields.split(" ")[1]), name: programName(program) };
  } catch {
    return undefined;
  }
}

/** Returns the file name of the program that a process runs, or of the script that Node runs. */
function programName([program = "", ...args]: string[]): string {
  const file = /(^|\/)node$/.test(program) ? (args.find((arg) => !arg.startsWith("-")) ?? program) : program;
  return file.split("/").at(-1) ?? file;
}

function peakMemoryOf(id: number): number | undefined {
  try {
    const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1];
    return peak === undefined ? undefined : Number(peak) / 1024;
  } catch {
    return undefined;
  }
}
