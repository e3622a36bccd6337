import type { Session } from "../lifecycle/session";
import type { PropertyMap } from "../values/data";
import type { Keys } from "../values/pairing";
import { hiddenIn } from "../values/redact";
import type { Static, TObject, TSchema } from "../values/schemaBuilders";
import { secretTexts } from "../values/secretValues";
import { type Failure, sentenceOf, validate, withLabels, withoutValue } from "../values/validate";

/** Defines a provider function that reads from the service, such as `getPipes`, for the Node.js SDK and for the plugin. */
export interface FunctionDefinition<Arguments extends TObject = TObject, Result extends TSchema = TSchema> {
  /** The name of the provider function for programs, such as `getPipes`. */
  readonly name: string;
  /** The beginning of messages about the provider function. Default: the name that programs use. */
  readonly subject?: string;
  /** The only dialect whose servers answer the provider function. Default: the servers of every dialect answer it. */
  readonly dialect?: "clickhouse";
  readonly arguments: Arguments;
  readonly result: Result;
  /** Checks rules across arguments of the provider function, once each argument is valid by itself. */
  failures?(args: Static<Arguments>): Failure[];
  /**
   * Whether the result of the provider function contains nothing of its arguments. If so, a secret argument does not make the
   * result secret.
   */
  readonly showsNoArguments?: true;
  run(args: Static<Arguments>, session: Session): Promise<ResultOf<Result>>;
}

/** Whether arguments ask for secrets, which makes an output of the provider function's result secret. */
export const asksForSecrets = ({ includeSecrets }: PropertyMap): boolean => includeSecrets === true;

/** The type of a provider function's result, from its schema. All properties are read-only. */
export type ResultOf<Schema extends TSchema> =
  Static<Schema> extends (infer Item)[] ? Immutable<Item>[] : Immutable<Static<Schema>>;

/** A value that is read-only at every depth. */
export type Immutable<Value> = Value extends string
  ? Value
  : Value extends object
    ? { readonly [Name in keyof Value]: Immutable<Value[Name]> }
    : Value;

/**
 * Calls a provider function.
 *
 * @param secrets the places of secrets in the arguments, which no message repeats
 * @throws Error before any request, if arguments are invalid or only servers of another dialect have the function
 */
export async function callFunction<Arguments extends TObject, Result extends TSchema>(
  definition: FunctionDefinition<Arguments, Result>,
  args: Static<Arguments>,
  session: Session,
  secrets: readonly Keys[] = [],
): Promise<ResultOf<Result>> {
  for (const text of secretTexts(definition.arguments, args, secrets)) session.secrets.add(text);
  try {
    checkArguments(definition, args, session, secrets);
    return await definition.run(args, session);
  } catch (error) {
    throw hiddenIn(error, session.secrets.hide);
  }
}

function checkArguments(
  definition: FunctionDefinition,
  args: PropertyMap,
  session: Session,
  secrets: readonly Keys[],
): void {
  let failures = validate(definition.arguments, args);
  if (failures.length === 0) failures = definition.failures?.(args) ?? [];
  if (failures.length > 0) {
    const isSecret = ({ path }: Failure) => secrets.some(([name]) => name === path.split(/[.[]/)[0]);
    const shown = failures.map((failure) => (isSecret(failure) ? withoutValue(failure) : failure));
    throw new Error(withLabels(shown, args).map(sentenceOf).join("; "));
  }
  const { dialect = session.settings.dialect } = definition;
  if (dialect !== session.settings.dialect)
    throw new Error(`only ClickHouse Cloud has this function: set dialect to ${dialect}`);
}
