import type { Caller, WhoamiArgs } from "../../../functions/whoami";
import * as functions from "../../../functions/whoami";
import { plain, withOutputs } from "../functionCall";
import type { InputsOf } from "../types";

/** Arguments of {@link whoamiOutput}. */
export interface WhoamiOutputArgs extends InputsOf<typeof functions.whoami.arguments> {}

/**
 * The signer of requests to the management API: the key of the settings, its name and its organization. It needs no
 * `organizationId`. Servers that follow the API document, and older ones, have no such route.
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 * @example
 * ```typescript
 * export const deployedBy = pipestack.whoami().then(({ name }) => name);
 * ```
 */
export const whoami = plain<WhoamiArgs, Caller>(functions.whoami);

/**
 * Same as {@link whoami}, but accepts outputs and returns an output.
 * @example
 * ```typescript
 * export const deployedBy = pipestack.whoamiOutput().name;
 * ```
 */
export const whoamiOutput = withOutputs<WhoamiOutputArgs, Caller>(functions.whoami);
