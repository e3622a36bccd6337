import type { Static, TSchema } from "@sinclair/typebox";
import type { Paging } from "../../product/read";
import type { AnswerShape } from "./answerShape";
import type { BodyError } from "./bodyCheck";
import type { Identifiers } from "./identifiers";
import type { Records } from "./records";
import type { ApiName, Request } from "./request";
import type { Answers } from "./rewrites";
import type { ServerVocabulary } from "./vocabulary";

/** A request that an API of the sandbox has accepted. The function that serves a route gets it. */
export interface Call<Body = unknown> {
  /** The time at which the request is carried out, in milliseconds since 1970. */
  readonly now: number;
  readonly id: string;
  /** The other names in the path that the route is at. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Body;
  /** The service that the request is about, which its path or its access token determines. */
  readonly service: { readonly id: string };
  /** The request as it came. */
  readonly request: Request;
  /** The API key that signed a request to the management API: the id of its record, and the `keyId` as sent. */
  readonly signer?: { readonly keyRecordId: string; readonly keyId: string };
  /** The schema violations in the request's body, for a route that handles them itself. */
  readonly bodyError?: BodyError;
}

export interface Route<Body = never> {
  /** The name of the operation that the route serves; absent for requests that only the sandbox's console sends. */
  readonly operation?: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: TSchema;
  /** Whether the route's responses may have undocumented properties, as those of newer servers do. */
  readonly showsMore?: boolean;
  /** Whether the sandbox also runs the route if the request body is invalid. */
  readonly judgesBody?: boolean;
  /** The default number of elements on a page of the route's list. If absent, it is the number in the API documents. */
  readonly entriesOfPage?: number;
  /** Whether the observability API sends the route's result without an envelope. */
  readonly isBare?: boolean;
  /** Whether the body of a request is a file and not JSON. The request has it as Latin-1. */
  readonly isUpload?: boolean;
  /** Whether requests to the route need no credentials. */
  readonly isOpen?: boolean;
  /**
   * Carries out the request at once: no other request is carried out between call and return.
   * @returns the result for the response; undefined if the response only confirms the request
   * @throws ApiError if the request is refused
   */
  run(call: Call<Body>): unknown;
}

/** A route of the sandbox, with its status, permissions, pages and response form in the API documents. */
export interface ServedRoute extends Route {
  readonly status?: number;
  /** The permissions that the API key which signs a request needs for the route. */
  readonly permissions?: readonly string[];
  /** How the route divides its list into pages. If absent, the list is not divided. */
  readonly paging?: Paging;
  /** Reduces the route's results to the documented form of responses. If absent, they stay as the route returns them. */
  readonly shape?: AnswerShape;
}

/** Defines a route of the sandbox. The type of the request body follows from its schema. */
export function route<Schema extends TSchema>(
  definition: Omit<Route<Static<Schema>>, "body"> & { readonly body?: Schema },
): Route {
  return definition as Route as never;
}

/**
 * Defines a route of the sandbox whose request body has its schema only in the API documents of ClickHouse Cloud or HyperDX.
 */
export const documentedRoute = <Body>(definition: Route<Body>): Route => definition as never;

export interface RouteContext {
  readonly store: Records;
  readonly answers: Answers;
  readonly vocabulary: ServerVocabulary;
  readonly ids: Identifiers;
  /** Milliseconds that a service takes for one change of its state. */
  readonly stateMilliseconds: number;
  /**
   * The API of the routes (management or observability). Where the two APIs of the sandbox differ, the rules of this one apply.
   */
  readonly name: ApiName;
}

/**
 * Makes a value once for each server (API, dialect and version), since compiling the schemas of request bodies takes longer
 * than a request.
 */
export function madeOnce<Made>(make: (context: Pick<RouteContext, "name" | "vocabulary">) => Made) {
  const made = new Map<string, Made>();
  return (context: Pick<RouteContext, "name" | "vocabulary">): Made => {
    const { name, vocabulary } = context;
    const key = `${name} ${vocabulary.dialect} ${vocabulary.version}`;
    const bodies = made.get(key) ?? make(context);
    made.set(key, bodies);
    return bodies;
  };
}

export interface FoundRoute {
  readonly route: ServedRoute;
  readonly params: Readonly<Record<string, string>>;
}

export class Router {
  readonly #routes = new Map<
    string,
    { readonly segments: readonly string[]; readonly route: ServedRoute }[]
  >();

  constructor(routes: readonly (readonly [path: string, ServedRoute])[]) {
    for (const [path, route] of routes) {
      const segments = path.split("/");
      const key = `${route.method} ${segments.length}`;
      this.#routes.set(key, [...(this.#routes.get(key) ?? []), { segments, route }]);
    }
  }

  find(method: string, path: string): FoundRoute | undefined {
    // ClickHouse Cloud accepts a slash at the end of a path, with which Terraform's provider creates pipes.
    const pathSegments = path.replace(/(?<=.)\/$/, "").split("/");
    for (const { segments, route } of this.#routes.get(`${method} ${pathSegments.length}`) ?? []) {
      const fits = segments.every(
        (segment, index) => segment.startsWith(":") || segment === pathSegments[index],
      );
      const params = fits ? paramsIn(segments, pathSegments) : undefined;
      if (params) return { route, params };
    }
    return undefined;
  }
}

/** Reads the value of each `:name` in a route's path; undefined if the request's path has invalid percent-encoding there. */
function paramsIn(
  segments: readonly string[],
  pathSegments: readonly string[],
): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    if (!segment.startsWith(":")) continue;
    try {
      params[segment.slice(1)] = decodeURIComponent(pathSegments[index] ?? "");
    } catch {
      return undefined;
    }
  }
  return params;
}
