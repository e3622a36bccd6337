import type { Dialect } from "./vocabulary";

/** The organization to which every service and key of the sandbox belongs. */
export interface Organization {
  id: string;
  name: string;
  /** Paid organizations may raise maxTotalMemoryGb to 1068 GB, others to 360 GB. */
  paid: boolean;
  /** How the creation of services ends on the product. Default: it works. */
  provisioning?: "works" | "fails" | "hangs";
  /** The private endpoints that are registered with the organization on the product, in their order. Absent: none. */
  privateEndpoints?: PrivateEndpoint[];
  /** Keys of encryption that grant no access to the role of a service: the product refuses them. Absent: none. */
  keysWithoutGrant?: string[];
  /** Services that were deleted: the product answers 404 for them, and 400 for ids that no service ever had. */
  deletedServiceIds?: string[];
  /** Tables that deleted pipes of databases have left, by their services: `default.orders`. Absent: none. */
  tablesOfPipes?: { [serviceId: string]: string[] };
  /** The same of roles, members and invitations. */
  deletedIds?: string[];
}

/** An endpoint of a user's own network. */
export interface PrivateEndpoint {
  id: string;
  cloudProvider: "aws" | "gcp" | "azure";
  region: string;
  description?: string;
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

/** One change of one record. */
export interface Change {
  readonly collection: Collection;
  readonly id: string;
  /** Absent where it is created. */
  readonly before?: Identified;
  /** Absent where it is deleted. */
  readonly after?: Identified;
}

/** Records as they were at some moment; undefined where there was none. */
export type Snapshot = ReadonlyMap<Collection, ReadonlyMap<string, Identified | undefined>>;

/** The records behind both APIs. */
export class Records {
  organization!: Organization;
  private readonly maps: ReadonlyMap<Collection, Map<string, Identified>>;
  private readonly watchers = new Set<(change: Change) => void>();

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

  /** Creates a record, or changes that with its id; whoever holds that one sees the change. Other records follow. */
  write<Item extends Identified>(collection: Collection<Item>, record: Item): void {
    const records = this.of(collection);
    const stored = records.get(record.id);
    this.tell({ collection, id: record.id, before: stored, after: record });
    if (stored) for (const name of Object.keys(stored)) delete stored[name as keyof Item];
    records.set(record.id, Object.assign(stored ?? record, record));
    this.follow(collection, record.id);
  }

  /** Deletes a record, and those that go with it. @throws ApiError if another one holds it */
  remove(collection: Collection, id: string): void {
    for (const dependent of this.maps.keys()) dependent.hold?.(this, collection, id);
    const before = this.of(collection).get(id);
    if (!before) return;
    this.tell({ collection, id, before });
    this.of(collection).delete(id);
    this.follow(collection, id);
  }

  /** Deletes the records that belong to a service. */
  removeAllOf(serviceId: string): void {
    for (const [collection, records] of this.maps)
      for (const record of [...records.values()])
        if ((record as { serviceId?: string }).serviceId === serviceId) {
          this.tell({ collection, id: record.id, before: record });
          records.delete(record.id);
        }
  }

  /** Tells a function of each change that the service makes, before it is made. @returns ends that */
  watch(watcher: (change: Change) => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  private tell(change: Change): void {
    for (const watcher of this.watchers) watcher(change);
  }

  private follow(collection: Collection, id: string): void {
    for (const dependent of this.maps.keys()) dependent.follow?.(this, collection, id);
  }

  /** The records that a function changes, as they were before, and its result. */
  changing<Result>(act: () => Result): { readonly result: Result; readonly before: Snapshot } {
    const before = new Map<Collection, Map<string, Identified | undefined>>();
    const end = this.watch(({ collection, id, before: record }) => {
      const recordsBefore = before.get(collection) ?? new Map<string, Identified | undefined>();
      before.set(collection, recordsBefore);
      if (!recordsBefore.has(id)) recordsBefore.set(id, structuredClone(record));
    });
    try {
      return { result: act(), before };
    } finally {
      end();
    }
  }

  /** Puts these records back. */
  restore(snapshot: Snapshot): void {
    for (const [collection, before] of snapshot) {
      const records = this.maps.get(collection) as Map<string, Identified>;
      for (const [id, record] of before) {
        if (record) records.set(id, record);
        else records.delete(id);
      }
    }
  }

  /** The result of a function that runs with these records in the place of the present ones. */
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

  /** The id of another record of the same collection; undefined if there is none. */
  otherIdThan(id: string): string | undefined {
    const records = [...this.maps.values()].find((candidates) => candidates.has(id));
    return [...(records?.keys() ?? [])].find((candidate) => candidate !== id);
  }
}
