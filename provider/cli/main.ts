#!/usr/bin/env node
import { inspect } from "node:util";
import { Command, InvalidArgumentError, Option } from "commander";
import { dialectNames } from "../api/dialect";
import { observabilityRoutes } from "../api/operations";
import { printable, printableMessage } from "../api/printable";
import { packageVersion } from "../api/version";
import { granularities } from "../functions/granularities";
import { orphanTypes, typeNames } from "./shared/typeNames";

// The code of a command is loaded when it runs.
export const program = new Command("pipestack")
  .description("Companion of the Pulumi provider pipestack")
  // An argument that is repeated in an error may hold anything.
  .configureOutput({ outputError: (text, write) => write(printableMessage(text)) })
  .version(packageVersion());

program
  .command("sandbox")
  .description("run both APIs of the service on this machine, for trying and testing programs")
  .option("--port <number>", "port of the management API (default: a free one)", portNumber)
  .option("--obs-port <number>", "port of the observability API (default: a free one)", portNumber)
  .option("--console-port <number>", "port of the console, a page (default: a free one)", portNumber)
  .option("--state <file>", "file that keeps what is in the sandbox over restarts")
  .option("--faults <file>", "JSON file of faults to happen: a list of {kind, operation, …}")
  .option("--tls <file>", "serve with TLS, and write the certificate for NODE_EXTRA_CA_CERTS to this file")
  .addOption(new Option("--dialect <name>", "whose words it speaks").choices(dialectNames).default("neutral"))
  .addOption(
    new Option("--apis <which>", "which APIs it serves").choices(observabilityRoutes).default("both"),
  )
  .action((options) =>
    (require("./sandbox/command") as typeof import("./sandbox/command")).runSandbox(options),
  );

program
  .command("drift")
  .description(
    "compare what a stack declares with what the service has; exit code 7 if they differ, 1 on errors",
  )
  .option("--stack <name>", "the stack (default: the selected one)")
  .option("--cwd <folder>", "folder of the Pulumi project", ".")
  .option("--json", "print JSON instead of a table")
  .action((options) => (require("./drift/command") as typeof import("./drift/command")).reportDrift(options));

program
  .command("draw")
  .description(
    "draw the dashboards that a stack declares, before anything of them exists: SVG files and a page that needs no network",
  )
  .option("--stack <name>", "the stack (default: the selected one)")
  .option("--cwd <folder>", "folder of the Pulumi project", ".")
  .addOption(new Option("--state", "draw what the last deployment left").conflicts(["live", "after"]))
  .addOption(
    new Option(
      "--live",
      "draw what the service has; settings as for import, or as the stack's configuration has them",
    ).conflicts("after"),
  )
  .option(
    "--before <file>",
    "draw this beside it, with moved, resized, added, removed and changed tiles marked",
  )
  .option(
    "--after <file>",
    "draw this file: from --json, pulumi preview --json --show-sames, or pulumi stack export",
  )
  .option("--out <folder>", "where to write dashboards.html and the SVG files", "dashboards")
  .addOption(
    new Option(
      "--json",
      "print the dashboards as JSON, for --before and --after, and draw nothing",
    ).conflicts(["before", "data"]),
  )
  .option(
    "--data <source>",
    "show the values of tiles; series that name no source take this one (name or id)",
  )
  .addOption(
    new Option("--last <duration>", "time range of --data: a count and a unit (m, h, d)")
      .argParser(duration)
      .default(86_400_000, "24h"),
  )
  .option("--until <time>", "its end, such as 2025-06-15T12:00:00Z (default: now)", moment)
  .addOption(
    new Option("--granularity <width>", "width of one bucket").choices(granularities).default("auto"),
  )
  .action((options) =>
    (require("./draw/command") as typeof import("./draw/command")).drawDashboards(options),
  );

program
  .command("import")
  .description(
    "write a program that declares what a service has, and the file with which Pulumi takes it over. " +
      "The settings come from PIPESTACK_… variables",
  )
  .option("--out <folder>", "where to write index.ts and import.json", ".")
  .option("--service <id>", "the service (default: PIPESTACK_SERVICE_ID)")
  .option("--organization <id>", "its organization (default: PIPESTACK_ORGANIZATION_ID)")
  .option("--only <types>", `some of ${typeNames.join(",")}`, someOf(typeNames))
  .option("--force", "overwrite files that are there")
  .action((options) =>
    (require("./import/command") as typeof import("./import/command")).importService(options),
  );

program
  .command("orphans")
  .description(
    "list what a service has that no state of the given stacks holds; exit code 7 if there is any, 1 on errors. " +
      "The settings come from PIPESTACK_… variables, then from the first stack's configuration",
  )
  .option("--stack <name>", "a stack (repeatable; default: the selected one)", repeated)
  .option("--cwd <folder>", "folder of a Pulumi project (repeatable; default: this one)", repeated)
  .option("--state <file>", 'a file that "pulumi stack export" has written (repeatable)', repeated)
  .option("--service <id>", "the service (default: that of the settings)")
  .option("--organization <id>", "its organization (default: that of the settings)")
  .option("--only <types>", `some of ${orphanTypes.join(",")}`, someOf(orphanTypes))
  .option("--json", "print JSON instead of a table")
  .option("--delete", "delete them, after asking")
  .option("--yes", "with --delete: do not ask")
  .action((options) =>
    (require("./orphans/command") as typeof import("./orphans/command")).reportOrphans(options),
  );

/** Runs a command; what goes wrong is one message and an exit code. */
export async function run(args: readonly string[]): Promise<void> {
  await program.parseAsync(args, { from: "user" }).catch((error: unknown) => {
    console.error(printableMessage(`error: ${error instanceof Error ? error.message : error}`));
    if (process.env.PIPESTACK_DEBUG) console.error(printable(inspect(error)));
    process.exitCode = 1;
  });
}

if (require.main === module) void run(process.argv.slice(2));

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
  throw new InvalidArgumentError(
    "A time is a date with a time of day and a zone, such as 2025-06-15T12:00:00Z.",
  );
}

function repeated(text: string, before: string[] = []): string[] {
  return [...before, text];
}

/** Reads a list of names, in upper or lower case, of which one has to know some. */
function someOf<Name extends string>(names: readonly Name[]) {
  return (text: string): Name[] =>
    text.split(",").map((given) => {
      const found = names.find((name) => name.toLowerCase() === given.trim().toLowerCase());
      if (found === undefined) throw new InvalidArgumentError(`Types are ${names.join(", ")}.`);
      return found;
    });
}
