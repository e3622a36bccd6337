#!/usr/bin/env node
/** The resource plugin: serves the engine that started it, and prints its port on the first line. */
import { isRunning } from "./hosts/board";
import { offer } from "./hosts/plugin/offer";
import { startServer } from "./hosts/plugin/server";

const [engineAddress] = process.argv.slice(2).filter((argument) => !argument.startsWith("-"));
startServer(offer, engineAddress).then(
  ({ port }) => process.stdout.write(`${port}\n`),
  (error: Error) => {
    console.error(`pipestack: the plugin cannot start: ${error.message}`);
    process.exitCode = 1;
  },
);

// A CLI that is killed, or ends without a word, leaves its plugins running. On Windows they keep its id as their parent's.
const engine = process.ppid;
setInterval(() => {
  if (process.ppid !== engine || !isRunning(engine)) process.exit();
}, 1000).unref();
