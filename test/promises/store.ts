import type { Kind } from "./kinds";

/** What the service keeps, with everything that ever happened to it: the truth by which a history is judged. */

export type Data = { readonly [name: string]: unknown };

/** Whether a stack acts, and nobody who knows of no program. */
export function isStack(actor: Actor): actor is "a" | "b" {
  return actor === "a" || actor === "b";
}

/** Whose request changed something: a stack, somebody in the web page, or somebody with `pipestack orphans`. */
export type Actor = "a" | "b" | "hand" | "orphans";

/** Who makes a request, and in which step of the history. */
export interface Caller {
  readonly actor: Actor;
  readonly step: number;
}

/** One change of one record. */
export interface Commit extends Caller {
  readonly at: number;
  readonly kind: Kind;
  readonly id: string;
  /** Absent where the record was created. */
  readonly before?: Data;
  /** Absent where it was deleted. */
  readonly after?: Data;
  /** Whether it happened because of a change of another record. */
  readonly isCascade: boolean;
}

/** Records by kind and id. A record never changes: it is replaced. */
export class Store {
  readonly commits: Commit[] = [];
  readonly #records = new Map<Kind, Map<string, Data>>();

  /** @param now tells when something happens. Default: the time */
  constructor(private readonly now = Date.now) {}

  /** The records of a kind, as they are now or were at a moment, oldest first. */
  all(kind: Kind, at?: number): Data[] {
    return [...this.#recordsAt(kind, at).values()];
  }

  get(kind: Kind, id: string, at?: number): Data | undefined {
    return this.#recordsAt(kind, at).get(id.toLowerCase());
  }

  /** Creates or replaces a record, or deletes it where there is none to take its place. */
  write(by: Caller, kind: Kind, id: string, after: Data | undefined, isCascade = false): void {
    const records = this.#of(kind);
    const before = records.get(id.toLowerCase());
    if (after === undefined) records.delete(id.toLowerCase());
    else records.set(id.toLowerCase(), after);
    if (before === undefined && after === undefined) return;
    const { actor, step } = by;
    this.commits.push({ at: this.now(), actor, step, kind, id, before, after, isCascade });
  }

  /** Who created a record, if there ever was one. */
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
