import type { StateResource } from "../../cli/engine/stack";
import { withEntries } from "../../cli/shared/entries";
import { sets } from "../../provider/resources/registry";
import type { Sandbox } from "../../sandbox/index";
import type { Held, Kept, Operation, OrphansLook, Run } from "../promises/account";
import { nameOfHeld } from "../promises/held";
import type { Violation } from "../promises/promise";
import { brokenIn } from "../promises/promises";
import { Recorder } from "../promises/recorder";
import { differencesOf } from "../unit/faults/differences";
import type { Circumstances, StateJson, Update, Workspace } from "./workspace";

/**
 * Records the Pulumi commands on a stack, so that a test can judge the promises of test/promises (rules that the provider must
 * keep).
 */
export class Judged {
  recorder: Recorder;
  #steps = 0;
  #orphans: OrphansLook[] = [];
  /**
   * Whether the sandbox's journal contains all requests of the test. Some faults let requests fail before they reach the
   * sandbox.
   */
  #isWhole = true;

  constructor(
    private readonly workspace: Workspace,
    private readonly sandbox: Sandbox,
    private readonly comparesContents: boolean,
  ) {
    this.recorder = this.#newRecorder();
  }

  begin(): void {
    this.recorder = this.#newRecorder();
    this.#orphans = [];
    this.#isWhole = true;
  }

  async run<Done extends Update>(
    command: Run["step"]["command"],
    act: () => Promise<Done>,
    { settles, isKilled }: Circumstances = {},
  ): Promise<Done> {
    const { recorder } = this;
    recorder.note();
    const before = await this.#kept();
    const done: Done[] = [];
    this.#steps++;
    const { faults } = this.sandbox;
    this.#isWhole &&= !faults.list().some(({ fault: { kind } }) => /^(refused|certificate)$/.test(kind));
    await recorder.run(command, settles ? -this.#steps : this.#steps, async () => {
      const update = await act();
      done.push(update);
      const after = await this.#kept();
      const operations = operationsOf(update, before, after);
      const isChanged = ({ op }: Operation) => op !== "same" && op !== "read";
      const looks = command === "drift" || command === "refresh";
      return {
        before,
        after,
        operations,
        wasKilled: isKilled,
        program: new Map([...after].map(([name, { type, inputs }]) => [name, { type, args: inputs }])),
        errors: update.code === 0 || update.code === foundChanges ? [] : errorsOf(update),
        messages: update.messages.map(({ text }) => withoutEngine(text)).filter((text) => !isOfEngine(text)),
        printed: withoutEngine(update.output),
        plainState: await this.workspace.stateFile(),
        differing: looks ? operations.filter(isChanged).map(({ name }) => name) : [],
        gone: [...before]
          .filter(([name, { id }]) => after.get(name)?.id !== id && !operations.some(isDeletionOf(name)))
          .map(([name, kept]) => ({ name, kept })),
      };
    });
    return done[0] as Done;
  }

  /** Records the orphans that `pipestack orphans` has found, before its deletions are recorded. */
  async lookForOrphans(found: readonly Held[], messages: readonly string[]): Promise<void> {
    const held = new Set([...(await this.#kept()).values()].map(nameOfHeld));
    this.#orphans.push({ step: { number: -1 }, found, messages, held });
  }

  broken(): Violation[] {
    const { PIPESTACK_MAX_RETRIES = "4" } = this.workspace.environment;
    const maxRetries = this.#isWhole ? Number(PIPESTACK_MAX_RETRIES) : undefined;
    const orphans = this.#orphans.length > 0 ? this.#orphans : undefined;
    const byHand = { set: new Map(), inside: [] };
    const { credentials, store } = this.sandbox;
    const signing = [...store.keys.values()].filter((key) => credentials.keyId.endsWith(key.keySuffix));
    const signingKeys = signing.map(({ id }) => id);
    return brokenIn({ ...this.recorder.account(), orphans, byHand, habits, maxRetries, signingKeys });
  }

  #newRecorder(): Recorder {
    return new Recorder(this.sandbox, this.comparesContents ? differencesOf : undefined);
  }

  /** Returns the resources of the Pulumi state by type and name, with each AlertSet replaced by its alerts. */
  async #kept(): Promise<Map<string, Kept>> {
    const { deployment } = await this.workspace.exportState({ showSecrets: true });
    const resources = withEntries((deployment.resources ?? []) as StateResource[]) as StateJson[];
    return new Map(resources.filter(({ type }) => !isSet(type)).flatMap((resource) => keptIn(resource)));
  }
}

/** The exit code of a Pulumi command with `--expect-no-changes` if it finds changes. */
const foundChanges = 7;

/**
 * What the promises (rules for the provider) need to know about the sandbox of an engine test: its reads show changes at once.
 * The dialect is `neutral` even if the sandbox has another one: for `clickhouse` the promises would judge rate limits, but the
 * record of an engine test has steps in place of times.
 */
const habits = {
  ...{ listLag: 0, scalingLag: 0, receipts: false, page: 1000, rewrites: {} },
  dialect: "neutral",
} as const;

/** Matches the engine's message that the plugin exited, which the engine prints if a test has killed the plugin. */
const isOfEngine = (text: string) => / exited prematurely\. /.test(text);

/** Removes the stack traces that the engine prints after an error, except for those of the provider. */
function withoutEngine(text: string): string {
  return text.replace(/\n\s+at (?!.*[\\/]dist[\\/]).*/g, "");
}

function errorsOf({ messages, output }: Update): string[] {
  const errors = messages.filter(({ severity }) => severity === "error").map(({ text }) => text);
  return errors.length > 0 ? errors : [output];
}

const kinds: { readonly [op: string]: Operation["op"] } = {
  ...{ create: "create", "create-replacement": "create", delete: "delete", "delete-replaced": "delete" },
  ...{ update: "update", replace: "replace", read: "read", same: "same", import: "import" },
};

type Resources = ReadonlyMap<string, Kept>;

function operationsOf({ steps }: Update, before: Resources, after: Resources): Operation[] {
  return steps.flatMap(({ type: token, name, op, failed }) => {
    const [type, kind] = [typeIn(token), kinds[op]];
    if (!type || !kind) return [];
    if (isSet(token)) return kind === "same" ? [] : operationsOfSet(`Alert ${name}[`, before, after);
    return failed ? [] : [{ name: `${type} ${name}`, type, op: kind }];
  });
}

/** Returns the operations on the alerts of an AlertSet. An AlertSet whose step failed may still have changed some alerts. */
function operationsOfSet(beginning: string, before: Resources, after: Resources): Operation[] {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names
    .filter((name) => name.startsWith(beginning))
    .map((name) => {
      const op = before.has(name) ? (after.has(name) ? "update" : "delete") : "create";
      return { name, type: "Alert", op };
    });
}

function isSet(token: string): boolean {
  return Object.hasOwn(sets, typeIn(token) ?? "");
}

function isDeletionOf(name: string) {
  return (operation: Operation) => operation.name === name && operation.op === "delete";
}

function keptIn({ urn, type: token, id = "", inputs = {}, outputs = {}, provider, external }: StateJson) {
  const type = typeIn(token);
  const name = `${type} ${urn.slice(urn.lastIndexOf("::") + 2)}`;
  // A resource that the program only reads (`Resource.get`) does not belong to the stack.
  return type && !external
    ? [[name, { type, id, inputs, outputs, instance: String(provider) }] as const]
    : [];
}

function typeIn(token: string): string | undefined {
  return /^(?:pulumi-nodejs:dynamic\/pipestack|pipestack:index):(\w+)$/.exec(token)?.[1];
}
