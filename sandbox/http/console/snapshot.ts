import { faultSchema } from "../../core/faults/fault";
import { faultKinds } from "../../core/faults/kinds";
import type { JournalEntry } from "../../core/journal";
import type { Model } from "../../core/model";
import { isWrite, operationNames } from "../../core/operations";
import type { CollectionName, RecordOf } from "../../core/resources/registry";

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

type Records = { readonly [Name in CollectionName]: readonly RecordOf<Name>[] };

/** Collects the data that the console's page shows, without secrets. */
export function snapshotOf({ store, faults, kinds }: Model) {
  const all = kinds.list(Date.now());
  return {
    ...(Object.fromEntries(all.map(({ name, rows }) => [name, rows])) as unknown as Records),
    organization: store.organization.name,
    kinds: all.map(({ rows, ...kind }) => kind),
    faults: faults.list(),
    faultKinds,
    operations: operationNames,
    writes: operationNames.filter(isWrite),
    faultMembers: faultMembers as unknown as Readonly<Record<string, FaultMember>>,
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
