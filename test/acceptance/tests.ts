import { join } from "node:path";
import { config } from "chai";
import Mocha from "mocha";

/** The result of one test of the run. */
export interface Result {
  readonly title: string;
  readonly seconds: number;
  readonly failure?: string;
}

/** Runs the life of every resource type in this process, and tells the process that started it each result. */
function main(): void {
  config.truncateThreshold = 0;
  const mocha = new Mocha({ timeout: 20 * 60_000, reporter: class {} as never });
  for (const name of ["life.test.ts", "otherClients.test.ts"])
    mocha.addFile(join(__dirname, "..", "life", name));
  const { PIPESTACK_ACCEPTANCE_TYPES: pattern } = process.env;
  if (pattern) mocha.grep(new RegExp(pattern));
  const runner = mocha.run((failures) => process.exit(failures === 0 ? 0 : 1));
  const tell = (test: Mocha.Runnable, error?: Error) =>
    process.send?.({
      title: test.title,
      seconds: (test.duration ?? 0) / 1000,
      ...(error && { failure: error.message }),
    } satisfies Result);
  runner.on(Mocha.Runner.constants.EVENT_TEST_PASS, (test) => tell(test));
  runner.on(Mocha.Runner.constants.EVENT_TEST_FAIL, tell);
}

main();
