#!/usr/bin/env node
/**
 * The resource plugin: serves the engine that started it, and prints its port on the first line. Started with the name of a command,
 * it is the command pipestack, for people without npm.
 */
import { isRunning } from "./hosts/board";
import { offer } from "./hosts/plugin/offer";
import { startServer } from "./hosts/plugin/server";

const args = process.argv.slice(2);
/** The engine passes its address, such as `127.0.0.1:40123`, or none, beside its own flags. */
const [word] = args.filter((argument) => !argument.startsWith("-"));
const isCommand = word === undefined ? /^(-h|--help|--version)$/.test(args[0] ?? "") : !/:\d+$/.test(word);

if (isCommand) {
  const { main } = require("./cli/main") as typeof import("./cli/main");
  void main();
} else serve(word);

function serve(engineAddress: string | undefined): void {
  startServer(offer, engineAddress).then(
    ({ port }) => process.stdout.write(`${port}\n`),
    (error: Error) => {
      console.error(`pipestack: the plugin cannot start: ${error.message}`);
      process.exitCode = 1;
    },
  );
  // A CLI that is killed, or crashes, leaves its plugins running, so the plugin watches its parent. On Windows the
  // parent's id stays the same.
  const engine = process.ppid;
  setInterval(() => {
    if (process.ppid !== engine || !isRunning(engine)) process.exit();
  }, 1000).unref();
}
