import type { Session } from "../lifecycle/session";
import type { Static, TObject, TSchema } from "../values/schemaBuilders";
import { type Failure, sentenceOf, validate, withLabels } from "../values/validate";

/** Defines a function that reads from the service for a program, independent of the host. */
export interface FunctionDefinition<Arguments extends TObject = TObject, Result extends TSchema = TSchema> {
  /** The name for programs, such as `getPipes`. */
  readonly name: string;
  /** The beginning of messages. Default: the name that programs use. */
  readonly subject?: string;
  /** The only dialect whose servers answer it. Default: all do. */
  readonly dialect?: "clickhouse";
  /** Schema of the arguments. */
  readonly arguments: Arguments;
  /** Schema of the result. */
  readonly result: Result;
  /** Checks rules across arguments, once each argument is valid by itself. */
  failures?(args: Static<Arguments>): Failure[];
  /** Whether the result contains secrets. If so, an output of the result is marked secret. */
  isSecret?(args: Static<Arguments>): boolean;
  /** Whether the result shows nothing of the arguments, so that it is no secret where one of them is. */
  readonly showsNoArguments?: true;
  run(args: Static<Arguments>, session: Session): Promise<ResultOf<Result>>;
}

/** The type of a function's result, from its schema. All members are read-only. */
export type ResultOf<Schema extends TSchema> =
  Static<Schema> extends (infer Item)[] ? Immutable<Item>[] : Immutable<Static<Schema>>;

/** A value that is read-only at every depth. */
export type Immutable<Value> = Value extends string
  ? Value
  : Value extends object
    ? { readonly [Name in keyof Value]: Immutable<Value[Name]> }
    : Value;

/**
 * Calls a function with checked arguments.
 *
 * @throws Error that lists all invalid arguments, or names the dialect that has the function, before any request
 */
export async function callFunction<Arguments extends TObject, Result extends TSchema>(
  definition: FunctionDefinition<Arguments, Result>,
  args: Static<Arguments>,
  session: Session,
): Promise<ResultOf<Result>> {
  let failures = validate(definition.arguments, args);
  if (failures.length === 0) failures = definition.failures?.(args) ?? [];
  if (failures.length > 0) {
    throw new Error(withLabels(failures, args).map(sentenceOf).join("; "));
  }
  const { dialect = session.settings.dialect } = definition;
  if (dialect !== session.settings.dialect)
    throw new Error(`only ClickHouse Cloud has this function: set dialect to ${dialect}`);
  return definition.run(args, session);
}
