import { operations } from "../../provider/api/operations";
import { isSingleton } from "../../provider/lifecycle/definition";
import { resources, type TypeName, typeNames } from "../../provider/resources/registry";
import { plural } from "../../provider/values/wording";
import type { CollectionName } from "../../sandbox/index";

/** A kind of object that programs manage. */
interface ManagedKind {
  readonly type: TypeName;
  /** The noun for an object in messages. */
  readonly noun: string;
  /** The last segment in the path of the kind's collection. */
  readonly path: string;
  /** True if a service has only one object of this kind. */
  readonly isSingle: boolean;
  /** Secret properties of this kind, which no message may show. */
  readonly secrets?: readonly string[];
  /** Properties of this kind that no answer of the service shows. */
  readonly hidden?: readonly string[];
}

/** A kind of object, named by its collection in the sandbox. */
export type Kind = CollectionName;

/** Collections whose names do not follow from the type. A service's scaling is a part of the service's record. */
const otherNames: { readonly [type in TypeName]?: Kind } = {
  ...{ ApiKey: "keys", ServiceScaling: "services", ServiceScalingSchedule: "scalingSchedules" },
};

const confidential: { readonly [type in TypeName]?: Pick<ManagedKind, "secrets" | "hidden"> } = {
  Webhook: { secrets: ["url", "headers", "queryParams"], hidden: ["headers", "queryParams"] },
  Connection: { secrets: ["password"], hidden: ["password"] },
};

/**
 * The types whose objects promises judge. Types that only one dialect has, such as services and roles, have their own
 * simulations.
 */
export const judgedTypes = typeNames.filter((type) => !resources[type].dialect);

const kinds = new Map(
  judgedTypes.map((type): [Kind, ManagedKind] => {
    const { noun, operations: own } = resources[type];
    const name = plural(type.charAt(0).toLowerCase() + type.slice(1)) as Kind;
    const path = operations[own.create].path.replace(/.*\//, "");
    const isSingle = isSingleton(resources[type]);
    return [otherNames[type] ?? name, { type, noun, path, isSingle, ...confidential[type] }];
  }),
);

/** The kinds of which a service has many objects. */
export const collectedKinds = [...kinds.keys()].filter((kind) => !ofKind(kind).isSingle);

export function isKind(name: string): name is Kind {
  return kinds.has(name as Kind);
}

export function isCollection(kind: string): boolean {
  return isKind(kind) && !ofKind(kind).isSingle;
}

export function ofKind(kind: Kind): ManagedKind {
  const found = kinds.get(kind);
  if (!found) throw new Error(`no program declares ${kind}`);
  return found;
}

/** Returns the last segment of the path of requests about a whole collection. */
export function pathOf(kind: Kind): string {
  return ofKind(kind).path;
}

const byType = new Map<string, Kind>([...kinds].map(([kind, { type }]) => [type, kind]));

/** Returns the kind of the records that resources of a type manage. */
export function kindOf(type: string): Kind {
  return byType.get(type) ?? (type as Kind);
}

/** Returns true if a service may have several objects of this resource type. */
export function isCollected(type: string): boolean {
  return isCollection(kindOf(type));
}

/**
 * Converts a record of the sandbox to the form that promises judge; undefined for a record that programs do not
 * manage.
 */
export function judgedRecord(
  collection: string,
  record: object,
):
  | { readonly kind: Kind; readonly id: string; readonly record: { readonly [name: string]: unknown } }
  | undefined {
  if (!isKind(collection)) return undefined;
  const { id, serviceId = id } = record as { id: string; serviceId?: string };
  const isMode = collection === "services" ? { autoscalingMode: "vertical" } : {};
  // The service changes `usedAt` of an API key with each signed request, so it is left out.
  const judged = { ...isMode, ...record, usedAt: undefined };
  return { kind: collection, id: ofKind(collection).isSingle ? serviceId : id, record: judged };
}
