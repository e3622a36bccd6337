import type { Session } from "../lifecycle/session";
import type { Static, TObject, TSchema } from "../values/schemaBuilders";
import { type Failure, sentenceOf, validate, withLabels } from "../values/validate";

/** A function that reads from the service for a program. Independent of the host. */
export interface FunctionDefinition<Arguments extends TObject = TObject, Result extends TSchema = TSchema> {
  /** Name for programs, such as `getPipes`. */
  readonly name: string;
  /** What messages begin with. Default: the name, as programs call it. */
  readonly subject?: string;
  /** Schema of the arguments. */
  readonly arguments: Arguments;
  /** Schema of the result. */
  readonly result: Result;
  /** Rules across arguments, checked once each argument is valid by itself. */
  failures?(args: Static<Arguments>): Failure[];
  /** Whether the result contains secrets; an output of it is then marked secret. */
  isSecret?(args: Static<Arguments>): boolean;
  run(args: Static<Arguments>, session: Session): Promise<ResultOf<Result>>;
}

/** The result of a function, by its schema: to be read and not changed. */
export type ResultOf<Schema extends TSchema> =
  Static<Schema> extends (infer Item)[] ? Immutable<Item>[] : Immutable<Static<Schema>>;

/** A value to be read, at every depth. */
export type Immutable<Value> = Value extends string
  ? Value
  : Value extends object
    ? { readonly [Name in keyof Value]: Immutable<Value[Name]> }
    : Value;

/**
 * Calls a function.
 *
 * @throws Error that lists all invalid arguments, before any request
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
  return definition.run(args, session);
}
