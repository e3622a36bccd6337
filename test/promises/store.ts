import type { Kind } from "./kinds";

/** The records of the service with all their changes, by which a history is judged. */

export type Data = { readonly [name: string]: unknown };

/** Whether the actor is a stack. */
export function isStack(actor: Actor): actor is "a" | "b" {
  return actor === "a" || actor === "b";
}

/** The author of a change: a stack, somebody in the console, or somebody with `pipestack orphans`. */
export type Actor = "a" | "b" | "hand" | "orphans";

/** The sender of a request, and the step of the history. */
export interface Caller {
  readonly actor: Actor;
  readonly step: number;
}

/** One change of one record. */
export interface Commit extends Caller {
  readonly at: number;
  readonly kind: Kind;
  readonly id: string;
  /** The record before; absent if it was created. */
  readonly before?: Data;
  /** The record afterwards; absent if it was deleted. */
  readonly after?: Data;
  /** Whether the change followed from a change of another record. */
  readonly isCascade: boolean;
}

/** Records by kind and id. Records are replaced, and never modified. */
export class Store {
  readonly commits: Commit[] = [];
  readonly #records = new Map<Kind, Map<string, Data>>();

  /** @param now returns the time of a change. Default: the current time */
  constructor(private readonly now = Date.now) {}

  /** The records of a kind, now or at a time, oldest first. */
  all(kind: Kind, at?: number): Data[] {
    return [...this.#recordsAt(kind, at).values()];
  }

  get(kind: Kind, id: string, at?: number): Data | undefined {
    return this.#recordsAt(kind, at).get(id.toLowerCase());
  }

  /** Creates or replaces a record, or deletes it if `after` is undefined. */
  write(by: Caller, kind: Kind, id: string, after: Data | undefined, isCascade = false): void {
    const records = this.#of(kind);
    const before = records.get(id.toLowerCase());
    if (after === undefined) records.delete(id.toLowerCase());
    else records.set(id.toLowerCase(), after);
    if (before === undefined && after === undefined) return;
    const { actor, step } = by;
    this.commits.push({ at: this.now(), actor, step, kind, id, before, after, isCascade });
  }

  /** The change that created a record, if it ever existed. */
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
