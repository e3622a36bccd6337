import type { FaultKind } from "./faults/kinds";
import type { OperationName } from "./operations";
import type { ApiName } from "./request";

/** A request in the sandbox's journal, with the response that the sandbox sent. */
export interface JournalEntry {
  /**
   * The number of the request, counted from 1 since the start or the last reset of the sandbox. It stays the same when older
   * requests are removed from the journal.
   */
  number: number;
  /** When the sandbox sent the response (ISO 8601). */
  time: string;
  api: ApiName;
  /** The operation of the API that the request called; absent for an unknown route. */
  operation?: OperationName;
  method: string;
  path: string;
  /** The HTTP status of the sandbox's response; 0 if the connection broke before the response. */
  status: number;
  fault?: FaultKind;
  /**
   * The parsed body of the request, with `"[redacted]"` in place of secrets. Absent if the request had no body, or if the
   * sandbox could not parse it or did not read it.
   */
  requestBody?: unknown;
  /**
   * The parsed body of the sandbox's response, or its text if it is no JSON, with `"[redacted]"` in place of secrets. If a
   * fault has cut the response, only half of it was sent. Kept only for a console, and only for the newest 500 requests; absent
   * if there was no body.
   */
  responseBody?: unknown;
  /** The id of the API key that signed a management request; absent if the key does not exist. */
  keyId?: string;
}

/** The sandbox's journal keeps at least this number of the newest requests. */
const capacity = 100_000;

/**
 * The number of newest requests whose response bodies the sandbox's journal keeps: as many as an open page of the console
 * shows.
 */
const answersKept = 500;

/**
 * The minimum length of a credential that the sandbox's journal redacts. Shorter texts are no credentials, and redacting them
 * would only garble the journal.
 */
const shortestSecret = 8;

/** What the journal and the console show in place of a secret. */
export const redacted = "[redacted]";
const secretName =
  /secret|password|token|hash|connectionString|encryptionKey|privateKey|serviceAccount(Key|File)|^(url|headers|queryParams)$/i;
/**
 * Matches names of response properties that hold secrets. In responses, a `keyId` occurs only when a key is created, and is
 * half of the key's credentials.
 */
const secretNameInAnswers = new RegExp(`${secretName.source}|^keyId$`, "i");

export class Journal {
  readonly entries: JournalEntry[] = [];
  private last = 0;

  constructor(
    private readonly keepsAnswers: boolean,
    readonly keepsRequests = true,
  ) {}

  /** The number of the newest request in the sandbox's journal, even if it was removed; 0 if there was none. */
  get lastNumber(): number {
    return this.last;
  }

  /**
   * Adds a request to the sandbox's journal, without its secrets.
   * @param answer the body of the response; empty if there was none
   */
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

/**
 * Copies a request or response body for the sandbox's journal, without the values of properties that are named like secrets,
 * and without known secrets in texts.
 */
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

/** Copies a record of the sandbox for the console, without the values of properties that are named like secrets. */
export const withoutSecrets = (record: unknown): unknown => redact(record, []);
