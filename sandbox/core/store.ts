import { seededCredentials } from "./credentials";
import { type Collection, type Organization, Records } from "./records";
import { type CollectionName, collectionNames, type RecordOf, resources } from "./resources/registry";
import type { Dialect } from "./vocabulary";

/** All records of a sandbox as plain JSON, for the first records and for state files. */
export type StoreContents = { organization: Organization } & {
  [Name in CollectionName]: RecordOf<Name>[];
};

type Collections = { readonly [Name in CollectionName]: Map<string, RecordOf<Name>> };

/**
 * The records behind both APIs of a sandbox, by id. A test may read them, and change them behind a client's back.
 *
 * @example
 * sandbox.store.dashboards.get(id)!.name = "changed by somebody else";
 */
export interface Store extends Collections {}
export class Store extends Records {
  constructor(contents: StoreContents) {
    super(collectionNames.map((name): Collection => resources[name]));
    const maps = collectionNames.map((name) => [name, this.of<{ id: string }>(resources[name])]);
    Object.assign(this, Object.fromEntries(maps));
    this.load(contents);
  }

  load(contents: StoreContents): void {
    const copy = structuredClone(contents);
    this.organization = copy.organization;
    for (const name of collectionNames) {
      const records = this[name] as Map<string, { id: string }>;
      records.clear();
      for (const record of copy[name]) records.set(record.id, record);
    }
  }

  queryEndpointOf(serviceId: string): RecordOf<"queryEndpoints"> | undefined {
    return this.ofService(resources.queryEndpoints, serviceId)[0];
  }

  /** Returns all records of the sandbox as plain JSON, without a copy: changes of the result change the store. */
  contents(): StoreContents {
    const lists = collectionNames.map((name) => [name, [...this[name].values()]]);
    return { organization: this.organization, ...Object.fromEntries(lists) } as StoreContents;
  }
}

export function seed(dialect: Dialect): StoreContents {
  const lists = collectionNames.map((name) => [name, (resources[name] as Collection).seed(dialect)]);
  return {
    organization: { id: seededCredentials.organizationId, name: "Sandbox", paid: true },
    ...Object.fromEntries(lists),
  } as StoreContents;
}
