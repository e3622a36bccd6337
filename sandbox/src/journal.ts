import type { FaultKind } from "./faults/kinds";
import type { ApiName, OperationName } from "./operations";

/** A request that the sandbox has answered. */
export interface JournalEntry {
  /** Counts from 1 since the start or the last reset. Removing entries does not change it. */
  number: number;
  /** When it was answered, as ISO 8601. */
  time: string;
  api: ApiName;
  /** Absent for an unknown route. */
  operation?: OperationName;
  method: string;
  /** The path without the query string. */
  path: string;
  /** Status of the response; 0 if the connection broke before one was sent. */
  status: number;
  /** The kind of fault that was injected; absent without one. */
  fault?: FaultKind;
  /** The parsed body, with `"[redacted]"` for secrets; absent if there was none, or it was not JSON or was not read. */
  requestBody?: unknown;
  /** Id of the key that signed a management request; absent unless that key is known. */
  keyId?: string;
}

/** The journal keeps at least this many of its newest entries. */
const capacity = 100_000;

/** A shorter text is no credential: redacting it would only garble the entries. */
const shortestSecret = 8;

const redacted = "[redacted]";
const secretName = /secret|password|token|hash|connectionString|encryptionKey|^(url|headers|queryParams)$/i;

/** The answered requests. No secret enters it. */
export class Journal {
  readonly entries: JournalEntry[] = [];
  private last = 0;

  /** Number of the newest entry, even if it was removed; 0 if there was none. */
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

/** A copy without the values of members named like secrets, and without the text of known secrets. */
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
