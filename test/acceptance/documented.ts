import { type TableName, tableOf } from "../../product/read";
import { type OperationName, operations } from "../../provider/api/operations";
import { type Api, requestOfOperation } from "../productJudge";

/** A request as the API documents have it. */
export interface Documented {
  readonly table: TableName;
  /** Its method and path, such as `PUT /api/v2/alerts/{id}`. */
  readonly request: string;
  /** The provider's name of the operation; absent if the provider never calls it. */
  readonly operation?: OperationName;
  /** The ids in the path, by the names that the document has for them. */
  readonly ids: Readonly<Record<string, string>>;
  /** Whether the request creates an object that another documented request deletes. */
  readonly creates: boolean;
}

interface Route {
  readonly request: string;
  readonly method: string;
  readonly pattern: RegExp;
  readonly operation?: OperationName;
  readonly creates: boolean;
}

const tables = { management: "cloud", observability: "server" } as const;

const routes: { readonly [api in Api]: readonly Route[] } = {
  management: routesOf("management", "cloud"),
  observability: routesOf("observability", "server"),
};

function routesOf(api: Api, table: TableName): Route[] {
  const requests = Object.keys(tableOf(table).operations);
  const names = new Map<string, OperationName>();
  for (const name of Object.keys(operations) as OperationName[])
    try {
      names.set(requestOfOperation(api, name), name);
    } catch {
      // The product has no such operation.
    }
  const parameters = (request: string) => request.split("{").length;
  // A path without a parameter goes before one that has a parameter in its place, such as `schema` before `{settingName}`.
  return [...requests]
    .sort((one, other) => parameters(one) - parameters(other))
    .map((request) => {
      const [method = "", path = ""] = request.split(" ");
      const isOne = (other: string) => /^\{\w+\}$/.test(other.slice(`DELETE ${path}/`.length));
      return {
        request,
        method,
        pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`),
        operation: names.get(request),
        creates:
          method === "POST" && requests.some((other) => other.startsWith(`DELETE ${path}/`) && isOne(other)),
      };
    });
}

/** Finds the documented request that a method and a path call; undefined if the documents have none. */
export function documented(api: Api, method: string, path: string): Documented | undefined {
  for (const route of routes[api]) {
    const match = route.method === method ? route.pattern.exec(path) : null;
    if (!match) continue;
    const { request, operation, creates } = route;
    return { table: tables[api], request, operation, creates, ids: { ...match.groups } };
  }
  return undefined;
}
