import { operations } from "../api/operations";
import { uuid } from "../api/settingsSchema";
import { aboutObject } from "../lifecycle/observe";
import { inService, scopeOf } from "../lifecycle/scope";
import { type Static, type TArray, Type } from "../values/schemaBuilders";
import type { FunctionDefinition } from "./definition";
import { withoutSecrets } from "./listing";
import { type PipeSummary, pipeSchema, pipeSettingsSchema, pipeState } from "./pipe";

const secrets = {
  /** Whether to include object storage's `connectionString`. Default: false. If true, the `…Output` form returns a secret. */
  includeSecrets: Type.Optional(Type.Boolean()),
};

const pipesArguments = inService({
  ...secrets,
  /** Exact name of the pipes to return. */
  name: Type.Optional(Type.String({ minLength: 1 })),
  /** Exact state of the pipes to return. */
  state: Type.Optional(pipeState),
});

const onePipe = {
  /** Id of the pipe (uuid). */
  pipeId: Type.String(uuid),
};

const pipeArguments = inService({ ...onePipe, ...secrets });
const pipeSettingsArguments = inService(onePipe);

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
export const getPipes: FunctionDefinition<typeof pipesArguments, TArray<typeof pipeSchema>> = {
  name: "getPipes",
  arguments: pipesArguments,
  result: Type.Array(pipeSchema),
  async run(args, session) {
    const pipes = (await session.lists.read("listPipes", scopeOf("service", args, session))) as PipeSummary[];
    return pipes
      .filter(({ name, state }) => (args.name ?? name) === name && (args.state ?? state) === state)
      .map((pipe) => (args.includeSecrets ? pipe : open(pipe)));
  },
};

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
export const getPipe: FunctionDefinition<typeof pipeArguments, typeof pipeSchema> = {
  name: "getPipe",
  arguments: pipeArguments,
  result: pipeSchema,
  async run(args, session) {
    const parameters = { ...scopeOf("service", args, session), id: args.pipeId };
    const answer = await session.call("getPipe", parameters);
    const pipe = aboutObject(answer, "getPipe", args.pipeId, session) as PipeSummary;
    return args.includeSecrets ? pipe : open(pipe);
  },
};

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
export const getPipeSettings: FunctionDefinition<typeof pipeSettingsArguments, typeof pipeSettingsSchema> = {
  name: "getPipeSettings",
  arguments: pipeSettingsArguments,
  result: pipeSettingsSchema,
  run: (args, session) =>
    session.call("getPipeSettings", { ...scopeOf("service", args, session), id: args.pipeId }),
};

const open = (pipe: PipeSummary) => withoutSecrets(pipe, operations.createPipe.secrets);

/** Arguments of {@link getPipes}. */
export interface GetPipesArgs extends Static<typeof pipesArguments> {}
/** Arguments of {@link getPipe}. */
export interface GetPipeArgs extends Static<typeof pipeArguments> {}
/** Arguments of {@link getPipeSettings}. */
export interface GetPipeSettingsArgs extends Static<typeof pipeSettingsArguments> {}
