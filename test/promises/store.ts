import type { Kind } from "./kinds";

/**
 * This module stores the objects of a simulated service with all their changes, by which promises judge what the provider did.
 */

export type Data = { readonly [name: string]: unknown };

export function isStack(actor: Actor): actor is "a" | "b" {
  return actor === "a" || actor === "b";
}

/** The author of a change: a stack, a person in the console ("hand"), or a person with `pipestack orphans`. */
export type Actor = "a" | "b" | "hand" | "orphans";

/** The author of a request or change, and the step of the test in which it was made. */
export interface Caller {
  readonly actor: Actor;
  readonly step: number;
}

export interface Commit extends Caller {
  readonly at: number;
  readonly kind: Kind;
  readonly id: string;
  readonly before?: Data;
  readonly after?: Data;
  /** True if the service made the change by itself, such as when it deletes an alert along with its tile. */
  readonly isCascade: boolean;
}

/** All records of objects by kind and id. A changed record is replaced by a new one, so old versions stay valid. */
export class Store {
  readonly commits: Commit[] = [];
  readonly #records = new Map<Kind, Map<string, Data>>();

  constructor(private readonly now = Date.now) {}

  all(kind: Kind, at?: number): Data[] {
    return [...this.#recordsAt(kind, at).values()];
  }

  get(kind: Kind, id: string, at?: number): Data | undefined {
    return this.#recordsAt(kind, at).get(id.toLowerCase());
  }

  write(by: Caller, kind: Kind, id: string, after: Data | undefined, isCascade = false): void {
    const records = this.#of(kind);
    const before = records.get(id.toLowerCase());
    if (after === undefined) records.delete(id.toLowerCase());
    else records.set(id.toLowerCase(), after);
    if (before === undefined && after === undefined) return;
    const { actor, step } = by;
    this.commits.push({ at: this.now(), actor, step, kind, id, before, after, isCascade });
  }

  creationOf(kind: Kind, id: string): Commit | undefined {
    const wanted = id.toLowerCase();
    return this.commits.find(
      (commit) => commit.kind === kind && commit.id.toLowerCase() === wanted && commit.before === undefined,
    );
  }

  #of(kind: Kind): Map<string, Data> {
    const records = this.#records.get(kind) ?? new Map<string, Data>();
    this.#records.set(kind, records);
    return records;
  }

  #recordsAt(kind: Kind, at = Number.POSITIVE_INFINITY): Map<string, Data> {
    const now = this.#of(kind);
    const later = this.commits.filter((commit) => commit.kind === kind && commit.at > at);
    if (later.length === 0) return now;
    const then = new Map(now);
    for (const { id, before } of later.reverse()) {
      if (before === undefined) then.delete(id.toLowerCase());
      else then.set(id.toLowerCase(), before);
    }
    return then;
  }
}
