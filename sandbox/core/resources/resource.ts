import type { Collection } from "../records";
import type { Route, RouteContext } from "../routes";
import type { Dialect, Vocabulary } from "../vocabulary";

/** A resource type in the APIs of the sandbox: the records of a new sandbox, and the routes that serve them. */
export interface Resource extends Partial<Collection> {
  /**
   * Where the paths of the resource type begin: at the management API, an organization or a service; at `stack`, the
   * observability part of a service, which both APIs serve; or at `observability`, only on the observability API.
   */
  readonly place: "management" | "organization" | "service" | "stack" | "observability";
  /** The only dialect whose servers have the resource type. If absent, the servers of both dialects have it. */
  readonly dialect?: Dialect;
  /** The operations that the routes of the resource type serve. An operation of both APIs has the same name on both. */
  readonly operations: readonly string[];
  /**
   * Returns the path of the resource type below the path that `place` names: `services`, for example, below the path of the
   * organization.
   */
  path(vocabulary: Vocabulary): string;
  routes?(context: RouteContext): Route[];
  /** The properties that the console's table shows besides name and state. If absent, it shows the first simple ones. */
  readonly columns?: readonly string[];
  /** Converts a record to the form that the console shows. If absent, the console shows the record, without its secrets. */
  onConsole?(record: never): object;
  /**
   * Returns the properties of a record that requests for a change name otherwise, or whose values they spell otherwise. If
   * absent, requests have the names and values of the record.
   */
  requested?(vocabulary: Vocabulary): {
    readonly [member: string]: readonly [name: string, convert?: (value: unknown) => unknown];
  };
}

export function isServedIn({ dialect }: Vocabulary, resource: Resource): boolean {
  return resource.dialect === undefined || resource.dialect === dialect;
}
