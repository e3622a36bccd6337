import { openSetOf } from "../values/schema";
import { type Static, Type } from "../values/schemaBuilders";
import type { FunctionDefinition, ResultOf } from "./definition";

const callerSchema = Type.Object({
  /** Kind of the caller whose credentials the settings have: `apiKey` for an API key. */
  actorType: Type.Optional(openSetOf(["apiKey", "user"])),
  /** Id of the API key, as in the setting `keyId`. */
  keyId: Type.Optional(Type.String()),
  /** Name of the caller, which is an API key or a user. */
  name: Type.Optional(Type.String()),
  /** Id of the organization that the API key belongs to (uuid). */
  organizationId: Type.Optional(Type.String()),
  /** Id of the user (uuid). */
  userId: Type.Optional(Type.String()),
  /** Email address of the user. */
  email: Type.Optional(Type.String()),
  /** Organizations of the user whose credentials the provider uses. */
  organizations: Type.Optional(
    Type.Array(
      Type.Object({
        /** Id of the organization (uuid). */
        organizationId: Type.Optional(Type.String()),
        /** Name of the organization. */
        organizationName: Type.Optional(Type.String()),
      }),
    ),
  ),
});

/** The API key or user whose credentials the provider uses for the management API. */
export interface Caller extends ResultOf<typeof callerSchema> {}

const whoamiArguments = Type.Object({}, { additionalProperties: false });

/**
 * The signer of requests to the management API: the key of the settings, its name and its organization. It needs no
 * `organizationId`. Servers that follow the API document, and older ones, have no such route.
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 * @example
 * ```typescript
 * export const deployedBy = pipestack.whoami().then(({ name }) => name);
 * ```
 */
export const whoami: FunctionDefinition<typeof whoamiArguments, typeof callerSchema> = {
  name: "whoami",
  arguments: whoamiArguments,
  result: callerSchema,
  run: (_args, session) => session.call("whoami", {}) as Promise<Caller>,
};

/** Arguments of {@link whoami}: it takes none. */
export interface WhoamiArgs extends Static<typeof whoamiArguments> {}
