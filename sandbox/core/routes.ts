import type { Static, TSchema } from "@sinclair/typebox";
import type { Paging } from "../../product/read";
import type { AnswerShape } from "./answerShape";
import type { BodyError } from "./bodyCheck";
import type { Identifiers } from "./identifiers";
import type { Records } from "./records";
import type { ApiName } from "./request";
import type { Answers } from "./rewrites";
import type { ServerVocabulary } from "./vocabulary";

/** A request that an API has let in. */
export interface Call<Body = unknown> {
  /** When it is carried out, in milliseconds since 1970. */
  readonly now: number;
  /** The `:id` of the path. */
  readonly id: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Body;
  /** The service that it is about. */
  readonly service: { readonly id: string };
  /** Management API only: the id of the record of the key that signed it, and the key's id as sent. */
  readonly signer?: { readonly keyRecordId: string; readonly keyId: string };
  /** The error of the body, for a route that judges it itself. */
  readonly bodyError?: BodyError;
}

/** Serves an operation. */
export interface Route<Body = never> {
  /** Absent for requests of the console alone. */
  readonly operation?: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below that of its resource. */
  readonly path: string;
  readonly body?: TSchema;
  /** Whether answers may have members that no document has, as those of newer servers do. */
  readonly showsMore?: boolean;
  /** Whether it is run with an invalid body, too. */
  readonly judgesBody?: boolean;
  /** How many entries a page by cursor has unless a request says it. Default: as many as the product's documents say. */
  readonly entriesOfPage?: number;
  /** Whether the observability API answers without an envelope. */
  readonly isBare?: boolean;
  /** Whether it needs no credentials. */
  readonly isOpen?: boolean;
  /**
   * Carries it out at once: nothing else happens between call and return.
   *
   * @returns the result in the answer; undefined for a receipt
   * @throws ApiError
   */
  run(call: Call<Body>): unknown;
}

/** A route with what the product's documents say of its answers. */
export interface ServedRoute extends Route {
  /** The status of its success. Default: 200. */
  readonly status?: number;
  /** The permissions that the key needs that signs it. Default: none. */
  readonly permissions?: readonly string[];
  /** How its list is paged. Default: it comes as a whole. */
  readonly paging?: Paging;
  /** Default: answers are as the route makes them. */
  readonly shape?: AnswerShape;
}

/** Lets the type of the body follow from its schema. */
export function route<Schema extends TSchema>(
  definition: Omit<Route<Static<Schema>>, "body"> & { readonly body?: Schema },
): Route {
  return definition as Route as never;
}

/** The same for a body that the product's documents alone have. */
export const documentedRoute = <Body>(definition: Route<Body>): Route => definition as never;

/** The context of routes, whichever API serves them. */
export interface RouteContext {
  readonly store: Records;
  readonly answers: Answers;
  readonly vocabulary: ServerVocabulary;
  readonly ids: Identifiers;
  /** How long a service takes for one change of its state. */
  readonly stateMilliseconds: number;
  /** Whose rules apply where the APIs differ. */
  readonly name: ApiName;
}

/** Makes bodies once for each kind of server: that takes longer than a request. */
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

/** A route at its path, with the parameters in that. */
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
    const pathSegments = path.split("/");
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

/** The value of each `:name`; undefined for one that is not encoded as in addresses. */
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
