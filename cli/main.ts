#!/usr/bin/env node
import { inspect } from "node:util";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { dialectNames } from "../provider/api/dialect";
import { enums } from "../provider/api/enums.golden";
import { observabilityRoutes } from "../provider/api/operations";
import { shareLimits } from "../provider/api/privateFolder";
import { typeNames } from "../provider/resources/registry";
import { nearest } from "../provider/values/nearest";
import { printable, printableMessage } from "../provider/values/printable";
import { packageVersion } from "../provider/values/version";
import { type ExitCode, exitCodes } from "./shared/output";
import { orphanTypes } from "./shared/session";

/** The commands of the CLI `pipestack` with their options. The code of a command is loaded only when it runs. */
export function createProgram(ended: (code: ExitCode) => void): Command {
  const program = new Command("pipestack")
    .description("Companion of the Pulumi provider pipestack")
    .configureOutput({
      writeOut: (text) => console.log(text.trimEnd()),
      // An error message of the CLI repeats arguments, which may contain anything, so control characters are escaped.
      writeErr: (text) => console.error(printableMessage(text.trimEnd())),
    })
    .exitOverride()
    .version(packageVersion())
    .addHelpText(
      "afterAll",
      `
Exit codes: ${exitCodes.done} success, ${exitCodes.findings} something found (drift, orphans, mistakes), ${exitCodes.failed} error.

Settings come from options, then from PIPESTACK_… environment variables, then
from the configuration of the stack, then from the defaults of the dialect.`,
    );

  program
    .command("sandbox")
    .description("run both APIs of the service on this machine, to try and test programs")
    .option("--port <number>", "port of the management API (default: a free one)", portNumber)
    .option("--obs-port <number>", "port of the observability API (default: a free one)", portNumber)
    .option("--console-port <number>", "port of the console page (default: a free one)", portNumber)
    .option("--state <file>", "file that keeps the contents across restarts")
    .option("--faults <file>", "JSON file of faults to inject: a list of {kind, operation, …}")
    .option("--tls <file>", "serve with TLS; write the certificate, for NODE_EXTRA_CA_CERTS, to this file")
    .addOption(
      new Option("--dialect <name>", "vocabulary of the APIs").choices(dialectNames).default("neutral"),
    )
    .option("--server-version <version>", "version of ClickStack, 2.36 or 2.46, with --dialect clickhouse")
    .addOption(new Option("--apis <which>", "APIs to serve").choices(observabilityRoutes).default("both"))
    .action(async (options) => {
      const { runSandbox } = require("./sandbox/command") as typeof import("./sandbox/command");
      ended(await runSandbox(options));
    });

  program
    .command("drift")
    .description(
      `compare the declared values of a stack with the service; exit code ${exitCodes.findings} if they differ`,
    )
    .option("--stack <name>", "stack (default: the selected one)")
    .option("--cwd <folder>", "folder of the Pulumi project", ".")
    .addOption(new Option("--json", "print JSON instead of a table").conflicts(["markdown", "asCode"]))
    .addOption(new Option("--markdown", "print Markdown, for an issue or a pull request").conflicts("asCode"))
    .option("--as-code", "print declarations that keep the live values")
    .option("--expiring <days>", "name the API keys that end within so many days, too", daysIn)
    .action(async (options) => {
      const { reportDrift } = require("./drift/command") as typeof import("./drift/command");
      ended(await reportDrift(options));
    });

  program
    .command("draw")
    .description(
      "draw the dashboards that a program declares before they exist: SVG files and an offline page",
    )
    .option("--stack <name>", "stack (default: the selected one)")
    .option("--cwd <folder>", "folder of the Pulumi project", ".")
    .addOption(new Option("--state", "draw the state of the last deployment").conflicts(["live", "after"]))
    .addOption(new Option("--live", "draw the live state of the service").conflicts("after"))
    .option(
      "--before <file>",
      "compare with this file: mark moved, resized, added, removed and changed tiles",
    )
    .option(
      "--after <file>",
      "draw this file: from --json, pulumi preview --json --show-sames, or pulumi stack export",
    )
    .option("--out <folder>", "folder for dashboards.html and the SVG files", "dashboards")
    .addOption(
      new Option(
        "--json",
        "print the dashboards as JSON, for --before and --after, instead of drawing",
      ).conflicts(["before", "data"]),
    )
    .option("--data <source>", "show the values of tiles; name or id of the source for series that name none")
    .addOption(
      new Option("--last <duration>", "time range of --data: a count and a unit (m, h, d)")
        .argParser(duration)
        .default(86_400_000, "24h"),
    )
    .option("--until <time>", "end of that range, such as 2025-06-15T12:00:00Z (default: now)", moment)
    .addOption(
      new Option("--granularity <width>", "width of one bucket").choices(enums.granularity).default("auto"),
    )
    .action(async (options) => {
      const { drawDashboards } = require("./draw/command") as typeof import("./draw/command");
      ended(await drawDashboards(options));
    });

  program
    .command("alerts")
    .description(
      "say how often the alerts that a program declares would have fired: a table, JSON or pictures",
    )
    .requiredOption("--backtest <duration>", "time to look back: a count and a unit (m, h, d)", duration)
    .option("--until <time>", "end of that time, such as 2025-06-15T12:00:00Z (default: now)", moment)
    .option("--stack <name>", "stack (default: the selected one)")
    .option("--cwd <folder>", "folder of the Pulumi project", ".")
    .option("--live", "test the alerts of the service")
    .option("--data <source>", "name or id of the source for series that name none")
    .option("--json", "print JSON with each firing instead of a table")
    .option(
      "--draw <folder>",
      "write alerts.html and SVG files of the values, the thresholds and the firings, too",
    )
    .action(async (options) => {
      const { backtestAlerts } = require("./alerts/command") as typeof import("./alerts/command");
      ended(await backtestAlerts(options));
    });

  program
    .command("import")
    .description("write a program for the objects of a service, and the file from which Pulumi imports them")
    .option("--stack <name>", "stack whose configuration holds settings (default: the selected one)")
    .option("--cwd <folder>", "folder of the Pulumi project", ".")
    .option("--out <folder>", "folder for the program and import.json", ".")
    .option("--service <id>", "service (default: the setting serviceId)")
    .option("--organization <id>", "organization (default: the setting organizationId)")
    .option("--only <types>", `some of ${typeNames.join(",")} (repeatable)`, someOf(typeNames))
    .addOption(
      new Option(
        "--plugin <language>",
        "write for the resource plugin, in this language (default: for the dynamic provider)",
      ).choices(["typescript", "python"]),
    )
    .option(
      "--terraform <file>",
      "import the objects of this state of Terraform or of a Pulumi stack with its provider, or of import blocks, under their names there",
    )
    .addOption(
      new Option(
        "--json <files...>",
        "declare the dashboards and alerts of these files as new ones: exports of the product's page, its templates, lists of its API",
      ).conflicts(["terraform"]),
    )
    .option("--force", "overwrite existing files")
    .action(async (options) => {
      const { importService } = require("./import/command") as typeof import("./import/command");
      ended(await importService(options));
    });

  program
    .command("orphans")
    .description(
      `list the objects of a service that no state of the given stacks holds; exit code ${exitCodes.findings} if there are any. ` +
        "Settings may come from the configuration of the first stack",
    )
    .option("--stack <name>", "stack (repeatable; default: the selected one)", repeated)
    .option("--cwd <folder>", "folder of a Pulumi project (repeatable; default: the current one)", repeated)
    .option("--state <file>", 'file written by "pulumi stack export" (repeatable)', repeated)
    .option("--service <id>", "service (default: the setting serviceId)")
    .option("--organization <id>", "organization (default: the setting organizationId)")
    .option("--only <types>", `some of ${orphanTypes.join(",")} (repeatable)`, someOf(orphanTypes))
    .option("--json", "print JSON instead of a table")
    .addOption(new Option("--delete", "delete the orphans after confirmation").conflicts(["recover"]))
    .addOption(
      new Option(
        "--recover",
        "after confirmation, import orphans that match resources of the first stack's program",
      ).conflicts(["json"]),
    )
    .option("--yes", "with --delete or --recover: do not ask")
    .action(async (options) => {
      const { reportOrphans } = require("./orphans/command") as typeof import("./orphans/command");
      ended(await reportOrphans(options));
    });

  program
    .command("doctor")
    .description("check the settings, the key and the server, by one read of each kind and no write")
    .option("--stack <name>", "stack whose configuration holds settings (default: the selected one)")
    .option("--cwd <folder>", "folder of the Pulumi project", ".")
    .option("--service <id>", "service (default: the setting serviceId)")
    .option("--organization <id>", "organization (default: the setting organizationId)")
    .option("--only <types>", `some of ${typeNames.join(",")} (repeatable)`, someOf(typeNames))
    .option("--json", "print JSON instead of tables")
    .action(async (options) => {
      const { examineAccess } = require("./doctor/command") as typeof import("./doctor/command");
      ended(await examineAccess(options));
    });

  // `showHelpAfterError` comes last, since a command inherits the settings that the parser has when the command is added. This
  // help lists the commands, and would not fit an error about the options of a command.
  const names = program.commands.map((command) => command.name());
  return program.showHelpAfterError(`The commands are ${names.join(", ")}; --help says more.`);
}

