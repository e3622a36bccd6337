import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/**
 * Runs a program to its end, without stdin, and gathers what it prints.
 * Windows starts `npm` only through a shell; every other program is started directly.
 * @param {string} program
 * @param {string[]} args
 * @param {import("./command.mjs").CommandOptions} [options]
 * @returns {Promise<import("./command.mjs").CommandResult>}
 * @throws when the program cannot be started, or takes longer than it may
 */
export function command(
  program,
  args,
  { cwd, environment = process.env, timeoutSeconds, onLine, started } = {},
) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32" && program === "npm",
      signal: timeoutSeconds === undefined ? undefined : AbortSignal.timeout(timeoutSeconds * 1000),
    });
    started?.(child);
    const printed = { stdout: "", stderr: "", output: "" };
    for (const name of ["stdout", "stderr"]) {
      child[name].setEncoding("utf8").on("data", (text) => {
        printed[name] += text;
        printed.output += text;
      });
      if (onLine) createInterface({ input: child[name] }).on("line", onLine);
    }
    child.on("error", (error) => {
      const late = `${program} took longer than ${timeoutSeconds} s\n${lastLines(printed.output, 30)}`;
      reject(error.name === "AbortError" ? new Error(late.trim()) : error);
    });
    child.on("close", (code, signal) => {
      const end = signal === null ? "" : `\nended by ${signal}`;
      resolve({ ...printed, code, output: (printed.output + end).trim() });
    });
  });
}

/** The last `count` lines that say something, for an error message. */
export function lastLines(output, count) {
  return output
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("npm warn"))
    .slice(-count)
    .join("\n");
}
