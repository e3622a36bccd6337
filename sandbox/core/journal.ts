import type { FaultKind } from "./faults/kinds";
import type { OperationName } from "./operations";
import type { ApiName } from "./request";

/** A request that the sandbox has answered. */
export interface JournalEntry {
  /** The number of the entry, counted from 1 since the start or the last reset. Removing entries does not change it. */
  number: number;
  /** The time of the answer (ISO 8601). */
  time: string;
  api: ApiName;
  /** The called operation; absent for an unknown route. */
  operation?: OperationName;
  method: string;
  /** The path without the query string. */
  path: string;
  /** Status of the response; 0 if the connection broke before one was sent. */
  status: number;
  /** The kind of the injected fault; absent if there was none. */
  fault?: FaultKind;
  /**
   * The parsed body of the request, with `"[redacted]"` in place of secrets; absent if there was none, or if it was no
   * JSON or was not read.
   */
  requestBody?: unknown;
  /**
   * The parsed body of the answer, or its text if it is no JSON, with `"[redacted]"` in place of secrets. If a fault
   * has cut the answer, only half of it was sent. Kept only for a console, and only for the newest 500 requests; absent
   * if there was no body.
   */
  responseBody?: unknown;
  /** The id of the key that signed a management request; absent if the key does not exist. */
  keyId?: string;
}

/** The minimum number of newest entries that the journal keeps. */
const capacity = 100_000;

/** The number of newest entries whose answers are kept: as many as an open page of the console shows. */
const answersKept = 500;

/**
 * Minimum number of characters of a credential that is redacted. Shorter texts are no credentials, and redacting them
 * would only garble entries.
 */
const shortestSecret = 8;

const redacted = "[redacted]";
const secretName =
  /secret|password|token|hash|connectionString|encryptionKey|privateKey|serviceAccount(Key|File)|^(url|headers|queryParams)$/i;
/**
 * Matches names of members that hold secrets. In answers, a `keyId` occurs only when a key is created, and is half of
 * the key's credentials.
 */
const secretNameInAnswers = new RegExp(`${secretName.source}|^keyId$`, "i");

/** The requests that the sandbox has answered, without secrets. */
export class Journal {
  readonly entries: JournalEntry[] = [];
  private last = 0;

  constructor(
    private readonly keepsAnswers: boolean,
    readonly keepsRequests = true,
  ) {}

  /** The number of the newest entry, even if it was removed; 0 if there was none. */
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

/** A copy of a value without the values of members that are named like secrets, and without known secrets in texts. */
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
