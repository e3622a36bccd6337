import type { SandboxContext } from "../context";
import type { JournalEntry } from "../journal";
import { operationNames } from "../operations";
import { type CollectionName, collectionNames, resources } from "../resources/registry";
import type { Resource } from "../resources/resource";

/** The console cuts longer bodies. */
const longestBody = 4000;

type Resources = typeof resources;

/** What the console shows of each collection that it shows. */
type Shown = {
  [Name in CollectionName as Resources[Name] extends { onConsole: unknown }
    ? Name
    : never]: (Resources[Name] extends {
    onConsole(record: never): infer View;
  }
    ? View
    : never)[];
};

/** What the console shows: of each record what its resource shows, so that no secret is among it. */
export function snapshotOf({ store, vocabulary, faults }: SandboxContext) {
  const lists = collectionNames.flatMap((name) => {
    const resource: Resource = resources[name];
    const records = [...store[name].values()] as never[];
    return resource.onConsole ? [[name, records.map((record) => resource.onConsole?.(record))]] : [];
  });
  return {
    ...(Object.fromEntries(lists) as Shown),
    organization: store.organization.name,
    faults: faults.list(),
    operations: operationNames,
    search: vocabulary.search,
    thresholdTypes: vocabulary.thresholdTypes,
  };
}

/** A request as the console shows it. The journal has redacted its secrets. */
export function describeRequest({ requestBody, keyId, ...entry }: JournalEntry) {
  const body = requestBody === undefined ? undefined : JSON.stringify(requestBody, undefined, 2);
  return {
    ...entry,
    body: body && body.length > longestBody ? `${body.slice(0, longestBody)}\n… (cut)` : body,
  };
}

export type ConsoleSnapshot = ReturnType<typeof snapshotOf>;
export type ConsoleRequest = ReturnType<typeof describeRequest>;

/** New entries of the journal, oldest first. */
export interface NewRequests {
  /** Whether they replace those sent before, because the journal was emptied. */
  isReset: boolean;
  requests: ConsoleRequest[];
}
