import type { Answer } from "../answer";
import type { ApiError } from "../apiError";
import type { ApiName, Request } from "../request";
import type { Resource } from "../resources/resource";
import type { Call, ServedRoute } from "../routes";

/** How an API lets requests in, and how it words its answers. */
export interface Protocol {
  /** Whose rules apply where the APIs differ. */
  readonly name: ApiName;
  /** Whether unknown members of a body are dropped; otherwise they are refused. */
  readonly dropsUnknownMembers: boolean;
  /** The path of a resource; undefined for one that it does not serve. */
  pathOf(resource: Resource): string | undefined;
  /** The API and the path that the documents have for a resource, where those are not its own. */
  documentedAt?(resource: Resource): readonly [ApiName, string] | undefined;
  /** The key that a request is signed with, if there is such a key. */
  signerOf?(request: Request): Call["signer"];
  /**
   * Lets a request in.
   *
   * @returns the service that it is about
   * @throws ApiError for one that may not be made
   */
  admit(
    request: Request,
    params: Readonly<Record<string, string>>,
    now: number,
    signer: Call["signer"],
  ): Call["service"] | undefined;
  /** @throws ApiError where the roles of a key do not permit what it asks for. Default: every key may do everything */
  authorize?(route: ServedRoute, params: Readonly<Record<string, string>>, signer: Call["signer"]): void;
  /** The answer to a request that was carried out; without a result a receipt. */
  answer(route: ServedRoute, call: Call, result: unknown, requestId: string): Answer;
  errorAnswer(error: ApiError, requestId: string): Answer;
  /** The credentials of a request in plain text, so that the journal can redact them. */
  secretsOf(request: Request): string[];
}
