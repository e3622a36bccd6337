import type { TSchema } from "../values/schemaBuilders";

/** One operation of the service. Response schemas name only the members that the provider needs; others pass through. */
export interface Operation {
  /** Which API serves it: Basic authentication and envelope, or Bearer and `{data}`. */
  readonly api: "management" | "observability";
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  /** Path of the same operation on the other API, for users who have only that one. */
  readonly otherPath?: string;
  /** Schema of the payload inside the envelope; absent if the API returns none or its shape is unknown. */
  readonly response?: TSchema;
  /** The API's noun for the object in the path, in a 404; absent where no single object is asked for. */
  readonly object?: string;
  /** Whether repeating the request changes nothing more: only then is it retried after a lost answer. */
  readonly idempotent: boolean;
  /** Member of the payload that holds the object; what stands beside it belongs to the object, too. */
  readonly wrapped?: string;
  /** Whether what its body omits is lost. */
  readonly replaces?: boolean;
  /** Whether it queries the user's own data, which is not translated. */
  readonly asksForData?: true;
  /** Whether it is no GET and changes nothing all the same. */
  readonly changesNothing?: true;
  /** Whether the observability API answers without an envelope. */
  readonly isBare?: true;
  /** Members of its body that hold secrets, at any depth: no message repeats the server's words about them. */
  readonly secrets?: readonly string[];
}

/** Whether an operation changes something. */
export function isWrite({ method, changesNothing }: Operation): boolean {
  return method !== "GET" && !changesNothing;
}
