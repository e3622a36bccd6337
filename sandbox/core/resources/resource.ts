import type { Collection } from "../records";
import type { Route, RouteContext } from "../routes";
import type { Dialect, Vocabulary } from "../vocabulary";

/** A kind of object in the APIs: its records, those of a new sandbox, and its routes. */
export interface Resource extends Partial<Collection> {
  /**
   * The place of its paths: below the management API, an organization, or a service; `stack` is the observability
   * product of a service, which both APIs serve, and `observability` is only on that API.
   */
  readonly place: "management" | "organization" | "service" | "stack" | "observability";
  /** The only dialect whose servers have the resource. Default: all. */
  readonly dialect?: Dialect;
  /** The operations that the routes serve. An operation that both APIs serve has the same name on both. */
  readonly operations: readonly string[];
  /** The end of the resource's path, after its place. */
  path(vocabulary: Vocabulary): string;
  /** The routes of the resource. Default: none. */
  routes?(context: RouteContext): Route[];
  /** The members of a record that the console shows, without secrets. Default: the console shows no records. */
  onConsole?(record: never): object;
}

/** Whether servers of a dialect have a resource. */
export function isServedIn({ dialect }: Vocabulary, resource: Resource): boolean {
  return resource.dialect === undefined || resource.dialect === dialect;
}

/** Makes a function that picks these members of a record for the console. */
export function members<Item>() {
  return <Name extends keyof Item>(...names: readonly Name[]) =>
    (record: Item) =>
      Object.fromEntries(names.map((name) => [name, record[name]])) as Pick<Item, Name>;
}
