import { type TSchema, Type } from "@sinclair/typebox";
import {
  type Asked,
  operationAt,
  type Paging,
  pagingOf,
  requestOf,
  resultOf,
  type TableName,
  tableOf,
} from "../../product/read";
import { ApiError } from "./apiError";
import type { ApiName } from "./request";
import type { Route } from "./routes";
import { refusing, shapeOf } from "./shapes";
import type { ServerVocabulary } from "./vocabulary";

/** The request schema, response schema, status and permissions of a route in the API documents. */
export interface Documented {
  readonly body?: TSchema;
  /** The schema of the result in a response, without the envelope around it. */
  readonly answer: TSchema;
  readonly status: number;
  readonly paging: Paging;
  /** The permissions in ClickHouse Cloud that the key which signs the request needs, all of them. */
  readonly permissions: readonly string[];
}

const tables: { readonly [api in ApiName]: TableName } = { management: "cloud", observability: "server" };

const anonymous = (path: string) => path.replace(/\{\w+\}|:\w+/g, "{}");

const known = new Map<string, Documented | undefined>();

/** Finds a route of the sandbox in the API documents of ClickHouse Cloud or HyperDX; undefined if they do not have it. */
export function documented(
  api: ApiName,
  { method }: Pick<Route, "method">,
  path: string,
  { version }: Pick<ServerVocabulary, "version">,
): Documented | undefined {
  const asked: Asked = { withoutRules: true, ...(api === "observability" && { version }) };
  const request = `${method} ${anonymous(path)}`;
  const key = `${api} ${asked.version} ${request}`;
  if (!known.has(key)) known.set(key, read(tables[api], request, asked));
  return known.get(key);
}

/**
 * Returns a route for each operation in the API document of ClickHouse Cloud or HyperDX, which only says that the sandbox lacks
 * the operation. There is none in the dialect `neutral`, whose API has no such document.
 */
export function lackedRoutes(
  api: ApiName,
  { dialect, version }: Pick<ServerVocabulary, "dialect" | "version">,
): (readonly [path: string, Route])[] {
  if (dialect === "neutral") return [];
  const asked: Asked = { withoutRules: true, ...(api === "observability" && { version }) };
  return Object.keys(tableOf(tables[api], asked).operations).map((operation) => {
    const [method, path = ""] = operation.split(" ");
    const route: Route = {
      method: method as Route["method"],
      path: "",
      // A 404 in the API's format would say that the object does not exist, so that Terraform's provider drops it from its state.
      run() {
        throw new ApiError(501, "the sandbox lacks this operation");
      },
    };
    return [path.replace(/\{(\w+)\}/g, ":$1"), route] as const;
  });
}

function read(table: TableName, request: string, asked: Asked): Documented | undefined {
  const name = Object.keys(tableOf(table, asked).operations).find((other) => anonymous(other) === request);
  if (name === undefined) return undefined;
  const { answers, permissions = [] } = operationAt(table, name, asked);
  const body = requestOf(table, name, asked);
  return {
    ...(body && { body: Type.Unsafe(bodyAt(name, shapeOf(body))) }),
    answer: Type.Unsafe(shapeOf(resultOf(table, name, asked))),
    status: Number(Object.keys(answers)[0] ?? 200),
    paging: pagingOf(table, name, asked),
    permissions,
  };
}

/**
 * Finds the schema of a request body in the API documents. Unknown properties in filters of dashboards are refused, even by the
 * observability API, which drops unknown properties elsewhere.
 */
function bodyAt(
  request: string,
  shape: { readonly properties?: { readonly [member: string]: object } },
): object {
  const { filters, ...properties } = shape.properties ?? {};
  if (!request.includes("/dashboards") || filters === undefined) return shape;
  return { ...shape, properties: { ...properties, filters: refusing(filters) } };
}