/** Runs a command of the CLI and returns its exit code. Whatever fails, the user sees one message. */
export async function run(args: readonly string[]): Promise<number> {
  let code: ExitCode = exitCodes.done;
  const program = createProgram((ended) => {
    code = ended;
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    // The parser of arguments has already printed the error, or the requested help, so nothing more is printed.
    if (error instanceof CommanderError) return error.exitCode;
    console.error(printableMessage(`error: ${error instanceof Error ? error.message : error}`));
    if (process.env.PIPESTACK_DEBUG) console.error(printable(inspect(error)));
    return exitCodes.failed;
  }
}

/** Exits with 0 only once the command has completed: if a connection breaks, Node may end while a promise is still open. */
export async function main(): Promise<void> {
  process.exitCode = exitCodes.failed;
  shareLimits();
  const hold = setInterval(() => undefined, 60_000);
  process.stdout.on("error", reportLostOutput);
  process.exitCode = await run(process.argv.slice(2));
  clearInterval(hold);
}

/** Ends the process if the output cannot be written: `console.log` ignores a full disk. A closed pipe (`head`) is no error. */
function reportLostOutput({ code, message }: NodeJS.ErrnoException): void {
  if (code === "EPIPE") return;
  console.error(`error: the output could not be written: ${message}`);
  process.exit(exitCodes.failed);
}

if (require.main === module) void main();

function daysIn(text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("A number of days is a whole number from 0 to 9999.");
}

function portNumber(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65535) return port;
  throw new InvalidArgumentError("A port is a number from 0 (a free one) to 65535.");
}

