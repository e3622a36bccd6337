import type { Dialect } from "./vocabulary";

/** The organization of the sandbox, to which every service and key belongs. */
export interface Organization {
  id: string;
  name: string;
  /** Whether the organization is paid for: then a service's maxTotalMemoryGb may be up to 1068 GB, otherwise up to 360 GB. */
  paid: boolean;
  /** The outcome of creating services, pipes and endpoints in the dialect `clickhouse`. Default: `works`. */
  provisioning?: "works" | "fails" | "hangs";
  /** The private endpoints that are registered with the organization in ClickHouse Cloud, in their order. Absent: none. */
  privateEndpoints?: PrivateEndpoint[];
  /** Encryption keys that do not allow access to a service's role: ClickHouse Cloud refuses them. Absent: none. */
  keysWithoutGrant?: string[];
  /**
   * Ids of deleted services: requests about these get 404 from ClickHouse Cloud, and requests about ids that never existed get
   * 400.
   */
  deletedServiceIds?: string[];
  /** Tables that deleted pipes from databases have left behind, such as `default.orders`, by service id. Absent: none. */
  tablesOfPipes?: { [serviceId: string]: string[] };
  /** Ids of deleted roles, members and invitations, for which ClickHouse Cloud responds with 404. */
  deletedIds?: string[];
}

/** A private endpoint in a user's own network that is registered with the organization. */
export interface PrivateEndpoint {
  id: string;
  cloudProvider: "aws" | "gcp" | "azure";
  region: string;
  description?: string;
}

interface Identified {
  id: string;
}

/** The records of one resource type in the sandbox. */
export interface Collection<Item extends Identified = Identified> {
  /** Returns the records that a new sandbox has of this type. */
  seed(dialect: Dialect): Item[];
  /**
   * Called after a record of any collection was replaced or deleted, so that records of this collection which refer to it can
   * change, too.
   */
  follow?(records: Records, changed: Collection, id: string): void;
  /**
   * Called before a record of any collection is deleted, so that records of this collection which refer to it can prevent this.
   *
   * @throws ApiError if the record must stay
   */
  hold?(records: Records, deleted: Collection, id: string): void;
}

/** One change of one record in the sandbox. */
export interface Change {
  readonly collection: Collection;
  readonly id: string;
  /** The record before the change; absent if it is created. */
  readonly before?: Identified;
  /** The record after the change; absent if it is deleted. */
  readonly after?: Identified;
}

/** Old versions of records, by collection and id; undefined for a record that did not exist. */
export type Snapshot = ReadonlyMap<Collection, ReadonlyMap<string, Identified | undefined>>;

/** All records of a sandbox, which both APIs serve. */
export class Records {
  organization!: Organization;
  private readonly maps: ReadonlyMap<Collection, Map<string, Identified>>;
  private readonly watchers = new Set<(change: Change) => void>();

  constructor(collections: readonly Collection[]) {
    this.maps = new Map(collections.map((collection) => [collection, new Map()]));
  }

  /** The sandbox's records in a collection, by id. */
  of<Item extends Identified>(collection: Collection<Item>): Map<string, Item> {
    return this.maps.get(collection) as Map<string, Item>;
  }

  /** The sandbox's records in a collection that belong to one service, oldest first. */
  ofService<Item extends Identified & { serviceId: string }>(
    collection: Collection<Item>,
    serviceId: string,
  ): Item[] {
    return [...this.of(collection).values()].filter((record) => record.serviceId === serviceId);
  }

  /** Creates a record, or changes the record with its id in place. Records that refer to it are updated, too. */
  write<Item extends Identified>(collection: Collection<Item>, record: Item): void {
    const records = this.of(collection);
    const stored = records.get(record.id);
    this.tell({ collection, id: record.id, before: stored, after: record });
    if (stored) for (const name of Object.keys(stored)) delete stored[name as keyof Item];
    records.set(record.id, Object.assign(stored ?? record, record));
    this.follow(collection, record.id);
  }

  /**
   * Deletes a record, and the records that are deleted along with it.
   *
   * @throws ApiError if another record prevents the deletion
   */
  remove(collection: Collection, id: string): void {
    for (const dependent of this.maps.keys()) dependent.hold?.(this, collection, id);
    const before = this.of(collection).get(id);
    if (!before) return;
    this.tell({ collection, id, before });
    this.of(collection).delete(id);
    this.follow(collection, id);
  }

  /** Deletes all records that belong to a service. */
  removeAllOf(serviceId: string): void {
    for (const [collection, records] of this.maps)
      for (const record of [...records.values()])
        if ((record as { serviceId?: string }).serviceId === serviceId) {
          this.tell({ collection, id: record.id, before: record });
          records.delete(record.id);
        }
  }

  /**
   * Calls a function before each change of a record that the sandbox makes itself (in a request, or as time passes).
   *
   * @returns a function that ends the calls
   */
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

  /** Runs a function, and returns its result with the old versions of the records that it has changed. */
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

  /** Restores old versions of records, as if a request had changed nothing. */
  restore(snapshot: Snapshot): void {
    for (const [collection, before] of snapshot) {
      const records = this.maps.get(collection) as Map<string, Identified>;
      for (const [id, record] of before) {
        if (record) records.set(id, record);
        else records.delete(id);
      }
    }
  }

  /** Runs a read on old versions of records in place of the current ones, and returns its result. */
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

  /** The id of another record in the collection of the record with this id; undefined if there is none. */
  otherIdThan(id: string): string | undefined {
    const records = [...this.maps.values()].find((candidates) => candidates.has(id));
    return [...(records?.keys() ?? [])].find((candidate) => candidate !== id);
  }
}
