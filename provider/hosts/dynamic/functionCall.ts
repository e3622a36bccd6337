import * as pulumi from "@pulumi/pulumi";
import { printableMessage } from "../../api/printable";
import { fromEnvironment, resolveSettings } from "../../api/settings";
import { Session } from "../../lifecycle/session";
import { validate } from "../../lifecycle/validate";
import type { Static, TObject } from "../../typebox";
import { clean } from "./hostValues";
import { type GivenSettings, Provider } from "./provider";
import { stackKey } from "./settingKeys";
import type { DeepInput } from "./types";

/** Options of data functions. */
export interface FunctionOptions {
  /** Whose settings to use instead of the default ones. */
  readonly provider?: Provider;
}

/** One data function: its arguments and how it gets its result. */
export interface DataFunction<Schema extends TObject, Result> {
  readonly name: string;
  readonly arguments: Schema;
  /** Rules over several arguments, looked at when each by itself is right: `path: what is wrong`. */
  problems?(args: Static<Schema>): string[];
  /** Whether the result holds secrets, so that an output of it must be one. */
  isSecret?(args: Static<Schema>): boolean;
  run(args: Static<Schema>, session: Session): Promise<Result>;
}

/** Calls a data function with plain arguments. */
export async function call<Schema extends TObject, Result>(
  definition: DataFunction<Schema, Result>,
  args: Static<Schema>,
  opts: FunctionOptions = {},
): Promise<Result> {
  const given = opts.provider ? await known(Provider.givenTo(opts.provider)) : undefined;
  return run(definition, args ?? {}, opts.provider, given);
}

/** Calls a data function once its arguments are known. */
export function callOutput<Schema extends TObject, Result>(
  definition: DataFunction<Schema, Result>,
  args: { [Name in keyof Static<Schema>]: DeepInput<Static<Schema>[Name]> },
  opts: FunctionOptions = {},
): pulumi.Output<Result> {
  const given = opts.provider ? Provider.givenTo(opts.provider) : undefined;
  // The settings are secret, which says nothing of the result: only a secret argument or a secret result makes it one.
  const settings = given && pulumi.unsecret(given);
  return pulumi.all([args ?? {}, settings]).apply(([plain, plainGiven]) => {
    const known = (plain ?? {}) as Static<Schema>;
    const result = run(definition, known, opts.provider, plainGiven);
    return definition.isSecret?.(known) ? pulumi.secret(result) : pulumi.output(result);
  }) as pulumi.Output<Result>;
}

async function run<Schema extends TObject, Result>(
  definition: DataFunction<Schema, Result>,
  args: Static<Schema>,
  provider: Provider | undefined,
  given: GivenSettings | undefined,
): Promise<Result> {
  const declared = withoutUndefined(args as object) as Static<Schema>;
  let wrong = validate(definition.arguments, declared).map(({ path, message }) =>
    `${path} ${message}`.trim(),
  );
  if (wrong.length === 0) wrong = definition.problems?.(declared) ?? [];
  if (wrong.length > 0) throw plainError(`${definition.name}: ${wrong.join("; ")}`);
  try {
    return clean(await definition.run(declared, sessionOf(provider, given)));
  } catch (error) {
    throw plainError(`${definition.name}: ${(error as Error).message}`, error);
  }
}

const defaultProvider = {};
const sessions = new WeakMap<object, Session>();

/** One session for each provider: its data functions share a client, a pace and lists. */
function sessionOf(provider: Provider | undefined, given: GivenSettings = {}): Session {
  const owner = provider ?? defaultProvider;
  const session =
    sessions.get(owner) ??
    new Session(
      () =>
        resolveSettings([
          (name) => given[name],
          fromEnvironment,
          (name) => pulumi.runtime.getConfig(stackKey(name)),
        ]),
      { warn: (text) => void pulumi.log.warn(text), info: (text) => void pulumi.log.info(text) },
    );
  sessions.set(owner, session);
  return session;
}

/** The value of an output for a function that returns a promise: the engine cannot make it wait for an unknown one. */
async function known<Value>(output: pulumi.Output<Value>): Promise<Value> {
  const { isKnown } = output as unknown as { isKnown: Promise<boolean> };
  if (!(await isKnown)) {
    throw plainError(
      "a setting of the provider is not known before something else is applied; use the …Output form of the function",
    );
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
