import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import type { Command, Option } from "commander";
import fc from "fast-check";
import { createProgram, run } from "../../../provider/cli/main";
import { settingVariables } from "../../pipestackCommand";
import { expectNoLeaks } from "../../secrets";
import { withoutEnvironment } from "../hosts/dynamic/hostProcess";
import { expectPlain, forAll } from "./cases";
import { Judge } from "./judge";

/** What may follow an option or stand by itself. No shell can give a process a text with a zero in it. */
const text = fc
  .oneof(
    fc.constantFrom(
      ...["", " ", "-", "-1", "0", "1.5", "65535", "65536", "1e3", "0x10", "true", "null", "a\nb", "dev"],
      ...["neutral", "clickhouse", "both", "management", "Alert", "alert,apikey", "alert,,", "24h", "5m"],
      ...["\u001b[31m", "\u202e", "👩‍💻", "x".repeat(5000), "$(id)", "`id`", "; id", "%s%n", "__proto__"],
      "constructor",
    ),
    fc.uuid(),
    fc.string({ unit: "binary", maxLength: 20 }),
  )
  .map((value) => value.replaceAll("\u0000", ""));

/** What is written or read by such a name stays where it may be. */
const pathText = text.map((value) => `./${value.replaceAll(/[./\\]/g, "_")}`);

interface Ran {
  readonly output: string;
  readonly code: number;
}

/** Where a command is started with everything that it needs to reach a service and its own folder. */
function useCommand() {
  const judge = new Judge();
  const sandboxes: { readonly [option: string]: unknown }[] = [];
  const checkout = process.cwd();
  const sandboxModule = require.resolve("../../../provider/cli/sandbox/command");
  let folder = "";
  let restore: () => void;

  before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "pipestack-fuzz-")));
    process.chdir(folder);
    const restoreEnvironment = withoutEnvironment();
    await judge.start();
    Object.assign(process.env, settingVariables(judge.settings), {
      PIPESTACK_PULUMI: join(folder, "nowhere"),
    });
    // The sandbox runs until it is interrupted, and so would the tests.
    const cached = require.cache[sandboxModule];
    const runSandbox = async (options: (typeof sandboxes)[number]) => {
      sandboxes.push(options);
      return 0;
    };
    require.cache[sandboxModule] = { ...(module as NodeJS.Module), exports: { runSandbox } };
    restore = () => {
      if (cached) require.cache[sandboxModule] = cached;
      else delete require.cache[sandboxModule];
      restoreEnvironment();
      process.chdir(checkout);
    };
  });
  after(async () => {
    restore();
    await judge.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs a command in this process, and says what it has shown. */
  async function runHere(args: readonly string[]): Promise<Ran> {
    const output: string[] = [];
    const { log, error } = console;
    console.log = console.error = (...parts: unknown[]) => void output.push(parts.map(String).join(" "));
    try {
      const code = await run(args);
      return { output: output.join("\n"), code };
    } finally {
      Object.assign(console, { log, error });
    }
  }
  return { judge, sandboxes, runHere, folder: () => folder };
}

/** Any arguments of a command: some of its options with good and bad values, others, and words that stand alone. */
function argumentsOf(command: Command): fc.Arbitrary<string[]> {
  const options = fc.oneof(
    ...command.options.map((option) => valuesOf(option).map((value) => optionOf(option, value))),
    text.map((value) => [`--${value}`]),
    text.map((value) => [value]),
  );
  return fc.array(options, { maxLength: 5 }).map((groups) => [command.name(), ...groups.flat()]);
}

function valuesOf({ flags, argChoices }: Option): fc.Arbitrary<string> {
  if (/<(file|folder)>/.test(flags)) return pathText;
  const choices = argChoices ?? [];
  return choices.length > 0 ? fc.oneof(fc.constantFrom(...choices), text) : text;
}

function optionOf({ long, flags }: Option, value: string): string[] {
  if (!flags.includes("<")) return [long ?? ""];
  return value.startsWith("-") ? [`${long}=${value}`] : [long ?? "", value];
}

/** What a sandbox may be told, as its documentation says. */
function isSandboxOption([name, value]: [string, unknown]): boolean {
  if (/port$/i.test(name)) return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65535;
  if (name === "dialect") return value === "neutral" || value === "clickhouse";
  if (name === "apis") return ["both", "management", "observability"].includes(value as string);
  return typeof value === "string" || typeof value === "boolean";
}

/** The options of every command, also of those that will come, with any values. */
export function fuzzCommands(): void {
  describe("Options of the command", () => {
    const { judge, sandboxes, runHere } = useCommand();

    for (const command of createProgram(() => undefined).commands) {
      forAll(
        `refuses options of ${command.name()} plainly, or carries them out`,
        250,
        argumentsOf(command),
        async (args) => {
          judge.reset();
          const { output, code } = await runHere(args);
          expect(code, output).to.be.oneOf([0, 1, 7]);
          if (output !== "") expectPlain(output.slice(0, 3900));
          if (code !== 0) expect(output).to.match(/error: \S/);
          const { keySecret = "", accessToken = "" } = judge.settings;
          expectNoLeaks({ keySecret, accessToken }, { output });
          expect(judge.faults.join("\n")).to.equal("");
          for (const options of sandboxes.splice(0))
            expect(Object.entries(options).filter((option) => !isSandboxOption(option))).to.deep.equal([]);
        },
      );
    }

    const words = fc.array(
      fc.oneof(text, fc.constantFrom("help", "--help", "--version", "-V", "-h", "drift", "--")),
      { maxLength: 4 },
    );
    forAll("refuses options of pipestack itself plainly, or carries them out", 250, words, async (args) => {
      const { output } = await runHere(args.filter((word) => word !== "sandbox"));
      if (output !== "") expectPlain(output.slice(0, 3900));
    });
  });
}
