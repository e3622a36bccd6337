import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { createSandbox, type JournalEntry, type Sandbox, type SandboxOptions } from "../../sandbox/index";
import { expectNoLeaks, issuedKeysIn, secretsOf } from "../secrets";
import { settingsOf } from "../serviceContents";
import { Judged } from "./judged";
import { hostUnlessTold, pluginClasses } from "./pluginHost";
import {
  createWorkspace,
  type Result,
  type RunOptions,
  type StateJson,
  type Update,
  type Workspace,
  type WorkspaceOptions,
} from "./workspace";

export type { Sandbox };

/** A sandbox, and a workspace with a Pulumi project whose programs use the sandbox. */
export interface Fixture extends Workspace {
  readonly sandbox: Sandbox;
  /**
   * Records every command of the CLI, so that a test can judge whether the provider kept the promises of test/promises (rules
   * that always hold).
   */
  readonly judged: Judged;
  transcript(): string;
  write(source: string): Promise<void>;
  apply(program: string, options?: RunOptions): ReturnType<Workspace["up"]>;
  /**
   * Returns a resource of the Pulumi state, with its secrets decrypted. The type is needed if several resources have the same
   * name.
   */
  resource(name: string, type?: string): Promise<StateJson>;
  /** Returns the outputs of a resource in the Pulumi state, with secrets decrypted and without `__provider`. */
  outputsOf(name: string, type?: string): Promise<Record<string, unknown>>;
}

export interface FixtureOptions extends WorkspaceOptions {
  /** The options of the sandbox. By default it serves both APIs, in the dialect of the API document. */
  sandbox?: SandboxOptions;
  /**
   * True if all promises of test/promises (rules that the provider must keep) are judged after each test. `withoutContents`
   * leaves out promises about the contents of objects, for services that store values in another form than declared.
   */
  judged?: boolean | "withoutContents";
}

/** Starts a sandbox and a workspace before the tests of a `describe` block, and closes both after them. */
export function useFixture(options: FixtureOptions = {}): Fixture {
  // A `before` hook fills this object with the sandbox and workspace, so that tests can refer to it beforehand.
  const fixture = {} as Fixture;
  before(async () => {
    Object.assign(fixture, await createFixture(options));
  });
  if (options.judged)
    afterEach("every promise is kept", () => {
      const broken = fixture.judged.broken().map(({ promise, what }) => `${promise}: ${what}`);
      expect(broken.join("\n")).to.equal("");
    });
  after(async () => {
    await fixture.close?.();
  });
  return fixture;
}

async function createFixture({ sandbox: kind, ...options }: FixtureOptions): Promise<Fixture> {
  const sandbox = await createSandbox(kind);
  // The provider's own rate limit, which it has in this dialect, would only slow down tests.
  const ofDialect: Record<string, string> =
    kind?.dialect === "clickhouse" ? { dialect: "clickhouse", requestsPerSecond: "1000" } : {};
  const workspace = await createWorkspace({
    settings: { ...settingsOf(sandbox), ...ofDialect },
    ...options,
  }).catch(async (error) => {
    await sandbox.close();
    throw error;
  });
  const printed: string[] = [];
  const judged = new Judged(workspace, sandbox, options.judged === true);
  const noted = async <Done extends Result>(answer: Promise<Done>) => {
    printed.push((await answer).output);
    return answer;
  };
  /** Runs a command of the CLI, and records it if the test judges the provider's promises. */
  const command =
    <Options extends RunOptions, Done extends Update>(
      name: keyof typeof withRefresh,
      method: (options?: Options) => Promise<Done>,
    ) =>
    (given?: Options) => {
      const act = () => noted(method(given));
      const refreshes = given?.args?.includes("--refresh");
      return options.judged ? judged.run(refreshes ? withRefresh[name] : name, act, given) : act();
    };
  const up = command("up", workspace.up);
  const { language = "javascript", host = hostUnlessTold("dynamic") } = options;
  const beginning = host === "plugin" ? pluginClasses : prelude;
  const write = (source: string) => workspace.write(language === "javascript" ? beginning + source : source);
  const resource = async (name: string, type = "") => {
    const { deployment } = await workspace.exportState({ showSecrets: true });
    const found = deployment.resources?.find(({ urn }) => urn.endsWith(`${type}::${name}`));
    if (!found) throw new Error(`the state has no resource ${name}`);
    return found;
  };
  return {
    ...workspace,
    sandbox,
    judged,
    write,
    up,
    preview: command("preview", workspace.preview),
    refresh: command("refresh", workspace.refresh),
    destroy: command("destroy", workspace.destroy),
    run: (...args) => noted(workspace.run(...args)),
    transcript: () => printed.join("\n"),
    async apply(program, runOptions) {
      await write(program);
      return up(runOptions);
    },
    resource,
    async outputsOf(name, type) {
      const { __provider, ...outputs } = (await resource(name, type)).outputs ?? {};
      return outputs;
    },
    async close() {
      await workspace.close();
      await sandbox.close();
    },
  };
}

