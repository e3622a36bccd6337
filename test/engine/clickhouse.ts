import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { pythonEnvironment } from "../../toolchain/languages.mjs";

/** A Python program that runs ClickHouse. It reads a query as JSON from each line, and prints a line with the rows as JSON. */
const program = `
import json, sys
from chdb import session
database = session.Session()
for line in sys.stdin:
    try:
        rows = str(database.query(json.loads(line), "JSONCompactEachRow")).splitlines()
        print(json.dumps([json.loads(row) for row in rows]), flush=True)
    except Exception as error:
        print(json.dumps({"error": str(error)}), flush=True)
`;

/** Runs a real ClickHouse database in a Python process. */
export class ClickHouse {
  readonly #answers: AsyncIterator<string>;

  private constructor(
    private readonly process: ChildProcess,
    private readonly lines: Interface,
  ) {
    this.#answers = lines[Symbol.asyncIterator]();
  }

  static async start(): Promise<ClickHouse> {
    const python = join(await pythonEnvironment(), "python");
    const child = spawn(python, ["-c", program], { stdio: ["pipe", "pipe", "inherit"] });
    return new ClickHouse(child, createInterface(child.stdout));
  }

  /** Runs a query and returns its rows. Only one query may run at a time. */
  async query(sql: string): Promise<unknown[][]> {
    this.process.stdin?.write(`${JSON.stringify(sql)}\n`);
    const { value, done } = await this.#answers.next();
    if (done) throw new Error("ClickHouse has ended");
    const answer = JSON.parse(value);
    if (!Array.isArray(answer)) throw new Error(`${answer.error}\n${sql}`);
    return answer;
  }

  async close(): Promise<void> {
    const ended = once(this.process, "exit");
    this.process.stdin?.end();
    await ended;
    this.lines.close();
  }
}
