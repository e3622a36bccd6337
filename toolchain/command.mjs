import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/**
 * @typedef {object} CommandResult the result of running a program
 * @property {number | null} code null if a signal ended the program
 * @property {string} stdout
 * @property {string} stderr
 * @property {string} output both streams in the order in which they came, and the signal that ended the program, if any
 */

/**
 * @typedef {object} CommandOptions the options for running a program
 * @property {string} [cwd]
 * @property {Record<string, string | undefined>} [environment] default: the environment of this process
 * @property {number} [timeoutSeconds] default: no limit
 * @property {(line: string) => void} [onLine] called with each line that the program prints
 * @property {(child: import("node:child_process").ChildProcess) => void} [started] called once the program runs
 */

/**
 * Runs a program to its end, without stdin, and collects its output. Windows starts `npm` only through a shell, so only that
 * program gets one.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {CommandOptions} [options]
 * @returns {Promise<CommandResult>}
 * @throws when the program cannot be started, or exceeds its time limit
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
    for (const name of /** @type {const} */ (["stdout", "stderr"])) {
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

/**
 * Runs a program that has to end with exit code 0.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {CommandOptions} [options]
 * @throws with the end of the program's output when it fails
 */
export async function succeed(program, args, options) {
  const result = await command(program, args, options);
  if (result.code === 0) return result;
  throw new Error(`${program} ${args.slice(0, 3).join(" ")} fails:\n${lastLines(result.output, 100)}`);
}

/**
 * Returns the last `count` lines of a program's output that are not blank, for an error message.
 * @param {string} output
 * @param {number} count
 */
export function lastLines(output, count) {
  return output
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("npm warn"))
    .slice(-count)
    .join("\n");
}
