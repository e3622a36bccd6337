import type { Collection } from "../records";
import type { Route, RouteContext } from "../routes";
import type { Dialect, Vocabulary } from "../vocabulary";

/** A noun of the APIs: its records, those of a new sandbox, and its routes. */
export interface Resource extends Partial<Collection> {
  /**
   * The parent of its paths: the management API itself, an organization or a service of it, the stack of a service on both
   * APIs, or the observability API alone.
   */
  readonly place: "management" | "organization" | "service" | "stack" | "observability";
  /** The only servers that have it. Default: those of every dialect. */
  readonly dialect?: Dialect;
  /** The operations that its routes serve. Where both APIs serve one, it has the same name on both. */
  readonly operations: readonly string[];
  /** The path below its place. */
  path(vocabulary: Vocabulary): string;
  /** Default: it has none. */
  routes?(context: RouteContext): Route[];
  /** The members of a record for the console, without secrets. Default: the console does not show the records. */
  onConsole?(record: never): object;
}

/** Whether servers of a dialect have a resource. */
export function isServedIn({ dialect }: Vocabulary, resource: Resource): boolean {
  return resource.dialect === undefined || resource.dialect === dialect;
}

/** Shows these members of a record on the console. */
export function members<Item>() {
  return <Name extends keyof Item>(...names: readonly Name[]) =>
    (record: Item) =>
      Object.fromEntries(names.map((name) => [name, record[name]])) as Pick<Item, Name>;
}
