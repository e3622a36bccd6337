import { type Data, isObject } from "../lifecycle/data";
import { resourceKey } from "../lifecycle/resource";
import type { TypeName } from "./registry";

/** Members that hold ids of other objects, at any depth of inputs and answers: the type they refer to, or `tile`. */
const members: { readonly [name: string]: TypeName | "tile" } = {
  dashboardId: "Dashboard",
  dashboard: "Dashboard",
  tileId: "tile",
  webhookId: "Webhook",
  connection: "Connection",
  connectionId: "Connection",
  sourceId: "Source",
  appliesToSourceIds: "Source",
  logSourceId: "Source",
  metricSourceId: "Source",
  sessionSourceId: "Source",
  traceSourceId: "Source",
  savedSearch: "SavedSearch",
  // Answers of some servers, whatever the dialect.
  savedSearchId: "SavedSearch",
  openApiKeys: "ApiKey",
};

/** The types whose objects refer to those of a type. */
export const usersOf: { readonly [type in TypeName]?: readonly TypeName[] } = {
  Connection: ["Source", "Dashboard"],
  Source: ["Source", "Dashboard", "SavedSearch"],
  Dashboard: ["Alert"],
  Webhook: ["Alert"],
  SavedSearch: ["Alert"],
};

/** A value in which every id of another object is what `replace` makes of it. */
export function withReferences(
  value: unknown,
  replace: (type: TypeName | "tile", id: string) => unknown,
  type?: TypeName | "tile",
): unknown {
  if (typeof value === "string") return type === undefined ? value : replace(type, value);
  if (Array.isArray(value)) return value.map((entry) => withReferences(entry, replace, type));
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const to = Object.hasOwn(members, name) ? members[name] : undefined;
      return [name, withReferences(member, replace, to)];
    }),
  );
}

/** Whether an object, as a service answers it, refers to another one. */
export function refersTo(answer: Data, type: TypeName, id: string): boolean {
  let found = false;
  const key = resourceKey({ type }, id);
  withReferences(answer, (to, other) => {
    found ||= resourceKey({ type: to }, other) === key;
    return other;
  });
  return found;
}
