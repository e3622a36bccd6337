import { setTimeout as pause } from "node:timers/promises";
import { resolveSettings } from "../../../provider/api/settings";
import { plainly } from "../../../provider/hosts/dynamic/plainErrors";
import { Session } from "../../../provider/lifecycle/session";
import type { Sandbox } from "../../../sandbox/index";
import type { Run } from "../../promises/account";
import { Recorder, type Seen } from "../../promises/recorder";
import { settingsOf } from "../../serviceContents";

/**
 * The last rate limit given to a simulated provider process, by sandbox. Processes with different limits share no rate limiter.
 */
const rates = new WeakMap<Sandbox, number>();

/**
 * A sandbox for the fault matrix with a recorder of everything that happens in it, and with sessions as separate provider
 * processes have them.
 */
export class Service {
  readonly messages: string[] = [];
  readonly recorder: Recorder;

  constructor(
    readonly sandbox: Sandbox,
    private readonly further: Readonly<Record<string, string>>,
    differences?: ConstructorParameters<typeof Recorder>[1],
  ) {
    this.recorder = new Recorder(sandbox, differences);
  }

  session(): Session {
    const { settings } = this;
    const tell = (text: string) => void this.messages.push(text);
    return new Session(() => resolveSettings([(name) => settings[name]]), { warn: tell, info: tell });
  }

  /**
   * Makes the settings for one more provider process. Each process gets a rate limiter of its own, as real processes have;
   * otherwise a fault in one process would delay another.
   */
  get settings(): Record<string, string> {
    const rate = (rates.get(this.sandbox) ?? 10_000) - 1;
    rates.set(this.sandbox, rate);
    const limits = { maxRetries: "1", requestsPerSecond: String(rate / 10), timeoutSeconds: "20" };
    return { ...settingsOf(this.sandbox), ...limits, ...this.further };
  }

  /** Runs a task as a Pulumi command, waits for requests that the sandbox carries out late, and records the outcome. */
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

  /** Records the objects that exist now as objects of another person. */
  remember(): void {
    this.recorder.note();
  }

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

/** Waits until the sandbox has carried out every delayed request, even if its client no longer waits. */
async function delaysAreOver({ faults, requests }: Sandbox): Promise<void> {
  const delayed = () => requests.filter(({ fault }) => fault === "delay").length;
  const deadline = Date.now() + 60_000;
  while (faults.list().some(({ fault, injected }) => fault.kind === "delay" && injected > delayed())) {
    if (Date.now() > deadline) throw new Error("a delayed request was not carried out within a minute");
    await pause(5);
  }
}
