import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import { fromEnvironment, type GivenSettings, resolveSettings, type SettingSource } from "../../api/settings";
import { settingNames } from "../../api/settingsSchema";
import { callFunction, type FunctionDefinition, type ResultOf } from "../../lifecycle/function";
import { Session } from "../../lifecycle/session";
import { printableMessage } from "../../values/printable";
import type { Static, TObject, TSchema } from "../../values/schemaBuilders";
import { clean } from "../engineValues";
import { resultMember, stackKey, tokenPrefix, typeToken } from "../names";
import { failedValue } from "./failedValue";
import { Provider } from "./provider";
import type { DeepInput } from "./types";

/** Options of functions. */
export interface FunctionOptions {
  /** Provider whose settings to use. Default: the default provider's. */
  readonly provider?: Provider;
  /** Resource whose provider to use if `provider` names none. */
  readonly parent?: pulumi.Resource;
}

/** Calls a function with plain arguments. */
export async function call<Arguments extends TObject, Result extends TSchema>(
  definition: FunctionDefinition<Arguments, Result>,
  args: Static<Arguments>,
  opts: FunctionOptions = {},
): Promise<ResultOf<Result>> {
  const provider = providerOf(opts);
  const given = provider ? await known(Provider.givenTo(provider)) : undefined;
  return run(definition, args ?? {}, given, provider);
}

/** Calls a function once its arguments are known. */
export function callOutput<Arguments extends TObject, Result extends TSchema>(
  definition: FunctionDefinition<Arguments, Result>,
  args: { [Name in keyof Static<Arguments>]: DeepInput<Static<Arguments>[Name]> },
  opts: FunctionOptions = {},
): pulumi.Output<ResultOf<Result>> {
  const provider = providerOf(opts);
  const given = provider && Provider.givenTo(provider);
  // The settings are secret, which says nothing of the result: only a secret argument or a secret result makes it one.
  const settings = given && pulumi.unsecret(given);
  return pulumi.all([args ?? {}, settings]).apply(([plain, plainGiven]) => {
    const known = (plain ?? {}) as Static<Arguments>;
    const result = run(definition, known, plainGiven, provider).catch(failedValue);
    return definition.isSecret?.(known) ? pulumi.secret(result) : pulumi.output(result);
  }) as pulumi.Output<ResultOf<Result>>;
}

/** A parent may also have the provider of somebody else's dynamic resources. */
function providerOf({ provider, parent }: FunctionOptions): Provider | undefined {
  if (provider) return provider;
  const inherited = parent?.getProvider(typeToken(""));
  return inherited instanceof Provider ? inherited : undefined;
}

async function run<Arguments extends TObject, Result extends TSchema>(
  definition: FunctionDefinition<Arguments, Result>,
  args: Static<Arguments>,
  given: GivenSettings | undefined,
  provider: Provider | undefined,
): Promise<ResultOf<Result>> {
  try {
    const declared = withoutUndefined(args as object) as Static<Arguments>;
    const isMocked = pulumi.runtime.getMonitor() instanceof MockMonitor;
    const called = isMocked ? mocked(definition, provider) : definition;
    return clean(await callFunction(called, declared, sessionWith(given)));
  } catch (error) {
    throw plainError(`${definition.name}: ${(error as Error).message}`, error);
  }
}

/** A function that asks the mocks of a unit test instead of the service: in the words of the plugin, whose functions they know. */
function mocked<Arguments extends TObject, Result extends TSchema>(
  definition: FunctionDefinition<Arguments, Result>,
  provider: Provider | undefined,
): FunctionDefinition<Arguments, Result> {
  const token = tokenPrefix + definition.name;
  const member = resultMember(definition);
  return {
    ...definition,
    async run(args) {
      const answer = await pulumi.runtime.invoke(token, args as pulumi.Inputs, { provider });
      if (member === undefined) return answer as ResultOf<Result>;
      if (!Array.isArray(answer[member])) throw new Error(`the mock of ${token} answers no list "${member}"`);
      return answer[member] as ResultOf<Result>;
    },
  };
}

/** The sessions of each run of a program, by their settings. A run has an engine of its own. */
const sessionsOfRuns = new WeakMap<object, Map<string, Session>>();

/** Takes the place of an engine where there is none. */
const noEngine = {};

/**
 * The functions of one run with the same settings share a session: a client, a rate limit and lists. A process may run
 * programs of several stacks, or one again hours later, when the service no longer has the objects of earlier lists.
 */
function sessionWith(given: GivenSettings = {}): Session {
  const sources: SettingSource[] = [
    (name) => given[name],
    fromEnvironment,
    (name) => pulumi.runtime.getConfig(stackKey(name)),
  ];
  const run = pulumi.runtime.getMonitor() ?? noEngine;
  const sessions = sessionsOfRuns.get(run) ?? new Map<string, Session>();
  sessionsOfRuns.set(run, sessions);
  const key = JSON.stringify(settingNames.map((name) => sources.map((source) => source(name)).find(Boolean)));
  const session =
    sessions.get(key) ??
    new Session(() => resolveSettings(sources), {
      warn: (text) => void pulumi.log.warn(text),
      info: (text) => void pulumi.log.info(text),
    });
  sessions.set(key, session);
  return session;
}

/** The value of an output for a function that returns a promise: the engine cannot make it wait for an unknown one. */
async function known<Value>(output: pulumi.Output<Value>): Promise<Value> {
  const { isKnown } = output as unknown as { isKnown: Promise<boolean> };
  if (!(await isKnown)) {
    throw plainError("a setting of the provider is not known yet; use the …Output form of the function");
  }
  return new Promise((resolve) => output.apply(resolve));
}

function withoutUndefined(args: object): object {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}

/** An error for the user of a program, whose stack would be one of this package. */
function plainError(message: string, cause?: unknown): Error {
  const error = new pulumi.RunError(printableMessage(`pipestack.${message}`));
  if (process.env.PIPESTACK_DEBUG && cause instanceof Error) error.stack = cause.stack;
  return error;
}