/** The names of Pulumi commands with a refresh, in the records by which a test judges the provider's promises. */
const withRefresh = { up: "up --refresh", preview: "drift", refresh: "refresh", destroy: "destroy" } as const;

/** Returns the Pulumi.yaml of an example with the path of its program in the checkout. */
export function projectIn(folder: string): string {
  return `${readFileSync(join(folder, "Pulumi.yaml"), "utf8")}main: ${JSON.stringify(folder)}\n`;
}

/**
 * Makes the exports of `pipestack` and `@pulumi/pulumi` global. So a test's program in JavaScript needs no imports, and may
 * still declare variables with the names of exports.
 */
const prelude = `"use strict";
Object.assign(globalThis, { pulumi: require("@pulumi/pulumi"), pipestack: require("pipestack") }, require("pipestack"));
`;

/**
 * Returns the requests that a sandbox has received as lines, such as `PUT /api/v2/alerts/{id}`. Paths begin after the
 * organization and the first service; the second service is `second`. The line ends with the status, unless it is 200.
 */
export function calls({ requests, credentials }: Sandbox): string[] {
  return requests.map((request) => wireLine(request, credentials));
}

/** Returns the bodies of all requests to the sandbox with this line (method and path), in their order. */
export function bodies(sandbox: Sandbox, line: string): unknown[] {
  return sandbox.requests
    .filter((request) => wireLine(request, sandbox.credentials) === line)
    .map(({ requestBody }) => requestBody);
}

export function forget(sandbox: Sandbox): void {
  sandbox.requests.length = 0;
}

function wireLine({ method, path, status }: JournalEntry, ids: Sandbox["credentials"]): string {
  const short = path
    .replace(`/v1/organizations/${ids.organizationId}`, "")
    .replace(`/services/${ids.serviceId}`, "")
    .replace(`/services/${ids.secondServiceId}`, "/second")
    .replace(/\/([0-9a-f]{24}|[0-9a-f-]{36})(?=\/|$)/g, "/{id}");
  return `${method} ${short || "/"}${status === 200 ? "" : ` ${status}`}`;
}

/**
 * Fails if a secret of the sandbox, or one of the given ones, is readable in the state file, in the exported state, in
 * the output of the CLI or in the sandbox's journal, in any encoding.
 */
export async function expectNoSecrets(fixture: Fixture, ...secrets: unknown[]): Promise<void> {
  const places = {
    "the state file": await fixture.stateFile(),
    "the exported state": JSON.stringify(await fixture.exportState()),
    "what the CLI printed": fixture.transcript(),
    "the journal": JSON.stringify(fixture.sandbox.requests),
  };
  expect(places["the state file"]).to.match(/pipestack\/host|pipestack:index:/);
  expect(places["what the CLI printed"]).to.include("Resources:");
  const further = secrets.map((secret, index) => [`secret ${index}`, secret as string] as const);
  expectNoLeaks({ ...secretsOf(fixture.sandbox), ...Object.fromEntries(further) }, places);
  expect(issuedKeysIn(fixture.sandbox, places)).to.deep.equal([]);
}

/** Fails unless the output of a command shows an error as one line with these words, without a stack trace. */
export function expectOneClearError(output: string, ...words: (string | RegExp)[]): void {
  // The CLI prints an error while it runs, and again under "Diagnostics:" at the end, so only this last part is searched.
  const lines = new Set(
    output
      .slice(output.indexOf("Diagnostics:"))
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => /^error: (?!update failed|preview failed)/.test(line)),
  );
  expect([...lines], output).to.have.length(1);
  for (const word of words) {
    if (typeof word === "string") expect([...lines][0]).to.include(word);
    else expect([...lines][0]).to.match(word);
  }
  expect(output)
    .to.not.match(/^\s+at /m)
    .and.not.include("node_modules");
}

/** Matches the request id in an error message, by which the service's logs can be searched. */
export const requestId = /, request [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\)/;
