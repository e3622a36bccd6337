import type { Answer } from "../answer";
import type { ApiError } from "../apiError";
import type { ApiName, Request } from "../request";
import type { Resource } from "../resources/resource";
import type { Call, ServedRoute } from "../routes";

/** The rules by which an API of the sandbox accepts requests, and the formats of its responses. */
export interface Protocol {
  /**
   * The API of the protocol (management or observability). Where the two APIs of the sandbox differ, the rules of this one
   * apply.
   */
  readonly name: ApiName;
  /** Whether the API drops unknown properties of a request body, as HyperDX does, instead of refusing the request. */
  readonly dropsUnknownMembers: boolean;
  /** Returns the path of a resource type in this API of the sandbox; undefined if this API does not serve the resource type. */
  pathOf(resource: Resource): string | undefined;
  /**
   * Returns the API and path under which the API documents describe a resource type, if these differ from where the sandbox
   * serves it.
   */
  documentedAt?(resource: Resource): readonly [ApiName, string] | undefined;
  signerOf?(request: Request): Call["signer"];
  /**
   * Checks the credentials of a request to an API of the sandbox.
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
   * Checks whether the roles of the API key that signed a request permit the request. Without this function every key may do
   * everything.
   * @throws ApiError if the roles do not permit the request
   */
  authorize?(route: ServedRoute, params: Readonly<Record<string, string>>, signer: Call["signer"]): void;
  /**
   * Makes the response to a request that the sandbox carried out. If the route returns no result, the response only confirms
   * the request.
   */
  answer(route: ServedRoute, call: Call, result: unknown, requestId: string): Answer;
  errorAnswer(error: ApiError, requestId: string): Answer;
  /** Lists the credentials that a request contains in plain text, so that the sandbox's journal of requests can hide them. */
  secretsOf(request: Request): string[];
}
