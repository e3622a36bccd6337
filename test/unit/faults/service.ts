import { resolveSettings } from "../../../provider/api/settings";
import { Session } from "../../../provider/lifecycle/session";
import type { Sandbox, Service as ServiceRecord } from "../../../sandbox/index";
import { settingsOf } from "../../serviceContents";

/** The last rate that was set for a process on a sandbox: processes with different rates share no rate limiter. */
const rates = new WeakMap<Sandbox, number>();

/** What a test needs of a sandbox: sessions like those of one process each, and what there is beside the objects of a test. */
export class Service {
  /** Everything that users were told. */
  readonly told: string[] = [];
  /** The service before anything was done to it. */
  readonly original: ServiceRecord;
  #others = new Map<string, string>();

  constructor(
    readonly sandbox: Sandbox,
    private readonly further: Readonly<Record<string, string>>,
  ) {
    const { store, credentials } = sandbox;
    this.original = structuredClone(store.services.get(credentials.serviceId)) as ServiceRecord;
  }

  /** A session as a new process has it. */
  session(): Session {
    const { settings } = this;
    const tell = (text: string) => void this.told.push(text);
    return new Session(() => resolveSettings([(name) => settings[name]]), { warn: tell, info: tell });
  }

  /**
   * Settings by name, as stack configuration has them, for one process more. No two of them share a rate limiter, which real
   * processes do not do either: a fault of one would hold back another.
   */
  get settings(): Record<string, string> {
    const rate = (rates.get(this.sandbox) ?? 10_000) - 1;
    rates.set(this.sandbox, rate);
    const limits = {
      maxRetries: "1",
      requestsPerSecond: String(rate / 10),
      timeoutSeconds: "20",
    };
    return { ...settingsOf(this.sandbox), ...limits, ...this.further };
  }

  get webhookId(): string {
    return [...this.sandbox.store.webhooks.keys()][0] ?? "";
  }

  /** Takes down what is there now, except for one record, so that {@link changedOthers} can tell what became of it. */
  remember(own?: string): void {
    this.#others = new Map([...this.#records()].filter(([id]) => id !== own));
  }

  /** Ids of records that were there before and have been changed or removed. */
  changedOthers(): string[] {
    const now = this.#records();
    return [...this.#others].flatMap(([id, record]) => (now.get(id) === record ? [] : [id]));
  }

  /** Ids of records that were not there before. */
  get added(): string[] {
    return [...this.#records().keys()].filter((id) => !this.#others.has(id));
  }

  /** Every record as JSON, by its id. */
  #records(): Map<string, string> {
    const { organization, ...collections } = this.sandbox.store.contents();
    const all = Object.values(collections).flat();
    // Signing a request changes a key.
    return new Map(all.map((record) => [record.id, JSON.stringify({ ...record, usedAt: undefined })]));
  }
}
