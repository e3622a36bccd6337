import type { Static, TSchema } from "../values/schemaBuilders";
import { managementOperations } from "./managementOperations";
import { observabilityOperations } from "./observabilityOperations";
import type { Operation } from "./operation";

/** Every operation that the provider knows. */
export const operations = { ...managementOperations, ...observabilityOperations } as const;

export type OperationName = keyof typeof operations;

/** The APIs that serve dashboards, alerts, sources and webhooks; `both` are used as the API document shows. */
export const observabilityRoutes = ["both", "management", "observability"] as const;

export type ObservabilityVia = (typeof observabilityRoutes)[number];

/** An operation on both APIs or on one alone. */
export function operationOn(observabilityVia: ObservabilityVia, name: OperationName): Operation {
  const operation: Operation = operations[name];
  const { otherPath } = operation;
  if (otherPath !== undefined && observabilityVia !== "both" && observabilityVia !== operation.api)
    return { ...operation, api: observabilityVia, path: otherPath };
  return operation;
}

/** What a successful call returns. Members that the schema does not name are as the service sent them. */
export type Answer<Name extends OperationName> = Name extends OperationName
  ? (typeof operations)[Name] extends { response: infer Schema extends TSchema }
    ? Static<Schema> extends (infer Item)[]
      ? (Item & Record<string, unknown>)[]
      : Static<Schema> & Record<string, unknown>
    : undefined
  : never;

/** Lists objects of one kind. */
export type ListOperation = Extract<OperationName, `list${string}`>;

/** Path parameters by name; a missing one that the path needs is an error of the call. */
export type PathParameters = { readonly [parameter: string]: string | undefined };
