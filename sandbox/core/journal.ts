import type { FaultKind } from "./faults/kinds";
import type { OperationName } from "./operations";
import type { ApiName } from "./request";

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
  /**
   * The answer's parsed body, or its text if it is not JSON, with `"[redacted]"` for secrets. A fault that cuts answers
   * sends half of it. Kept only for a console, and only for the newest 500 requests; absent if there was no body.
   */
  responseBody?: unknown;
  /** Id of the key that signed a management request; absent unless that key is known. */
  keyId?: string;
}

/** The journal keeps at least this many of its newest entries. */
const capacity = 100_000;

/** Of so many it keeps the answers: as many as an open page of the console shows. */
const answersKept = 500;

/** A shorter text is no credential: redacting it would only garble the entries. */
const shortestSecret = 8;

const redacted = "[redacted]";
const secretName = /secret|password|token|hash|connectionString|encryptionKey|^(url|headers|queryParams)$/i;
/** The answer to the creation of a key is the only place of its id, which is half of the credentials. */
const secretNameInAnswers = new RegExp(`${secretName.source}|^keyId$`, "i");

/** The answered requests. No secret enters it. */
export class Journal {
  readonly entries: JournalEntry[] = [];
  private last = 0;

  constructor(
    private readonly keepsAnswers: boolean,
    readonly keepsRequests = true,
  ) {}

  /** Number of the newest entry, even if it was removed; 0 if there was none. */
  get lastNumber(): number {
    return this.last;
  }

  /** @param answer the body of the answer; empty if there was none */
  record(
    now: number,
    entry: Omit<JournalEntry, "number" | "time" | "responseBody">,
    secrets: readonly string[],
    answer: string,
  ): void {
    this.last += 1;
    const time = new Date(now).toISOString();
    const sizable = secrets.filter((secret) => secret.length >= shortestSecret);
    const recorded = redact({ number: this.last, time, ...entry }, sizable) as JournalEntry;
    if (this.keepsAnswers && answer !== "")
      recorded.responseBody = redact(parsed(answer), sizable, secretNameInAnswers);
    this.entries.push(recorded);
    delete this.entries.at(-1 - answersKept)?.responseBody;
    if (this.entries.length > capacity * 1.1) this.entries.splice(0, this.entries.length - capacity);
  }

  clear(): void {
    this.entries.length = 0;
    this.last = 0;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A copy without the values of members named like secrets, and without the text of known secrets. */
function redact(value: unknown, secrets: readonly string[], names = secretName): unknown {
  if (typeof value === "string") {
    return secrets.reduce((text, secret) => text.replaceAll(secret, redacted), value);
  }
  if (Array.isArray(value)) return value.map((item) => redact(item, secrets, names));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    names.test(name) && name !== "hashData" ? redacted : redact(member, secrets, names),
  ]);
  return Object.fromEntries(members);
}
