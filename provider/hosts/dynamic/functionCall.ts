import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import { fromEnvironment, type GivenSettings, resolveSettings, type SettingSource } from "../../api/settings";
import { settingNames } from "../../api/settingsSchema";
import { resultMember, stackKey, tokenPrefix, typeToken } from "../../engine/names";
import { clean } from "../../engine/values";
import { callFunction, type FunctionDefinition } from "../../functions/definition";
import { Session } from "../../lifecycle/session";
import type { Data } from "../../values/data";
import { printableMessage } from "../../values/printable";
import { failedValue } from "./failedValue";
import { Provider } from "./provider";

/** Options of functions. */
export interface FunctionOptions {
  /** Provider whose settings to use. Default: the default provider's. */
  readonly provider?: Provider;
  /** Resource whose provider to use if `provider` names none. */
  readonly parent?: pulumi.Resource;
}

/** A function with these arguments and this result, by their named types. */
type Definition<Args, Result> = FunctionDefinition & {
  run(args: Args, session: Session): Promise<Result>;
};

/** A function for programs; its arguments may be left out where none is required. */
type Form<Args, Result> =
  Record<never, never> extends Args
    ? (args?: Args, opts?: FunctionOptions) => Result
    : (args: Args, opts?: FunctionOptions) => Result;

/** The form of a function that takes plain arguments. */
export function plain<Args extends object, Result>(
  definition: Definition<Args, Result>,
): Form<Args, Promise<Result>> {
  return async (args?: Args, opts: FunctionOptions = {}) => {
    const provider = providerOf(opts);
    const settings = provider ? await settled(Provider.givenTo(provider)) : undefined;
    return run(definition, args ?? {}, settings, provider);
  };
}

/** The form of a function that takes outputs, and calls it once they are known. */
export function withOutputs<Args extends object, Result>(
  definition: Definition<never, Result>,
): Form<Args, pulumi.Output<Result>> {
  return (args?: Args, opts: FunctionOptions = {}) => {
    const provider = providerOf(opts);
    const secretSettings = provider && Provider.givenTo(provider);
    // Secret settings do not make the result secret; a secret argument or a secret result does.
    const settings = secretSettings && pulumi.unsecret(secretSettings);
    return pulumi.all([args ?? {}, settings] as const).apply(([plainArgs, plainGiven]) => {
      const result = run(definition, (plainArgs ?? {}) as Args, plainGiven, provider).catch(failedValue);
      return definition.isSecret?.((plainArgs ?? {}) as Data) ? pulumi.secret(result) : pulumi.output(result);
    }) as pulumi.Output<Result>;
  };
}

/** A parent may also have the provider of somebody else's dynamic resources. */
function providerOf({ provider, parent }: FunctionOptions): Provider | undefined {
  if (provider) return provider;
  const inherited = parent?.getProvider(typeToken(""));
  return inherited instanceof Provider ? inherited : undefined;
}

async function run<Result>(
  definition: Definition<never, Result>,
  args: object,
  settings: GivenSettings | undefined,
  provider: Provider | undefined,
): Promise<Result> {
  try {
    const declared = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
    const isMocked = pulumi.runtime.getMonitor() instanceof MockMonitor;
    const called = isMocked ? mocked(definition, provider) : definition;
    return clean(await callFunction(called, declared, sessionWith(settings))) as Result;
  } catch (error) {
    const { name, subject = `pipestack.${name}` } = definition;
    throw plainError(`${subject}: ${(error as Error).message}`, error);
  }
}

/** A function that asks the mocks of a unit test instead of the service: in the words of the plugin, whose functions they know. */
function mocked(definition: FunctionDefinition, provider: Provider | undefined): FunctionDefinition {
  const token = tokenPrefix + definition.name;
  const member = resultMember(definition);
  return {
    ...definition,
    async run(args) {
      const answer = await pulumi.runtime.invoke(token, args, { provider });
      if (member === undefined) return answer;
      if (!Array.isArray(answer[member])) throw new Error(`the mock of ${token} answers no list "${member}"`);
      return answer[member];
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
function sessionWith(explicit: GivenSettings = {}): Session {
  const sources: SettingSource[] = [
    (name) => explicit[name],
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
async function settled<Value>(output: pulumi.Output<Value>): Promise<Value> {
  const { isKnown } = output as unknown as { isKnown: Promise<boolean> };
  if (!(await isKnown)) {
    throw plainError(
      "pipestack: a setting of the provider is not known yet; use the …Output form of the function",
    );
  }
  return new Promise((resolve) => output.apply(resolve));
}

/** An error for the user of a program, whose stack would be one of this package. */
function plainError(message: string, cause?: unknown): Error {
  const error = new pulumi.RunError(printableMessage(message));
  if (process.env.PIPESTACK_DEBUG && cause instanceof Error) error.stack = cause.stack;
  return error;
}
