import type * as pulumi from "@pulumi/pulumi";
import type { Pipe, PipeSettings } from "../../../functions/pipe";
import type { GetPipeArgs, GetPipeSettingsArgs, GetPipesArgs } from "../../../functions/pipes";
import * as functions from "../../../functions/pipes";
import { call, callOutput, type FunctionOptions } from "../functionCall";
import type { InputsOf } from "../types";

/** Arguments of {@link getPipesOutput}. */
export interface GetPipesOutputArgs extends InputsOf<typeof functions.getPipes.arguments> {}
/** Arguments of {@link getPipeOutput}. */
export interface GetPipeOutputArgs extends InputsOf<typeof functions.getPipe.arguments> {}
/** Arguments of {@link getPipeSettingsOutput}. */
export interface GetPipeSettingsOutputArgs extends InputsOf<typeof functions.getPipeSettings.arguments> {}

/**
 * The pipes of a service. Without `includeSecrets`, connection strings are left out.
 *
 * @throws Error if an argument is invalid (before any request), a setting is missing, the service refuses the request, or
 *   no answer arrives
 *
 * @example
 * ```typescript
 * const running = await pipestack.getPipes({ state: "Running" });
 * export const topics = running.map((pipe) => pipe.source.kafka?.topics);
 * ```
 * @see "Pipe" in the API document
 */
export function getPipes(args: GetPipesArgs = {}, opts?: FunctionOptions): Promise<Pipe[]> {
  return call(functions.getPipes, args, opts);
}

/**
 * Same as {@link getPipes}, but accepts outputs and returns one. With `includeSecrets` the result is a secret.
 *
 * @example
 * ```typescript
 * export const names = pipestack.getPipesOutput({ serviceId: scaling.id }).apply((pipes) => pipes.map((pipe) => pipe.name));
 * ```
 */
export function getPipesOutput(args: GetPipesOutputArgs = {}, opts?: FunctionOptions): pulumi.Output<Pipe[]> {
  return callOutput(functions.getPipes, args, opts);
}

/**
 * One pipe. Fails if the service does not have it.
 *
 * @throws Error if an argument is invalid (before any request), a setting is missing, the service refuses the request, or
 *   no answer arrives
 *
 * @example
 * ```typescript
 * const pipe = await pipestack.getPipe({ pipeId: "f4b7a1de-8a0d-4f2e-9b53-2d1c7a9e4b10" });
 * ```
 * @see "Pipe" in the API document
 */
export function getPipe(args: GetPipeArgs, opts?: FunctionOptions): Promise<Pipe> {
  return call(functions.getPipe, args, opts);
}

/**
 * Same as {@link getPipe}, but accepts outputs and returns one. With `includeSecrets` the result is a secret.
 *
 * @example
 * ```typescript
 * export const destination = pipestack.getPipeOutput({ pipeId }).destination;
 * ```
 */
export function getPipeOutput(args: GetPipeOutputArgs, opts?: FunctionOptions): pulumi.Output<Pipe> {
  return callOutput(functions.getPipe, args, opts);
}

/**
 * The settings of a pipe. Fails if the service does not have the pipe.
 *
 * @throws Error if an argument is invalid (before any request), a setting is missing, the service refuses the request, or
 *   no answer arrives
 *
 * @example
 * ```typescript
 * const { object_storage_concurrency } = await pipestack.getPipeSettings({ pipeId: "f4b7a1de-8a0d-4f2e-9b53-2d1c7a9e4b10" });
 * ```
 * @see "Pipe settings" in the API document
 */
export function getPipeSettings(args: GetPipeSettingsArgs, opts?: FunctionOptions): Promise<PipeSettings> {
  return call(functions.getPipeSettings, args, opts);
}

/**
 * Same as {@link getPipeSettings}, but accepts outputs and returns one.
 *
 * @example
 * ```typescript
 * export const threads = pipestack.getPipeSettingsOutput({ pipeId }).engine_max_threads;
 * ```
 */
export function getPipeSettingsOutput(
  args: GetPipeSettingsOutputArgs,
  opts?: FunctionOptions,
): pulumi.Output<PipeSettings> {
  return callOutput(functions.getPipeSettings, args, opts);
}
