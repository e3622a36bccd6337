import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/**
 * Runs a program to its end, without stdin, and gathers what it prints.
 * Windows starts `npm` only through a shell; every other program is started directly.
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, environment?: NodeJS.ProcessEnv, timeoutSeconds?: number, onLine?: (line: string) => void }} [options]
 * @returns {Promise<{ code: number, stdout: string, output: string }>} `output` is stdout and stderr, in the order they came
 * @throws when the program cannot be started, or takes longer than it may
 */
export function command(program, args, { cwd, environment = process.env, timeoutSeconds, onLine } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32" && program === "npm",
      signal: timeoutSeconds === undefined ? undefined : AbortSignal.timeout(timeoutSeconds * 1000),
    });
    let stdout = "";
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8");
      stream.on("data", (text) => {
        output += text;
        if (stream === child.stdout) stdout += text;
      });
      if (onLine) createInterface({ input: stream }).on("line", onLine);
    }
    child.on("error", (error) => {
      const late = error.name === "AbortError";
      reject(late ? new Error(`${program} took longer than ${timeoutSeconds} s`) : error);
    });
    child.on("close", (code) => resolve({ code: code ?? 1, stdout, output: output.trim() }));
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
