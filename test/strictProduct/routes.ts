import type { BodyName } from "./schemas";

export interface Stored {
  id: string;
  [member: string]: unknown;
}

/** The outcome of a request: a result, with its page or without an envelope, or an error with its status. */
export type Outcome =
  | { readonly result?: unknown; readonly meta?: object; readonly isBare?: boolean }
  | { readonly status: number; readonly error: string };
export type Handler = (id: string, body: Stored) => Outcome;

/** Method, path, handler and the schema of the body; `any` where the handler itself judges it. */
export type Routes = [string, RegExp, Handler, (BodyName | "any")?][];

export const credentials = {
  organizationId: "9a7c1f04-5e2b-4d86-b3a1-0c8d6e5f4a21",
  serviceId: "1be2d3c4-a5f6-4708-91b2-c3d4e5f60718",
  keyId: "StrictProductKey123",
  keySecret: "StrictProductSecret-0a9b8c7d6e5f",
  accessToken: "fake-product-token-11aa22bb33cc",
};

/** What the product holds, by its ids. */
export interface Collections {
  readonly dashboards: Map<string, Stored>;
  readonly alerts: Map<string, Stored>;
  readonly sources: Map<string, Stored>;
  readonly webhooks: Map<string, Stored>;
  readonly savedSearches: Map<string, Stored>;
  readonly connections: Map<string, Stored>;
}

/** How an API names and lists its objects. */
export interface Place {
  at(rest: string): RegExp;
  listed(items: Stored[]): Outcome;
  newId(): string;
}

/** When everything was made and last changed. */
export const createdAt = "2026-01-01T00:00:00.000Z";

export const missing = (what: string): Outcome => ({ status: 404, error: `${what} not found` });
export const refusedBody = (error: string): Outcome => ({ status: 400, error });

export function path(rest: string): RegExp {
  return new RegExp(`^/services/${credentials.serviceId}${rest}$`);
}

export function found(object: Stored | undefined, what: string): Outcome {
  return object ? { result: object } : missing(what);
}

export function removed(objects: Map<string, Stored>, id: string): Outcome {
  return objects.delete(id) ? {} : missing("object");
}
