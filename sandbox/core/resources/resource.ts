import type { Collection } from "../records";
import type { Route, RouteContext } from "../routes";
import type { Dialect, Vocabulary } from "../vocabulary";

/** A resource type in the APIs of the sandbox: its records, the records of a new sandbox, and its routes. */
export interface Resource extends Partial<Collection> {
  /**
   * The place of the resource type's paths: below the management API, an organization, or a service; `stack` is the
   * observability part of a service, which both APIs serve, and `observability` is only on the observability API.
   */
  readonly place: "management" | "organization" | "service" | "stack" | "observability";
  /** The only dialect whose servers have the resource type. Default: all. */
  readonly dialect?: Dialect;
  /** The operations that the resource type's routes serve. An operation that both APIs serve has the same name on both. */
  readonly operations: readonly string[];
  /** The end of the resource type's path, after its place. */
  path(vocabulary: Vocabulary): string;
  /** The routes of the resource type. Default: none. */
  routes?(context: RouteContext): Route[];
  /** The properties of a record that the console shows, without secrets. Default: the console shows no records of the type. */
  onConsole?(record: never): object;
}

/** Whether servers of a dialect have a resource type. */
export function isServedIn({ dialect }: Vocabulary, resource: Resource): boolean {
  return resource.dialect === undefined || resource.dialect === dialect;
}

/** Makes a function that picks these properties of a record for the console. */
export function members<Item>() {
  return <Name extends keyof Item>(...names: readonly Name[]) =>
    (record: Item) =>
      Object.fromEntries(names.map((name) => [name, record[name]])) as Pick<Item, Name>;
}
