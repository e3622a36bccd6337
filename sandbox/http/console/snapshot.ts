import { faultSchema } from "../../core/faults/fault";
import { faultKinds } from "../../core/faults/kinds";
import type { JournalEntry } from "../../core/journal";
import type { Model } from "../../core/model";
import { isWrite, operationNames } from "../../core/operations";
import { type CollectionName, collectionNames, resources } from "../../core/resources/registry";
import type { Resource } from "../../core/resources/resource";

/** The maximum number of characters of a request or response body in the console, which cuts longer bodies. */
const longestBody = 100_000;

export interface FaultMember {
  readonly description: string;
  readonly type?: "integer" | "number" | "string";
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly { readonly const: string }[];
}

const { kind, operation, ...faultMembers } = faultSchema.properties;

type Resources = typeof resources;

type RecordViews = {
  [Name in CollectionName as Resources[Name] extends { onConsole: unknown }
    ? Name
    : never]: (Resources[Name] extends { onConsole(record: never): infer View } ? View : never)[];
};

/**
 * Collects the data that the console's page shows. Each resource type picks the properties of its records, so that no secret is
 * among them.
 */
export function snapshotOf({ store, vocabulary, faults }: Model) {
  const lists = collectionNames.flatMap((name) => {
    const resource: Resource = resources[name];
    const records = [...store[name].values()] as never[];
    return resource.onConsole ? [[name, records.map((record) => resource.onConsole?.(record))]] : [];
  });
  return {
    ...(Object.fromEntries(lists) as RecordViews),
    organization: store.organization.name,
    faults: faults.list(),
    faultKinds,
    operations: operationNames,
    writes: operationNames.filter(isWrite),
    faultMembers: faultMembers as unknown as Readonly<Record<string, FaultMember>>,
    search: vocabulary.search,
    thresholdTypes: vocabulary.thresholdTypes,
  };
}

export function describeRequest({ requestBody, responseBody, keyId, ...entry }: JournalEntry) {
  return entry;
}

export function describeBodies({ requestBody, responseBody }: JournalEntry) {
  return { request: readable(requestBody), response: readable(responseBody) };
}

function readable(body: unknown): string | undefined {
  const text = typeof body === "string" ? body : JSON.stringify(body, undefined, 2);
  return text !== undefined && text.length > longestBody ? `${text.slice(0, longestBody)}\n… (cut)` : text;
}

export type ConsoleSnapshot = ReturnType<typeof snapshotOf>;
export type ConsoleRequest = ReturnType<typeof describeRequest>;
export type RequestBodies = ReturnType<typeof describeBodies>;

/** The event for the console's page with new requests in the sandbox's journal, oldest first. */
export interface NewRequests {
  /** Whether the requests of the event replace those on the console's page, because somebody emptied the sandbox's journal. */
  isReset: boolean;
  requests: ConsoleRequest[];
}
