import type { Dialect } from "./vocabulary";

export interface Organization {
  id: string;
  name: string;
  /** Whether the organization is paid for: then a service's maxTotalMemoryGb may be up to 1068 GB, otherwise up to 360 GB. */
  paid: boolean;
  /**
   * Whether the creation of services, pipes and endpoints in the dialect `clickhouse` works (the default), fails, or never
   * ends.
   */
  provisioning?: "works" | "fails" | "hangs";
  /**
   * Whether answers about a new pipe in the dialect `clickhouse` show the settings that nobody has set, with their defaults
   * (`shown`, the default), or leave them out, as other clients expect.
   */
  pipeDefaults?: "shown" | "left out";
  /** Whether ClickHouse Cloud collects core dumps of the services of the organization. Default: true. */
  enableCoreDumps?: boolean;
  /** The private endpoints that are registered with the organization in ClickHouse Cloud, in their order. */
  privateEndpoints?: PrivateEndpoint[];
  /** Encryption keys in the customer's cloud account that do not admit a service's role: ClickHouse Cloud refuses them. */
  keysWithoutGrant?: string[];
  /**
   * Ids of deleted services: requests about these get 404 from ClickHouse Cloud, and requests about ids that never existed get
   * 400.
   */
  deletedServiceIds?: string[];
  /** Tables that deleted pipes from databases have left behind, such as `default.orders`, by service id. */
  tablesOfPipes?: { [serviceId: string]: string[] };
  /** The uploads of the source of user-defined functions, by their id. */
  udfUploads?: { [id: string]: UdfUpload };
  /** Ids of deleted roles, members, invitations and Postgres services, for which ClickHouse Cloud responds with 404. */
  deletedIds?: string[];
}

/** A place for the source archive of a function, which a client may fill once and use once. */
export interface UdfUpload {
  signature: string;
  expiresAt: number;
  /** The archive in base64, once it has been uploaded. */
  archive?: string;
  isUsed?: true;
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

export interface Collection<Item extends Identified = Identified> {
  seed(dialect: Dialect): Item[];
  /**
   * Called after a record of any collection was replaced or deleted, so that records of this collection which refer to it can
   * be adapted.
   */
  follow?(records: Records, changed: Collection, id: string): void;
  /**
   * Called before a record of any collection is deleted, so that records of this collection which refer to it can prevent the
   * deletion.
   * @throws ApiError if the record must stay
   */
  hold?(records: Records, deleted: Collection, id: string): void;
}

export interface Change {
  readonly collection: Collection;
  readonly id: string;
  readonly before?: Identified;
  readonly after?: Identified;
}

/** Old versions of the sandbox's records, by collection and id; undefined for a record that did not exist. */
export type Snapshot = ReadonlyMap<Collection, ReadonlyMap<string, Identified | undefined>>;

export class Records {
  organization!: Organization;
  private readonly maps: ReadonlyMap<Collection, Map<string, Identified>>;
  private readonly watchers = new Set<(change: Change) => void>();

  constructor(collections: readonly Collection[]) {
    this.maps = new Map(collections.map((collection) => [collection, new Map()]));
  }

  of<Item extends Identified>(collection: Collection<Item>): Map<string, Item> {
    return this.maps.get(collection) as Map<string, Item>;
  }

  ofService<Item extends Identified & { serviceId: string }>(
    collection: Collection<Item>,
    serviceId: string,
  ): Item[] {
    return [...this.of(collection).values()].filter((record) => record.serviceId === serviceId);
  }

  /** Creates a record of the sandbox, or replaces the record with its id. Records that refer to it are updated, too. */
  write<Item extends Identified>(collection: Collection<Item>, record: Item): void {
    const records = this.of(collection);
    const stored = records.get(record.id);
    this.tell({ collection, id: record.id, before: stored, after: record });
    if (stored) for (const name of Object.keys(stored)) delete stored[name as keyof Item];
    records.set(record.id, Object.assign(stored ?? record, record));
    this.follow(collection, record.id);
  }

  /**
   * Deletes a record of the sandbox, and the records that are deleted along with it.
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

  /** Restores old versions of the sandbox's records, which undoes the effect of the request that changed them. */
  restore(snapshot: Snapshot): void {
    for (const [collection, before] of snapshot) {
      const records = this.maps.get(collection) as Map<string, Identified>;
      for (const [id, record] of before) {
        if (record) records.set(id, record);
        else records.delete(id);
      }
    }
  }

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

  /** Finds the id of another record in the collection of the record with this id, for a fault; undefined if there is none. */
  otherIdThan(id: string): string | undefined {
    const records = [...this.maps.values()].find((candidates) => candidates.has(id));
    return [...(records?.keys() ?? [])].find((candidate) => candidate !== id);
  }
}
