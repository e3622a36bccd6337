import type { TypeName } from "../../provider/resources/registry";
import type { PropertyMap } from "../../provider/values/data";
import type { Dialect, Rewrite } from "../../sandbox/index";

/** The kind of a server: what its users can do with it depends on that. */
export interface Setup {
  readonly version?: string;
  readonly dialect: Dialect;
  readonly apis: "both" | "management" | "observability";
}

/** A server on which the life of each type is tried. */
export interface Server {
  readonly title: string;
  readonly setup: Setup;
  readonly isReal?: boolean;
  /** The types that nobody can try on this server, each with the reason. */
  readonly leftOut?: { readonly [type in TypeName]?: string };
  open(): Promise<OpenService>;
}

/** A request of the provider, with the name of the operation that it calls; undefined if the documents have no such operation. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly operation?: string;
  readonly requestBody?: unknown;
}

export type Failing = "refuses" | "breaks off before" | "breaks off after";

/** A server with objects that others have created, and the provider settings with which a user uses it. */
export interface OpenService {
  readonly settings: Readonly<Record<string, string>>;
  /** The forms in which the server answers. Absent for a server that nobody can tell how to answer. */
  readonly rewrites?: Set<Rewrite>;
  /** Whether the waits of the provider take no real time, since the server's own clock runs in this process. */
  readonly hasVirtualTime: boolean;
  /** Returns the object with an id as the server has it. */
  find(type: TypeName, id: string): Promise<PropertyMap | undefined>;
  /** Returns the provider's requests since the last reset, oldest first. */
  requests(): Promise<readonly Asked[]>;
  /** Has the server carry out the next create of an operation without an answer that reaches the client. */
  loseAnswer(operation: string): Promise<void>;
  /**
   * Has the server refuse the requests of an operation from the nth on, or break off their connections before or after it carries
   * them out, until it is to answer again. Absent for a server that nobody can tell how to fail.
   */
  fail?(operation: string, nth: number, how: Failing | undefined): Promise<void>;
  /** Takes away what the tests have created since the service was opened, and forgets the requests. */
  reset(): Promise<void>;
  close(): Promise<void>;
}
