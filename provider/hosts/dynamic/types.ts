import type * as pulumi from "@pulumi/pulumi";
import type { Static, TObject } from "../../values/schemaBuilders";

/** A value that may be an output of another resource, as a whole or at any depth. */
export type DeepInput<Value> = pulumi.Input<InsideInput<Value>>;

/**
 * The value of a `DeepInput`, whose inner values may be outputs. This conditional type distributes over unions. `DeepInput`
 * itself must not, since an `Output<boolean>` is neither an `Output<true>` nor an `Output<false>`. An open text type such as
 * `string & {}` is a text, although TypeScript takes it for an object.
 */
type InsideInput<Value> = Value extends readonly (infer Entry)[]
  ? readonly DeepInput<Entry>[]
  : Value extends string
    ? Value
    : Value extends object
      ? ArgsOf<Value>
      : Value;

/** Arguments may be outputs, except one with a single possible value, which tells the types of a union apart. */
export type ArgsOf<Value> = {
  [Name in keyof Value]: IsOneLiteral<Value[Name]> extends true ? Value[Name] : DeepInput<Value[Name]>;
};

type IsOneLiteral<Value> = [Value] extends [string]
  ? string extends Value
    ? false
    : IsUnion<Value> extends true
      ? false
      : true
  : false;

type IsUnion<Value, Whole = Value> = Value extends unknown ? ([Whole] extends [Value] ? false : true) : never;

/** The arguments of a resource, from the schema of its inputs; `Files` are text properties that may also be given as files. */
export type InputsOf<Schema extends TObject, Files extends keyof Static<Schema> = never> = {
  [Name in keyof Static<Schema>]: Name extends Files
    ? pulumi.Input<string | pulumi.asset.Asset>
    : DeepInput<Static<Schema>[Name]>;
};

/** The outputs of a resource, from the schemas of its inputs and of its further outputs. */
export type OutputsOf<Inputs extends TObject, Outputs extends TObject> = {
  readonly [Name in keyof Static<Inputs>]-?: pulumi.Output<Static<Inputs>[Name]>;
} & {
  readonly [Name in keyof Static<Outputs>]-?: pulumi.Output<Static<Outputs>[Name]>;
};
