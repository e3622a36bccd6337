import { setTimeout as pause } from "node:timers/promises";
import { resolveSettings } from "../../../provider/api/settings";
import { plainly } from "../../../provider/hosts/dynamic/plainErrors";
import { Session } from "../../../provider/lifecycle/session";
import type { Sandbox } from "../../../sandbox/index";
import type { Run } from "../../promises/account";
import { Recorder, type Seen } from "../../promises/recorder";
import { settingsOf } from "../../serviceContents";

/** The last rate that was set for a process on a sandbox: processes with different rates share no rate limiter. */
const rates = new WeakMap<Sandbox, number>();

/** A sandbox and what happens to it, and sessions like those of one process each. */
export class Service {
  /** Everything that users were told. */
  readonly messages: string[] = [];
  readonly recorder: Recorder;

  constructor(
    readonly sandbox: Sandbox,
    private readonly further: Readonly<Record<string, string>>,
    differences?: ConstructorParameters<typeof Recorder>[1],
  ) {
    this.recorder = new Recorder(sandbox, differences);
  }

  /** A session as a new process has it. */
  session(): Session {
    const { settings } = this;
    const tell = (text: string) => void this.messages.push(text);
    return new Session(() => resolveSettings([(name) => settings[name]]), { warn: tell, info: tell });
  }

  /**
   * Settings by name, as stack configuration has them, for one process more. No two of them share a rate limiter, which real
   * processes do not do either: a fault of one would hold back another.
   */
  get settings(): Record<string, string> {
    const rate = (rates.get(this.sandbox) ?? 10_000) - 1;
    rates.set(this.sandbox, rate);
    const limits = { maxRetries: "1", requestsPerSecond: String(rate / 10), timeoutSeconds: "20" };
    return { ...settingsOf(this.sandbox), ...limits, ...this.further };
  }

  /** Does something as a command does, and takes down what came of it, when all that was delayed is over, too. */
  perform(
    command: Run["step"]["command"],
    number: number,
    act: () => Promise<Partial<Seen> | undefined>,
    after: () => Pick<Seen, "after" | "program">,
  ): Promise<Run> {
    return this.recorder.run(command, number, async () => {
      const first = this.messages.length;
      const { value, error } = await settle(act());
      await delaysAreOver(this.sandbox);
      const errors = error ? [error.message] : [];
      const messages = [...errors, ...this.messages.slice(first)];
      return { errors, messages, printed: error?.stack, ...after(), ...value };
    });
  }

  get webhookId(): string {
    return [...this.sandbox.store.webhooks.keys()][0] ?? "";
  }

  /** All that there is now is somebody else's. */
  remember(): void {
    this.recorder.note();
  }

  /** Ids of the objects that were created since then. */
  get added(): string[] {
    const { recorder } = this;
    recorder.note({ actor: "a", step: recorder.runs.at(-1)?.step.number ?? 0 });
    return recorder.created;
  }
}

async function settle<Value>(promise: Promise<Value>): Promise<{ value?: Value; error?: Error }> {
  try {
    return { value: await plainly(() => promise, String) };
  } catch (error) {
    return { error: error as Error };
  }
}

/** Until every request that was delayed has been carried out, though nobody waits for it any more. */
async function delaysAreOver({ faults, requests }: Sandbox): Promise<void> {
  const delayed = () => requests.filter(({ fault }) => fault === "delay").length;
  const deadline = Date.now() + 60_000;
  while (faults.list().some(({ fault, injected }) => fault.kind === "delay" && injected > delayed())) {
    if (Date.now() > deadline) throw new Error("a delayed request was not carried out within a minute");
    await pause(5);
  }
}