function duration(text: string): number {
  const [, count, unit = ""] = /^(\d+)(m|h|d)$/.exec(text) ?? [];
  const length = Number(count) * ({ m: 60_000, h: 3_600_000, d: 86_400_000 }[unit] ?? 0);
  if (length > 0 && length <= 366 * 86_400_000) return length;
  throw new InvalidArgumentError("A duration is a count and a unit (m, h or d), such as 24h, up to 366d.");
}

function moment(text: string): number {
  const time = Date.parse(text);
  const isWhole = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*(Z|[+-]\d\d:?\d\d)$/i.test(text);
  if (isWhole && time > Date.UTC(2002, 0)) return time;
  throw new InvalidArgumentError("A time is a date, a time of day and a zone, such as 2025-06-15T12:00:00Z.");
}

function repeated(text: string, before: string[] = []): string[] {
  return [...before, text];
}

/** Parses an option's list of names, in upper or lower case. A repeated option adds to the list. */
function someOf<Name extends string>(names: readonly Name[]) {
  return (text: string, before: readonly Name[] = []): Name[] => {
    const more = text.split(",").map((word) => {
      const match = names.find((name) => name.toLowerCase() === word.trim().toLowerCase());
      if (match !== undefined) return match;
      const suggestion = nearest(word.trim(), names);
      const advice = suggestion ? ` Did you mean ${suggestion}?` : "";
      throw new InvalidArgumentError(`Expected one or more of ${names.join(", ")}.${advice}`);
    });
    return [...new Set([...before, ...more])];
  };
}
