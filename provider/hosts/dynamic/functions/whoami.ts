import type * as pulumi from "@pulumi/pulumi";
import type { Caller, WhoamiArgs } from "../../../functions/whoami";
import * as functions from "../../../functions/whoami";
import { call, callOutput, type FunctionOptions } from "../functionCall";
import type { InputsOf } from "../types";

/** Arguments of {@link whoamiOutput}. */
export interface WhoamiOutputArgs extends InputsOf<typeof functions.whoami.arguments> {}

/**
 * The signer of requests to the management API: the key of the settings, its name and its organization. It needs no
 * `organizationId`. Servers of the API document, and older ones, have no such route.
 *
 * @throws Error if an argument is invalid (before any request), a setting is missing, the service refuses the request, or
 *   no answer arrives
 *
 * @example
 * ```typescript
 * const { name, organizationId } = await pipestack.whoami();
 * ```
 */
export function whoami(args: WhoamiArgs = {}, opts?: FunctionOptions): Promise<Caller> {
  return call(functions.whoami, args, opts);
}

/**
 * Same as {@link whoami}, but accepts outputs and returns one.
 *
 * @example
 * ```typescript
 * export const deployedBy = pipestack.whoamiOutput().name;
 * ```
 */
export function whoamiOutput(args: WhoamiOutputArgs = {}, opts?: FunctionOptions): pulumi.Output<Caller> {
  return callOutput(functions.whoami, args, opts);
}
