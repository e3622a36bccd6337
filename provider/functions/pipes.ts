import type * as pulumi from "@pulumi/pulumi";
import { uuid } from "../api/settings";
import { call, callOutput, type DataFunction, type FunctionOptions } from "../hosts/dynamic/functionCall";
import type { InputsOf } from "../hosts/dynamic/types";
import { isObject } from "../lifecycle/data";
import { aboutObject } from "../lifecycle/objects";
import { inService, scopeOf } from "../lifecycle/scope";
import { type Static, Type } from "../typebox";
import type { Pipe, PipeSettings } from "./pipe";

const secrets = {
  /** Whether to include `connectionString` of object storage sources. Default: false. An output is then a secret. */
  includeSecrets: Type.Optional(Type.Boolean()),
};

const pipesArguments = inService({
  ...secrets,
  /** Only pipes with exactly this name. */
  name: Type.Optional(Type.String({ minLength: 1 })),
  /** Only pipes in exactly this state. */
  state: Type.Optional(Type.String({ minLength: 1 })),
});

const onePipe = {
  /** Id of the pipe (uuid). */
  pipeId: Type.String(uuid),
};

const pipeArguments = inService({ ...onePipe, ...secrets });
const pipeSettingsArguments = inService(onePipe);

const pipes: DataFunction<typeof pipesArguments, Pipe[]> = {
  name: "getPipes",
  arguments: pipesArguments,
  isSecret: ({ includeSecrets }) => includeSecrets === true,
  async run(args, session) {
    const all = (await session.list("listPipes", scopeOf(args, session))) as unknown as Pipe[];
    return all
      .filter(({ name, state }) => (args.name ?? name) === name && (args.state ?? state) === state)
      .map((found) => (args.includeSecrets ? found : withoutSecrets(found)));
  },
};

const pipe: DataFunction<typeof pipeArguments, Pipe> = {
  name: "getPipe",
  arguments: pipeArguments,
  isSecret: ({ includeSecrets }) => includeSecrets === true,
  async run(args, session) {
    const parameters = { ...scopeOf(args, session), pipeId: args.pipeId };
    const answer = await session.call("getPipe", parameters);
    const found = aboutObject(session, "getPipe", answer, args.pipeId) as unknown as Pipe;
    return args.includeSecrets ? found : withoutSecrets(found);
  },
};

const pipeSettings: DataFunction<typeof pipeSettingsArguments, PipeSettings> = {
  name: "getPipeSettings",
  arguments: pipeSettingsArguments,
  run: (args, session) => session.call("getPipeSettings", { ...scopeOf(args, session), pipeId: args.pipeId }),
};

function withoutSecrets(found: Pipe): Pipe {
  return { ...found, source: withoutConnectionStrings(found.source) as Pipe["source"] };
}

/** At any depth: a new kind of source may have one, too. */
function withoutConnectionStrings(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutConnectionStrings);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => name !== "connectionString");
  return Object.fromEntries(members.map(([name, member]) => [name, withoutConnectionStrings(member)]));
}

/** Arguments of {@link getPipes}. */
export interface GetPipesArgs extends Static<typeof pipesArguments> {}
/** Arguments of {@link getPipesOutput}. */
export interface GetPipesOutputArgs extends InputsOf<typeof pipesArguments> {}
/** Arguments of {@link getPipe}. */
export interface GetPipeArgs extends Static<typeof pipeArguments> {}
/** Arguments of {@link getPipeOutput}. */
export interface GetPipeOutputArgs extends InputsOf<typeof pipeArguments> {}
/** Arguments of {@link getPipeSettings}. */
export interface GetPipeSettingsArgs extends Static<typeof pipeSettingsArguments> {}
/** Arguments of {@link getPipeSettingsOutput}. */
export interface GetPipeSettingsOutputArgs extends InputsOf<typeof pipeSettingsArguments> {}

/**
 * The pipes of a service (API document: "Pipe"). Without `includeSecrets`, connection strings are left out.
 *
 * @throws Error in one or two lines: for wrong arguments before any request, for a missing setting, and for what the
 *   service refused or did not answer
 *
 * @example
 * ```typescript
 * const running = await pipestack.getPipes({ state: "Running" });
 * export const topics = running.map((pipe) => pipe.source.kafka?.topics);
 * ```
 */
export function getPipes(args: GetPipesArgs = {}, opts?: FunctionOptions): Promise<Pipe[]> {
  return call(pipes, args, opts);
}

/**
 * As {@link getPipes}, for arguments that may be outputs. With `includeSecrets` the result is a secret.
 *
 * @example
 * ```typescript
 * export const names = pipestack.getPipesOutput({ serviceId: scaling.id }).apply((pipes) => pipes.map((pipe) => pipe.name));
 * ```
 */
export function getPipesOutput(args: GetPipesOutputArgs = {}, opts?: FunctionOptions): pulumi.Output<Pipe[]> {
  return callOutput(pipes, args, opts);
}

/**
 * One pipe (API document: "Pipe"). Fails if the service does not have it.
 *
 * @throws Error in one or two lines: for wrong arguments before any request, for a missing setting, and for what the
 *   service refused or did not answer
 *
 * @example
 * ```typescript
 * const pipe = await pipestack.getPipe({ pipeId: "f4b7a1de-8a0d-4f2e-9b53-2d1c7a9e4b10" });
 * ```
 */
export function getPipe(args: GetPipeArgs, opts?: FunctionOptions): Promise<Pipe> {
  return call(pipe, args, opts);
}

/**
 * As {@link getPipe}, for arguments that may be outputs. With `includeSecrets` the result is a secret.
 *
 * @example
 * ```typescript
 * export const destination = pipestack.getPipeOutput({ pipeId }).destination;
 * ```
 */
export function getPipeOutput(args: GetPipeOutputArgs, opts?: FunctionOptions): pulumi.Output<Pipe> {
  return callOutput(pipe, args, opts);
}

/**
 * The settings of a pipe (API document: "Pipe settings"). Fails if the service does not have the pipe.
 *
 * @throws Error in one or two lines: for wrong arguments before any request, for a missing setting, and for what the
 *   service refused or did not answer
 *
 * @example
 * ```typescript
 * const { object_storage_concurrency } = await pipestack.getPipeSettings({ pipeId: "f4b7a1de-8a0d-4f2e-9b53-2d1c7a9e4b10" });
 * ```
 */
export function getPipeSettings(args: GetPipeSettingsArgs, opts?: FunctionOptions): Promise<PipeSettings> {
  return call(pipeSettings, args, opts);
}

/**
 * As {@link getPipeSettings}, for arguments that may be outputs.
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
  return callOutput(pipeSettings, args, opts);
}
