import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { isObject } from "../../provider/values/data";
import { type CommandResult, runPulumi } from "./pulumi";

export interface StateResource {
  readonly urn: string;
  readonly type: string;
  /** True if the resource has been replaced, and still waits to be deleted. */
  readonly delete?: boolean;
  /** True if a replacement has deleted the object first, and was interrupted before it created the next one. */
  readonly pendingReplacement?: boolean;
  /** True if the program only reads the resource. */
  readonly external?: boolean;
  /** Properties whose changes the program tells the engine to ignore (`ignoreChanges`). */
  readonly ignoreChanges?: readonly string[];
  readonly id?: string;
  readonly parent?: string;
  /** The resource's provider in the Pulumi state: its URN, followed by its id. */
  readonly provider?: string;
  /** Whether the resource is a custom resource; false for a component. */
  readonly custom?: boolean;
  readonly inputs?: { readonly [name: string]: unknown };
  readonly outputs?: { readonly [name: string]: unknown };
  /** For each input of the resource, the URNs of the resources whose outputs it uses. */
  readonly propertyDependencies?: { readonly [input: string]: readonly string[] | null };
}

export interface StackExport {
  readonly resources: readonly StateResource[];
  /** The operations that an interrupted update began, and that may or may not have been carried out. */
  readonly pending: readonly { readonly resource: StateResource; readonly type: string }[];
}

export interface Preview {
  readonly steps?: readonly PreviewStep[];
  /** The number of steps of each type (create, update and so on) in the preview. */
  readonly changeSummary?: { readonly [op: string]: number };
  readonly diagnostics?: readonly Diagnostic[];
}

export interface PreviewStep {
  readonly op: string;
  readonly urn: string;
  readonly oldState?: StateResource;
  readonly newState?: StateResource;
}

/** A resource in the result of a refresh, which shows no values of secrets. */
export interface RefreshStep {
  /** The refresh's result for the resource: `same`, `update` if inputs differ, `delete` if the object is gone. */
  readonly op: string;
  readonly urn: string;
  /** The properties that differ, secret ones too, without those that the program ignores; absent if none differs. */
  readonly diffs?: readonly string[];
  readonly old?: Partial<StateResource> | null;
  readonly new?: Partial<StateResource> | null;
}

export interface Refresh {
  readonly steps: readonly RefreshStep[];
  readonly warnings: readonly string[];
}

interface EngineEvent {
  readonly resOutputsEvent?: { readonly metadata: RefreshStep };
  readonly diagnosticEvent?: Diagnostic;
}

interface Diagnostic {
  readonly urn?: string;
  readonly prefix?: string;
  readonly message: string;
  readonly severity: string;
}

/** A Pulumi stack, read through the user's CLI, whatever its backend. Only {@link Stack.import} writes. */
export class Stack {
  readonly #cwd: string;
  readonly #select: readonly string[];

  /** Names a Pulumi stack of the project in a folder. Default: the selected stack. */
  constructor(cwd: string, name: string | undefined) {
    this.#cwd = resolve(cwd);
    this.#select = name === undefined ? [] : ["--stack", name];
  }

  async resources(): Promise<readonly StateResource[]> {
    const state = parseExport(await this.export());
    if (!state) throw new Error(unexpectedOutput);
    return state.resources;
  }

