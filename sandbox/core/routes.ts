import type { Static, TSchema } from "@sinclair/typebox";
import type { Paging } from "../../product/read";
import type { AnswerShape } from "./answerShape";
import type { BodyError } from "./bodyCheck";
import type { Identifiers } from "./identifiers";
import type { Records } from "./records";
import type { ApiName } from "./request";
import type { Answers } from "./rewrites";
import type { ServerVocabulary } from "./vocabulary";

/** A request that an API of the sandbox has accepted, as its route gets it. */
export interface Call<Body = unknown> {
  /** The time at which the request is carried out, in milliseconds since 1970. */
  readonly now: number;
  /** The value of `:id` in the request's path. */
  readonly id: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Body;
  /** The service that the request is about, from its path or its access token. */
  readonly service: { readonly id: string };
  /** The API key that signed a request to the management API: the id of its record, and the `keyId` as sent. */
  readonly signer?: { readonly keyRecordId: string; readonly keyId: string };
  /** The violations in the request's body, for a route that handles them itself. */
  readonly bodyError?: BodyError;
}

/** A route of an API: it serves an operation at a method and path. */
export interface Route<Body = never> {
  /** The name of the operation that the route serves; absent for requests that only the console sends. */
  readonly operation?: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The route's path below the path of its resource type. */
  readonly path: string;
  readonly body?: TSchema;
  /** Whether responses may have undocumented properties, as those of newer servers do. */
  readonly showsMore?: boolean;
  /** Whether the route also runs with an invalid request body. */
  readonly judgesBody?: boolean;
  /** Default number of elements on a page of a list with cursors. Default: as the API documents say. */
  readonly entriesOfPage?: number;
  /** Whether the observability API sends the result without an envelope. */
  readonly isBare?: boolean;
  /** Whether requests to the route need no credentials. */
  readonly isOpen?: boolean;
  /**
   * Carries out the request at once: nothing else happens between call and return.
   *
   * @returns the result for the response; undefined if the response only confirms the request
   * @throws ApiError if the request is refused
   */
  run(call: Call<Body>): unknown;
}

/** A route with what the API documents say about its responses. */
export interface ServedRoute extends Route {
  /** The HTTP status of a successful response. Default: 200. */
  readonly status?: number;
  /** The permissions that the signing key needs for the route. Default: none. */
  readonly permissions?: readonly string[];
  /** How the route's list is divided into pages. Default: without pages. */
  readonly paging?: Paging;
  /** Reduces results to the documented form of responses. Default: they stay as the route returns them. */
  readonly shape?: AnswerShape;
}

/** Defines a route; the type of the request body follows from its schema. */
export function route<Schema extends TSchema>(
  definition: Omit<Route<Static<Schema>>, "body"> & { readonly body?: Schema },
): Route {
  return definition as Route as never;
}

/** Defines a route whose request body has a schema in the API documents of ClickHouse Cloud or HyperDX only. */
export const documentedRoute = <Body>(definition: Route<Body>): Route => definition as never;

/** The parts of the sandbox that routes use, on whichever API. */
export interface RouteContext {
  readonly store: Records;
  readonly answers: Answers;
  readonly vocabulary: ServerVocabulary;
  readonly ids: Identifiers;
  /** Milliseconds that a service takes for one change of its state. */
  readonly stateMilliseconds: number;
  /** The API (management or observability) whose rules apply where the two APIs differ. */
  readonly name: ApiName;
}

/**
 * Makes a value once for each server (API, dialect and version), since compiling the schemas of bodies takes longer than a
 * request.
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

/** A route that fits a request, with the values of the parameters in its path. */
export interface FoundRoute {
  readonly route: ServedRoute;
  readonly params: Readonly<Record<string, string>>;
}

/** The routes of an API, by method and path. */
export class Router {
  readonly #routes = new Map<
    string,
    { readonly segments: readonly string[]; readonly route: ServedRoute }[]
  >();

  add(path: string, route: ServedRoute): void {
    const segments = path.split("/");
    const key = `${route.method} ${segments.length}`;
    this.#routes.set(key, [...(this.#routes.get(key) ?? []), { segments, route }]);
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

/** The value of each `:name` in a route's path; undefined if the request's path has invalid percent-encoding there. */
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
