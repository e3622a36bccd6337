/**
 * The resource plugin. It serves the Pulumi engine that started it, and prints its port on the first line of its output. If it
 * is started with the name of a command, it is the `pipestack` command, for people without npm.
 */
import { shareLimits } from "../provider/api/privateFolder";
import { isRunning } from "../provider/hosts/ownership/board";
import { offer } from "../provider/hosts/plugin/offer";
import { startServer } from "../provider/hosts/plugin/server";

const args = process.argv.slice(2);
/** The Pulumi engine starts the plugin with its own flags and, in most cases, its address, such as `127.0.0.1:40123`. */
const [word] = args.filter((argument) => !argument.startsWith("-"));
const isCommand = word === undefined ? /^(-h|--help|--version)$/.test(args[0] ?? "") : !/:\d+$/.test(word);

if (isCommand) {
  const { main } = require("./main") as typeof import("./main");
  void main();
} else serve(word);

function serve(engineAddress: string | undefined): void {
  shareLimits();
  startServer(offer, engineAddress).then(
    ({ port }) => process.stdout.write(`${port}\n`),
    (error: Error) => {
      console.error(`pipestack: the plugin cannot start: ${error.message}`);
      process.exitCode = 1;
    },
  );
  // A Pulumi CLI that crashes or is killed leaves its plugins running, so the plugin ends when its parent process is gone. On
  // Windows the parent's id stays the same.
  const engine = process.ppid;
  setInterval(() => {
    if (process.ppid !== engine || !isRunning(engine)) process.exit();
  }, 1000).unref();
}
