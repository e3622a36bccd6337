import { isDeepStrictEqual } from "node:util";
import type { Dialect } from "./vocabulary";

/** The organization to which every service and key of the sandbox belongs. */
export interface Organization {
  id: string;
  name: string;
  /** Paid organizations may raise maxTotalMemoryGb to 1068 GB, others to 360 GB. */
  paid: boolean;
}

interface Identified {
  id: string;
}

/** The records of one kind. */
export interface Collection<Item extends Identified = Identified> {
  /** Those of a new sandbox. */
  seed(dialect: Dialect): Item[];
  /** Called after a record of any collection was replaced or deleted, for records that refer to it. */
  follow?(records: Records, changed: Collection, id: string): void;
  /**
   * Called before a record of any collection is deleted, for records that hold it.
   *
   * @throws ApiError if it must stay
   */
  hold?(records: Records, deleted: Collection, id: string): void;
}

/** Records as they were at some moment; undefined where there was none. */
export type Snapshot = ReadonlyMap<Collection, ReadonlyMap<string, Identified | undefined>>;

/** The records behind both APIs. */
export class Records {
  organization!: Organization;
  private readonly maps: ReadonlyMap<Collection, Map<string, Identified>>;

  constructor(collections: readonly Collection[]) {
    this.maps = new Map(collections.map((collection) => [collection, new Map()]));
  }

  /** The records of a collection, by id. */
  of<Item extends Identified>(collection: Collection<Item>): Map<string, Item> {
    return this.maps.get(collection) as Map<string, Item>;
  }

  /** The records of a collection that belong to one service, oldest first. */
  ofService<Item extends Identified & { serviceId: string }>(
    collection: Collection<Item>,
    serviceId: string,
  ): Item[] {
    return [...this.of(collection).values()].filter((record) => record.serviceId === serviceId);
  }

  /** Lets the other records follow: a record was replaced or deleted. */
  changed(collection: Collection, id: string): void {
    for (const other of this.maps.keys()) other.follow?.(this, collection, id);
  }

  /** A copy of all records. */
  snapshot(): Snapshot {
    return new Map([...this.maps].map(([collection, records]) => [collection, structuredClone(records)]));
  }

  /** Those of the records in a snapshot that have changed since, and those that are new. */
  changedSince(snapshot: Snapshot): Snapshot {
    return new Map(
      [...this.maps].flatMap(([collection, records]) => {
        const before = snapshot.get(collection) ?? new Map();
        const changed = [...new Set([...before.keys(), ...records.keys()])]
          .filter((id) => !isDeepStrictEqual(before.get(id), records.get(id)))
          .map((id) => [id, before.get(id)] as const);
        return changed.length > 0 ? [[collection, new Map(changed)] as const] : [];
      }),
    );
  }

  /** Makes these records what they were. */
  restore(snapshot: Snapshot): void {
    for (const [collection, before] of snapshot) {
      const records = this.maps.get(collection) as Map<string, Identified>;
      for (const [id, record] of before) {
        if (record) records.set(id, record);
        else records.delete(id);
      }
    }
  }

  /** The result of a function that runs while these records are what they were. */
  asIn<Result>(snapshot: Snapshot, act: () => Result): Result {
    const now = [...snapshot.keys()].map((collection) => {
      const records = this.maps.get(collection) as Map<string, Identified>;
      return [records, [...records]] as const;
    });
    this.restore(snapshot);
    try {
      return act();
    } finally {
      for (const [records, entries] of now) {
        records.clear();
        for (const [id, record] of entries) records.set(id, record);
      }
    }
  }

  /** @throws ApiError if another record holds the one that is about to be deleted */
  deleting(collection: Collection, id: string): void {
    for (const other of this.maps.keys()) other.hold?.(this, collection, id);
  }

  /** The id of another record of the same collection; undefined if there is none. */
  otherIdThan(id: string): string | undefined {
    const records = [...this.maps.values()].find((candidates) => candidates.has(id));
    return [...(records?.keys() ?? [])].find((other) => other !== id);
  }
}
