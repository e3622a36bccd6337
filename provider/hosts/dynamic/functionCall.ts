import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import { shareLimits } from "../../api/privateFolder";
import { fromEnvironment, type GivenSettings, resolveSettings, type SettingSource } from "../../api/settings";
import { settingNames } from "../../api/settingsSchema";
import { clean } from "../../engine/engineValues";
import { resultMember, stackKey, tokenPrefix, typeToken } from "../../engine/names";
import {
  asksForSecrets,
  callFunction,
  type FunctionDefinition,
  type ResultOf,
} from "../../functions/definition";
import { Session } from "../../lifecycle/session";
import type { PropertyMap } from "../../values/data";
import type { Keys } from "../../values/pairing";
import type { Static, TObject, TSchema } from "../../values/schemaBuilders";
import { failedValue } from "./failedValue";
import { programError } from "./programError";
import { Provider } from "./provider";
import { secretPlaces } from "./secretPlaces";
import type { InputsOf } from "./types";

/** Options of the provider's functions, such as `getSource`. */
export interface FunctionOptions {
  /** The provider whose settings a function uses. Default: the default provider. */
  readonly provider?: Provider;
  /** The resource whose provider a function uses if `provider` names none. */
  readonly parent?: pulumi.Resource;
}

type Definition<Args, Result> = FunctionDefinition & {
  run(args: Args, session: Session): Promise<Result>;
};

/** The type of a provider function as programs call it. The arguments may be omitted if none is required. */
type Form<Args, Result> =
  Record<never, never> extends Args
    ? (args?: Args, opts?: FunctionOptions) => Result
    : (args: Args, opts?: FunctionOptions) => Result;

/** Makes both forms of a provider function, such as `getSource` and `getSourceOutput`. The build gives both its docstring. */
export function forms<Arguments extends TObject, Result extends TSchema>(
  definition: FunctionDefinition<Arguments, Result>,
): readonly [
  Form<Static<Arguments>, Promise<ResultOf<Result>>>,
  Form<InputsOf<Arguments>, pulumi.Output<ResultOf<Result>>>,
] {
  return [plain(definition as never), withOutputs(definition as never)];
}

/** Makes the form of a provider function that takes plain arguments and returns a promise, such as `getSource`. */
export function plain<Args extends object, Result>(
  definition: Definition<Args, Result>,
): Form<Args, Promise<Result>> {
  return async (args?: Args, opts: FunctionOptions = {}) => {
    const provider = providerOf(opts);
    const settings = provider ? await settled(Provider.givenTo(provider)) : undefined;
    return run(definition, args ?? {}, settings, provider);
  };
}

/** Makes the form of a provider function that takes outputs and returns an output, such as `getSourceOutput`. */
export function withOutputs<Args extends object, Result>(
  definition: Definition<never, Result>,
): Form<Args, pulumi.Output<Result>> {
  return (args?: Args, opts: FunctionOptions = {}) => {
    const provider = providerOf(opts);
    const secretSettings = provider && Provider.givenTo(provider);
    // Secret provider settings do not make a function's result secret; only secret arguments and secret results do.
    const settings = secretSettings && pulumi.unsecret(secretSettings);
    const given = pulumi.all([args ?? {}, settings] as const);
    const known = definition.showsNoArguments ? pulumi.unsecret(given) : given;
    const marked = Promise.resolve(secretPlaces(args ?? {}));
    return known.apply(([plainArgs, plainGiven]) => {
      const result = marked
        .then((secrets) => run(definition, (plainArgs ?? {}) as Args, plainGiven, provider, secrets))
        .catch(failedValue);
      return asksForSecrets((plainArgs ?? {}) as PropertyMap) ? pulumi.secret(result) : pulumi.output(result);
    }) as pulumi.Output<Result>;
  };
}

/** The provider of a function call. The `parent` may also have a provider of another package, which is ignored. */
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
  secrets?: readonly Keys[],
): Promise<Result> {
  try {
    const declared = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
    const isMocked = pulumi.runtime.getMonitor() instanceof MockMonitor;
    const called = isMocked ? mocked(definition, provider) : definition;
    return clean(await callFunction(called, declared, sessionWith(settings), secrets)) as Result;
  } catch (error) {
    const { name, subject = `pipestack.${name}` } = definition;
    throw programError(`${subject}: ${(error as Error).message}`, error);
  }
}

/** Makes a function that calls the mocks of a Pulumi unit test, by the token that the function has in the plugin. */
function mocked(definition: FunctionDefinition, provider: Provider | undefined): FunctionDefinition {
  const token = tokenPrefix + definition.name;
  const member = resultMember(definition);
  return {
    ...definition,
    async run(args) {
      const answer = await pulumi.runtime.invoke(token, args, { provider });
      if (member === undefined) return answer;
      if (!Array.isArray(answer[member]))
        throw new Error(`the mock of ${token} must answer an object with the list "${member}"`);
      return answer[member];
    },
  };
}

/** The sessions (API client, rate limiter and lists) of functions, by their settings, for each run of a program. */
const sessionsOfRuns = new WeakMap<object, Map<string, Session>>();

/** The key of the sessions of functions that run without an engine, as in unit tests. */
const noEngine = {};

/**
 * Functions with equal settings share a session in one run of a program: a later run in the process needs fresh lists. What the
 * settings assume is told by the host of the resources, once for both.
 */
function sessionWith(explicit: GivenSettings = {}): Session {
  const sources: SettingSource[] = [
    (name) => explicit[name],
    fromEnvironment,
    (name) => pulumi.runtime.getConfig(stackKey(name)),
  ];
  const run = pulumi.runtime.getMonitor() ?? noEngine;
  if (run !== noEngine) shareLimits();
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

/**
 * The value of an output, for a function that returns a promise. Unlike an output, a promise cannot stay unknown in a preview.
 */
async function settled<Value>(output: pulumi.Output<Value>): Promise<Value> {
  const { isKnown } = output as unknown as { isKnown: Promise<boolean> };
  if (!(await isKnown)) {
    throw programError(
      "pipestack: a setting of the provider is not known yet; use the …Output form of the function",
    );
  }
  return new Promise((resolve) => output.apply(resolve));
}
