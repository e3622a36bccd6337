import { type Static, type TSchema, Type } from "@sinclair/typebox";
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifyTypeProvider,
  RawServerDefault,
} from "fastify";
import type { Records } from "./records";
import type { Answers } from "./rewrites";
import type { Vocabulary } from "./vocabulary";

interface TypeBoxTypes extends FastifyTypeProvider {
  validator: this["schema"] extends TSchema ? Static<this["schema"]> : unknown;
}

/** A fastify server that infers types from TypeBox schemas. */
export type ApiServer = FastifyInstance<
  RawServerDefault,
  FastifyRequest["raw"],
  FastifyReply["raw"],
  FastifyBaseLogger,
  TypeBoxTypes
>;

export type ApiName = "management" | "observability";

/** What routes need, whichever API serves them. */
export interface RouteContext {
  api: ApiServer;
  store: Records;
  answers: Answers;
  vocabulary: Vocabulary;
  /** Whose rules apply where the APIs differ. */
  name: ApiName;
  /** Wraps a result in the API's envelope; without a result, the answer to a deletion. */
  envelope(request: FastifyRequest, result?: unknown): object;
  /** Answers a list of which some servers return one page. */
  list<Item extends { id: string }>(
    request: FastifyRequest,
    reply: FastifyReply,
    items: readonly Item[],
    show: (item: Item) => object,
  ): object;
}

declare module "fastify" {
  interface FastifyRequest {
    /** The service in the path; set before the handler runs on every route that has one. */
    service: { readonly id: string };
    /** Management API only: the id of the record of the key that signed the request, and the key's id as sent. */
    signer?: { keyRecordId: string; keyId: string };
    /** The body as sent: validation may remove members from `body`. */
    sentBody: unknown;
  }
}

/** Path parameters of one object. */
export const idParameters = Type.Object({ id: Type.String() });
