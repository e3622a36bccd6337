import type { PipeSettings, PipeSummary } from "../../../functions/pipe";
import type { GetPipeArgs, GetPipeSettingsArgs, GetPipesArgs } from "../../../functions/pipes";
import * as functions from "../../../functions/pipes";
import { plain, withOutputs } from "../functionCall";
import type { InputsOf } from "../types";

/** Arguments of {@link getPipesOutput}. */
export interface GetPipesOutputArgs extends InputsOf<typeof functions.getPipes.arguments> {}
/** Arguments of {@link getPipeOutput}. */
export interface GetPipeOutputArgs extends InputsOf<typeof functions.getPipe.arguments> {}
/** Arguments of {@link getPipeSettingsOutput}. */
export interface GetPipeSettingsOutputArgs extends InputsOf<typeof functions.getPipeSettings.arguments> {}

/**
 * The pipes of a service. Without `includeSecrets`, connection strings are left out.
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 * @example
 * ```typescript
 * const running = pipestack.getPipes({ state: "Running" });
 * export const topics = running.then((pipes) => pipes.map(({ source }) => source.kafka?.topics));
 * ```
 * @see "Pipe" in the API document
 */
export const getPipes = plain<GetPipesArgs, PipeSummary[]>(functions.getPipes);

/**
 * Same as {@link getPipes}, but accepts outputs and returns an output. With `includeSecrets` the result is a secret.
 * @example
 * ```typescript
 * const reporting = pipestack.getServiceOutput({ name: "reporting" });
 * export const names = pipestack.getPipesOutput({ serviceId: reporting.id }).apply((pipes) => pipes.map((pipe) => pipe.name));
 * ```
 */
export const getPipesOutput = withOutputs<GetPipesOutputArgs, PipeSummary[]>(functions.getPipes);

/**
 * One pipe. Fails if the service does not have it.
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 * @example
 * ```typescript
 * const pipe = pipestack.getPipe({ pipeId: "f4b7a1de-8a0d-4f2e-9b53-2d1c7a9e4b10" });
 * export const state = pipe.then(({ state }) => state);
 * ```
 * @see "Pipe" in the API document
 */
export const getPipe = plain<GetPipeArgs, PipeSummary>(functions.getPipe);

/**
 * Same as {@link getPipe}, but accepts outputs and returns an output. With `includeSecrets` the result is a secret.
 * @example
 * ```typescript
 * export const destination = pipestack.getPipeOutput({ pipeId: "f4b7a1de-8a0d-4f2e-9b53-2d1c7a9e4b10" }).destination;
 * ```
 */
export const getPipeOutput = withOutputs<GetPipeOutputArgs, PipeSummary>(functions.getPipe);

/**
 * The settings of a pipe. Fails if the service does not have the pipe.
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 * @example
 * ```typescript
 * const settings = pipestack.getPipeSettings({ pipeId: "f4b7a1de-8a0d-4f2e-9b53-2d1c7a9e4b10" });
 * export const concurrency = settings.then(({ object_storage_concurrency }) => object_storage_concurrency);
 * ```
 * @see "Pipe settings" in the API document
 */
export const getPipeSettings = plain<GetPipeSettingsArgs, PipeSettings>(functions.getPipeSettings);

/**
 * Same as {@link getPipeSettings}, but accepts outputs and returns an output.
 * @example
 * ```typescript
 * const settings = pipestack.getPipeSettingsOutput({ pipeId: "f4b7a1de-8a0d-4f2e-9b53-2d1c7a9e4b10" });
 * export const threads = settings.engine_max_threads;
 * ```
 */
export const getPipeSettingsOutput = withOutputs<GetPipeSettingsOutputArgs, PipeSettings>(
  functions.getPipeSettings,
);
