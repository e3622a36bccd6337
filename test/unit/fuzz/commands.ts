import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import type { Command, Option } from "commander";
import fc from "fast-check";
import { createProgram, run } from "../../../cli/main";
import { settingVariables } from "../../pipestackCommand";
import { expectNoLeaks } from "../../secrets";
import { withoutEnvironment } from "../hosts/dynamic/hostProcess";
import { expectPlain, forAll } from "./cases";
import { Judge } from "./judge";

/** Generates values of options and other words. They contain no zero character, since no process can get one as an argument. */
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

const pathText = text.map((value) => `./${value.replaceAll(/[./\\]/g, "_")}`);

interface Ran {
  readonly output: string;
  readonly code: number;
}

function useCommand() {
  const judge = new Judge();
  const sandboxes: { readonly [option: string]: unknown }[] = [];
  const checkout = process.cwd();
  const sandboxModule = require.resolve("../../../cli/sandbox/command");
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
    // The command `pipestack sandbox` would start a real sandbox, which runs until it is interrupted, so the test replaces its
    // module.
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

/**
 * Generates arguments of a `pipestack` command: some of its options with valid and invalid values, other options, and single
 * words.
 */
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

function isSandboxOption([name, value]: [string, unknown]): boolean {
  if (/port$/i.test(name)) return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65535;
  if (name === "dialect") return value === "neutral" || value === "clickhouse";
  if (name === "apis") return ["both", "management", "observability"].includes(value as string);
  return typeof value === "string" || typeof value === "boolean";
}

/** Defines fuzz tests of the options of every `pipestack` command, also of commands that are added later. */
export function fuzzCommands(): void {
  describe("Fuzzed options of the command pipestack", () => {
    const { judge, sandboxes, runHere } = useCommand();

    for (const command of createProgram(() => undefined).commands) {
      forAll(
        `pipestack ${command.name()} refuses fuzzed options with a plain error, or carries them out`,
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
    forAll(
      "pipestack refuses its own fuzzed options with a plain error, or carries them out",
      250,
      words,
      async (args) => {
        const { output } = await runHere(args.filter((word) => word !== "sandbox"));
        if (output !== "") expectPlain(output.slice(0, 3900));
      },
    );
  });
}
