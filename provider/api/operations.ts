import type { Static, TSchema } from "../values/schemaBuilders";
import type { AnsweredObjects } from "./answers.golden";
import { neutralOperations } from "./neutralOperations";
import type { Operation } from "./operation";
import { permissions } from "./permissions";
import { productOperations } from "./productOperations";

const known = { ...neutralOperations, ...productOperations };

export type OperationName = keyof typeof known;

/** Every operation of the two APIs that the provider knows. */
export const operations = Object.fromEntries(
  Object.entries(known).map(([name, operation]) => {
    const taken = permissions[name as OperationName];
    const isOfProduct = name in productOperations;
    return [
      name,
      { ...operation, ...(isOfProduct && { isOfProduct }), ...(taken && { permissions: taken }) },
    ];
  }),
) as {
  readonly [Name in OperationName]: (typeof known)[Name] & Pick<Operation, "permissions" | "isOfProduct">;
};

/**
 * The API for dashboards, alerts, sources and webhooks. With `both`, each operation goes to the API that the API document shows
 * for it.
 */
export const observabilityRoutes = ["both", "management", "observability"] as const;

export type ObservabilityVia = (typeof observabilityRoutes)[number];

/** An operation's method and path on the API that serves it under the given settings. */
export function operationOn(observabilityVia: ObservabilityVia, name: OperationName): Operation {
  const operation: Operation = operations[name];
  const { otherPath } = operation;
  if (otherPath !== undefined && observabilityVia !== "both" && observabilityVia !== operation.api)
    return { ...operation, api: observabilityVia, path: otherPath };
  return operation;
}

/** What the API document says of an operation's object. The service may send other values, so code that reads them checks them. */
type Documented<Name> = Name extends keyof AnsweredObjects ? AnsweredObjects[Name] : Record<string, unknown>;

/** The result of a successful API call. The client checks only the properties that the operation's schema names. */
export type Answer<Name extends OperationName> = Name extends OperationName
  ? (typeof operations)[Name] extends { response: infer Schema extends TSchema }
    ? Static<Schema> extends (infer Item)[]
      ? (Item & Documented<Name>)[]
      : Static<Schema> & Documented<Name>
    : undefined
  : never;

/** The names of operations whose answer is one object. */
export type ObjectOperation = {
  [Name in OperationName]: Answer<Name> extends { readonly [name: string]: unknown } ? Name : never;
}[OperationName];

/** The names of operations that list objects. */
export type ListOperation = Extract<OperationName, `list${string}`>;

/** One object of a list that the API has returned. */
export type Listed<Name extends ListOperation> = Answer<Name> extends (infer Item)[] ? Item : never;

/** Path and query parameters of an API call, by name. A missing parameter that the path needs is an error of the call. */
export type PathParameters = { readonly [parameter: string]: string | undefined };
