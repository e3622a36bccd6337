import type { Answer } from "../answer";
import type { ApiError } from "../apiError";
import type { ApiName, Request } from "../request";
import type { Resource } from "../resources/resource";
import type { Call, ServedRoute } from "../routes";

/** The rules by which an API accepts requests, and the formats of its responses. */
export interface Protocol {
  /** The API (management or observability) whose rules apply where the two APIs differ. */
  readonly name: ApiName;
  /** Whether unknown properties of a request body are dropped instead of refused. */
  readonly dropsUnknownMembers: boolean;
  /** The path of a resource type; undefined if this API does not serve it. */
  pathOf(resource: Resource): string | undefined;
  /** The API and path under which the API documents describe a resource type, if these differ from the API's own. */
  documentedAt?(resource: Resource): readonly [ApiName, string] | undefined;
  /** The key that signs a request, if the sandbox has such a key. */
  signerOf?(request: Request): Call["signer"];
  /**
   * Checks the credentials of a request to an API.
   *
   * @returns the service that the request is about
   * @throws ApiError for a request that is not allowed
   */
  admit(
    request: Request,
    params: Readonly<Record<string, string>>,
    now: number,
    signer: Call["signer"],
  ): Call["service"] | undefined;
  /**
   * Checks whether the roles of the signing key permit the request. Default: every key may do everything.
   *
   * @throws ApiError if they do not
   */
  authorize?(route: ServedRoute, params: Readonly<Record<string, string>>, signer: Call["signer"]): void;
  /** The response to a request that was carried out. If the route returns no result, the response only confirms the request. */
  answer(route: ServedRoute, call: Call, result: unknown, requestId: string): Answer;
  errorAnswer(error: ApiError, requestId: string): Answer;
  /** The credentials in a request in plain text, so that the journal of requests can hide them. */
  secretsOf(request: Request): string[];
}
