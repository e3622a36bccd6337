import type { FaultKind } from "./faults/kinds";
import type { OperationName } from "./operations";

/** One request that a sandbox has answered. */
export interface JournalEntry {
  /** 1 for the first request since the start or the last reset, then upwards, also when entries are removed. */
  number: number;
  /** When it was answered: ISO 8601. */
  time: string;
  api: ApiName;
  /** Name of the operation; absent for an unknown route. */
  operation?: OperationName;
  method: string;
  /** The path without the query string. */
  path: string;
  /** The status that was answered; 0 if the connection was broken before any. */
  status: number;
  /** The kind of fault that happened to the request; absent without one. */
  fault?: FaultKind;
  /** The body that was sent, parsed, with `"[redacted]"` for secrets; absent if there was none, it was not JSON or it was not read. */
  requestBody?: unknown;
  /** The id of the key that signed a management request; absent if the request was not signed by a known key. */
  keyId?: string;
}

export type ApiName = "management" | "observability";

/** The journal keeps at least this many of the newest entries. */
const capacity = 100_000;

/** A shorter text is not a credential; taking it out would only garble the entries. */
const shortestSecret = 8;

const redacted = "[redacted]";
const secretName = /secret|password|token|hash|connectionString|encryptionKey/i;

/** The list of answered requests. Nothing secret enters it. */
export class Journal {
  readonly entries: JournalEntry[] = [];
  private last = 0;

  /** The number of the newest entry, also when it was removed; 0 if there was none. */
  get lastNumber(): number {
    return this.last;
  }

  record(entry: Omit<JournalEntry, "number" | "time">, secrets: readonly string[]): void {
    this.last += 1;
    const time = new Date().toISOString();
    const sizable = secrets.filter((secret) => secret.length >= shortestSecret);
    this.entries.push(redact({ number: this.last, time, ...entry }, sizable) as JournalEntry);
    if (this.entries.length > capacity * 1.1) this.entries.splice(0, this.entries.length - capacity);
  }

  clear(): void {
    this.entries.length = 0;
    this.last = 0;
  }
}

/** A copy in which neither a member with the name of a secret nor the text of a known secret is left. */
function redact(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === "string") {
    return secrets.reduce((text, secret) => text.replaceAll(secret, redacted), value);
  }
  if (Array.isArray(value)) return value.map((item) => redact(item, secrets));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    secretName.test(name) && name !== "hashData" ? redacted : redact(member, secrets),
  ]);
  return Object.fromEntries(members);
}