  /** The resources of the Pulumi state; none if no stack is named, and the folder is in no project or no stack is selected. */
  async resourcesIfAny(): Promise<readonly StateResource[]> {
    const isHere = existsSync(this.#cwd) && isInProject(this.#cwd);
    if (!isHere && this.#select.length === 0) return [];
    try {
      return await this.resources();
    } catch (error) {
      if (await this.#isSelected()) throw error;
      return [];
    }
  }

  /** Runs a preview of the program, which changes nothing, with the given environment variables added. */
  async preview(environment: NodeJS.ProcessEnv): Promise<Preview> {
    const args = ["preview", "--json", "--show-sames", ...this.#select];
    // With streaming switched on, the Pulumi CLI prints each step of the preview as a JSON event in a line of its own, instead
    // of one JSON document.
    const whole = { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "false", ...environment };
    const result = await runPulumi(args, this.#cwd, whole);
    const preview = result.stdout.trimStart().startsWith("{") ? (parsed(result.stdout) as Preview) : {};
    if (result.code !== 0) throw new Error(errorText(preview.diagnostics ?? []) ?? plainText(result));
    return preview;
  }

  /** Imports objects into the Pulumi state without changing them, by a file for `pulumi import`. */
  async import(file: string): Promise<void> {
    const options = ["--generate-code=false", "--protect=false", "--yes", "--skip-preview"];
    const result = await this.#run("import", "--file", file, ...options);
    if (result.code === 0) return;
    const printed = `${result.stderr}\n${result.stdout}`.split("\n").map((line) => line.trim());
    throw new Error(printed.find((line) => line.startsWith("error: "))?.slice(7) ?? plainText(result));
  }

  /** The Pulumi state as `pulumi stack export` prints it, with secrets encrypted. */
  async export(): Promise<string> {
    const result = await this.#run("stack", "export");
    if (result.code !== 0) throw new Error(plainText(result));
    return result.stdout;
  }

  /** The stack's configuration by its keys, secrets decrypted; empty outside of a project, and without a selected stack. */
  async configuration(): Promise<ReadonlyMap<string, string | undefined>> {
    if (existsSync(this.#cwd) && !isInProject(this.#cwd)) return new Map();
    const result = await this.#run("config", "--json", "--show-secrets");
    if (result.code !== 0) {
      if (await this.#isSelected()) throw new Error(plainText(result));
      return new Map();
    }
    const entries = Object.entries(parsed(result.stdout) as { [key: string]: { value?: string } });
    return new Map(entries.map(([key, { value }]) => [key, value]));
  }

  /** Whether the Pulumi CLI knows a selected stack. */
  async #isSelected(): Promise<boolean> {
    if (this.#select.length > 0) return true;
    const { code, stdout } = await runPulumi(["stack", "ls", "--json"], this.#cwd);
    if (code !== 0) return true;
    const stacks: unknown = parsed(stdout);
    return Array.isArray(stacks) && stacks.some((stack) => isObject(stack) && stack.current === true);
  }

  #run(...command: string[]): Promise<CommandResult> {
    return runPulumi([...command, ...this.#select], this.#cwd);
  }

  /** Runs a refresh that reads every resource from the service. It runs no program, and does not change the Pulumi state. */
  async refresh(): Promise<Refresh> {
    const result = await runPulumi(["refresh", "--preview-only", "--json", ...this.#select], this.#cwd, {
      // Makes the Pulumi CLI print one event per line. The single JSON document that it prints otherwise lacks the findings of
      // the refresh.
      PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true",
      // With this option the engine compares outputs alone, and does not tell which secrets have changed.
      PULUMI_ENABLE_LEGACY_REFRESH_DIFF: "false",
      PULUMI_RUN_PROGRAM: "false",
    });
    const events = result.stdout
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => parsed(line) as EngineEvent);
    const diagnostics = events.flatMap(({ diagnosticEvent }) => diagnosticEvent ?? []);
    if (result.code !== 0) throw new Error(errorText(diagnostics) ?? plainText(result));
    return {
      steps: events.flatMap(({ resOutputsEvent }) => resOutputsEvent?.metadata ?? []),
      warnings: warningsIn(diagnostics),
    };
  }
}

/** Reads the output of `pulumi stack export`, also for a stack without updates; undefined for any other text. */
export function parseExport(text: string): StackExport | undefined {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return undefined;
  }
  const deployment = isObject(content) && (content.deployment === null ? {} : content.deployment);
  if (!isObject(deployment)) return undefined;
  const { resources, pending_operations: pending } = deployment;
  const isResource = (value: unknown) =>
    isObject(value) && typeof value.urn === "string" && typeof value.type === "string";
  const isOperation = (value: unknown) =>
    isObject(value) && typeof value.type === "string" && isResource(value.resource);
  const contents = { resources: resources ?? [], pending: pending ?? [] };
  const isExport =
    Array.isArray(contents.resources) &&
    contents.resources.every(isResource) &&
    Array.isArray(contents.pending) &&
    contents.pending.every(isOperation);
  return isExport ? (contents as StackExport) : undefined;
}

const unexpectedOutput = "unexpected output from the Pulumi CLI; use version 3.250 or newer";

function parsed(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch {}
  throw new Error(unexpectedOutput);
}

/** Whether a folder, or one above it, has a Pulumi project. The Pulumi CLI searches in the same folders. */
function isInProject(folder: string): boolean {
  if (["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"].some((name) => existsSync(join(folder, name))))
    return true;
  const above = dirname(folder);
  return above !== folder && isInProject(above);
}

/** The first error of a failed Pulumi command, those of resources before those of the update, and the number of others. */
function errorText(diagnostics: readonly Diagnostic[]): string | undefined {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const ofResources = errors.filter(({ urn }) => urn);
  const [first, ...messages] = new Set(
    (ofResources.length > 0 ? ofResources : errors).map(({ message }) => firstLines(message)),
  );
  if (first === undefined) return textOfYaml(diagnostics);
  return messages.length > 0 ? `${first}\n(and ${messages.length} more)` : first;
}

/** The error of a Pulumi program in YAML: its language host only prints it, so the engine reports it as information. */
function textOfYaml(diagnostics: readonly Diagnostic[]): string | undefined {
  const printed = diagnostics
    .filter(({ severity }) => severity === "info#err")
    .map(({ message }) => stripVTControlCharacters(message).trim());
  const start = printed.findIndex((text) => text.startsWith("Error: "));
  if (start < 0) return undefined;
  const [error = "", place = ""] = printed.slice(start);
  return firstLines(`${error.slice(7)}\n${place.startsWith("on ") ? place.replace(/:$/, "") : ""}`);
}

function plainText({ stdout, stderr, code }: CommandResult): string {
  return firstLines(stderr) || firstLines(stdout) || `the Pulumi CLI ended with exit code ${code}`;
}

/** At most two lines of an error message, without the engine's prefixes and without a stack trace. */
function firstLines(text: string): string {
  return (lastOfTraceback(text) ?? text)
    .split("\n")
    .map((line) => line.trimEnd().replace(/^(error: )?(Preview failed: )?/, ""))
    .filter((line) => line !== "" && !/^\s+at /.test(line))
    .slice(0, 2)
    .join("\n");
}

/** The exception of a Pulumi program in Python, which stands at the end of its traceback, and where it was raised. */
function lastOfTraceback(text: string): string | undefined {
  const [, stack] = text.split(/^Traceback \(most recent call last\):$/m);
  if (stack === undefined) return undefined;
  const lines = stack.split("\n").filter((line) => line.trim() !== "");
  const place = lines.filter((line) => /^ {2}File /.test(line)).at(-1);
  const exception = lines.find((line) => /^\S/.test(line));
  return exception && `${exception}\n${place?.trim() ?? ""}`;
}

/** The provider's warnings: the engine reports the output of dynamic providers as information that begins with the severity. */
function warningsIn(diagnostics: readonly Diagnostic[]): string[] {
  const texts = diagnostics.flatMap(({ severity, message }) => {
    if (severity !== "warning" && !message.startsWith("warning: ")) return [];
    return [message.trim().replace(/^warning: /, "")];
  });
  return [...new Set(texts)];
}
