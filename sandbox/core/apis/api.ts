import type { Answer } from "../answer";
import { answerShape } from "../answerShape";
import { ApiError, badRequest } from "../apiError";
import { type BodyCheck, bodyCheck } from "../bodyCheck";
import { documented, lackedRoutes } from "../documented";
import type { Identifiers } from "../identifiers";
import type { Judge } from "../judge";
import { pathOf, type Request } from "../request";
import { recorded } from "../resources/activities";
import type { Resource } from "../resources/resource";
import { isServedIn } from "../resources/resource";
import {
  type Call,
  type FoundRoute,
  type Route,
  type RouteContext,
  Router,
  type ServedRoute,
} from "../routes";
import type { ServerVocabulary } from "../vocabulary";
import type { Protocol } from "./protocol";

export type Run = (route: Route, call: Call) => unknown;

export interface Handled {
  readonly answer: Answer;
  readonly sentBody?: () => unknown;
  readonly signer?: Call["signer"];
}

/** A route of the sandbox with its whole path, and the resource type to which it belongs. */
export interface Served {
  readonly path: string;
  readonly route: ServedRoute;
  readonly resource: Resource;
}

/** One of the two APIs that the sandbox serves (management, observability), with its routes and formats. */
export class Api {
  readonly #router: Router;
  readonly #vocabulary: ServerVocabulary;
  #lacked: Router | undefined;
  readonly served: readonly Served[];
  readonly #checks = new Map<Route, BodyCheck>();
  readonly #ids: Identifiers;
  readonly #isRewriting: () => boolean;

  constructor(
    readonly protocol: Protocol,
    context: Omit<RouteContext, "name">,
    resources: readonly Resource[],
    extraRoutes: readonly (readonly [path: string, Route])[] = [],
    private readonly judge?: Judge,
  ) {
    const { vocabulary } = context;
    this.#ids = context.ids;
    this.#vocabulary = vocabulary;
    this.#isRewriting = () => context.answers.active.size > 0;
    const ofServer = resources.filter((resource) => isServedIn(vocabulary, resource));
    this.served = ofServer.flatMap((resource) => {
      const path = protocol.pathOf(resource);
      const routes = path === undefined ? [] : (resource.routes?.({ ...context, name: protocol.name }) ?? []);
      return routes.map((route) => {
        const documented = this.#documented(route, resource, vocabulary);
        return { path: path + route.path, route: recorded(documented, context), resource };
      });
    });
    const all = [...extraRoutes, ...this.served.map(({ path, route }) => [path, route] as const)];
    this.#router = new Router(all);
    for (const [, route] of all)
      if (route.body)
        this.#checks.set(route, bodyCheck(route.body, protocol.dropsUnknownMembers, vocabulary.dialect));
  }

  /** Adds to a route of the sandbox its permissions, status and response schema in the API documents. */
  #documented(route: Route, resource: Resource, vocabulary: ServerVocabulary): ServedRoute {
    if (vocabulary.dialect !== "clickhouse" || route.operation === undefined) return route;
    const { protocol } = this;
    const [api, path] = protocol.documentedAt?.(resource) ?? [protocol.name, protocol.pathOf(resource) ?? ""];
    const found = documented(api, route, path + route.path, vocabulary);
    if (!found) return route;
    const { body, status, paging, permissions, answer } = found;
    const shape = route.showsMore ? undefined : answerShape(answer);
    return { ...route, ...(body && { body }), ...{ status, paging, permissions, shape } };
  }

  find(request: Request): FoundRoute | undefined {
    return this.#router.find(request.method, pathOf(request));
  }

  /** Finds the route for a documented operation that the sandbox lacks, which refuses the request. */
  findLacked(request: Request): FoundRoute | undefined {
    this.#lacked ??= new Router(lackedRoutes(this.protocol.name, this.#vocabulary));
    return this.#lacked.find(request.method, pathOf(request));
  }

  readonly routeOf = (operation: string): Route | undefined =>
    this.served.find(({ route }) => route.operation === operation)?.route;

  /** Handles a request to the sandbox: checks its credentials, reads its body, and runs its route. */
  handle(
    request: Request,
    { route, params }: FoundRoute,
    now: number,
    requestId = this.#ids.uuid(),
    run: Run = (route, call) => route.run(call as never),
  ): Handled {
    const { protocol } = this;
    const signer = protocol.signerOf?.(request);
    let sentBody: (() => unknown) | undefined;
    try {
      const service = route.isOpen ? undefined : protocol.admit(request, params, now, signer);
      protocol.authorize?.(route, params, signer);
      const readBody = () => (route.isUpload ? undefined : bodyOf(request));
      const body = readBody();
      // For the sandbox's journal of requests, the request body is parsed again, since its validation may have removed
      // properties.
      sentBody = readBody;
      const bodyError = this.#checks.get(route)?.(body);
      if (bodyError && !route.judgesBody) throw bodyError.refusal;
      const query = Object.fromEntries(new URLSearchParams(request.url.split("?", 2)[1]));
      const id = params.id ?? "";
      const place = { id, params, query, service: service as Call["service"] };
      const call = { now, ...place, body, request, signer, bodyError };
      const { operation = "" } = route;
      // The judge, an independent check against the API documents, knows only documented routes, which have an operation.
      const judge = route.operation === undefined ? undefined : this.judge;
      const failure = judge?.requestFailure(protocol.name, operation, sentBody());
      if (failure !== undefined && !route.judgesBody) throw badRequest(failure);
      const made = run(route, call);
      // An active rewrite deliberately changes the sandbox's responses into forms that no document describes. So rewritten
      // responses are not reduced to the documented form.
      const result = route.shape && made !== undefined && !this.#isRewriting() ? route.shape(made) : made;
      const wrong = judge?.answerFailure(protocol.name, operation, result);
      if (wrong !== undefined)
        throw new ApiError(500, `the answer to ${operation} is not as documented: ${wrong}`);
      return { answer: protocol.answer(route, call, result, requestId), sentBody, signer };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { answer: protocol.errorAnswer(error, requestId), sentBody, signer };
    }
  }
}

/**
 * Parses the body of a request; undefined without a body.
 * @throws ApiError for a body that cannot be parsed
 */
function bodyOf({ method, headers, body, isTooLarge }: Request): unknown {
  if (isTooLarge) throw new ApiError(413, "request body too large", "empty");
  if (method === "GET" || body === undefined || (body === "" && headers["content-type"] === undefined))
    return undefined;
  if (!/^application\/json\s*(;|$)/i.test(String(headers["content-type"] ?? "")))
    throw new ApiError(415, "the body must be application/json");
  if (body === "") return undefined;
  try {
    return JSON.parse(body);
  } catch {
    throw badRequest("Invalid JSON payload");
  }
}
