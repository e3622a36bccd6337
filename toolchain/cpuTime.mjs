import { readFileSync } from "node:fs";

/**
 * Returns user and system time, in seconds, of all child processes that have ended, and of their children; undefined except on
 * Linux.
 */
export function cpuSecondsOfChildren() {
  if (process.platform !== "linux") return undefined;
  // In Linux's file about a process, the fields follow the name of the process, which is in brackets. The kernel counts CPU
  // time in hundredths of a second.
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
