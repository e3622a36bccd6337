import { operations } from "../../provider/api/operations";
import { isSingleton } from "../../provider/lifecycle/definition";
import { resources, type TypeName, typeNames } from "../../provider/resources/registry";
import { plural } from "../../provider/values/wording";
import type { CollectionName } from "../../sandbox/index";

interface ManagedKind {
  readonly type: TypeName;
  readonly noun: string;
  /** The last segment in the API's path of the kind's collection, such as `alerts`. */
  readonly path: string;
  readonly isSingle: boolean;
  readonly secrets?: readonly string[];
  /** Properties of an object of this kind that no answer of the service shows. */
  readonly hidden?: readonly string[];
}

/** A kind of object in the service. Its name is that of the sandbox's collection. */
export type Kind = CollectionName;

/**
 * The sandbox's collections whose names do not follow from the resource type. A service's scaling is a part of the service's
 * record.
 */
const otherNames: { readonly [type in TypeName]?: Kind } = {
  ...{ ApiKey: "keys", ServiceScaling: "services", ServiceScalingSchedule: "scalingSchedules" },
};

const confidential: { readonly [type in TypeName]?: Pick<ManagedKind, "secrets" | "hidden"> } = {
  Webhook: { secrets: ["url", "headers", "queryParams"], hidden: ["headers", "queryParams"] },
  Connection: { secrets: ["password"], hidden: ["password"] },
};

/**
 * The resource types whose objects the promises judge. Types that only one dialect has, such as services and roles, have their
 * own simulations.
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

export function pathOf(kind: Kind): string {
  return ofKind(kind).path;
}

const byType = new Map<string, Kind>([...kinds].map(([kind, { type }]) => [type, kind]));

export function kindOf(type: string): Kind {
  return byType.get(type) ?? (type as Kind);
}

export function isCollected(type: string): boolean {
  return isCollection(kindOf(type));
}

/** Converts a record of the sandbox to the form that the promises judge; undefined for a record that programs do not manage. */
export function judgedRecord(
  collection: string,
  record: object,
):
  | { readonly kind: Kind; readonly id: string; readonly record: { readonly [name: string]: unknown } }
  | undefined {
  if (!isKind(collection)) return undefined;
  const { id, serviceId = id } = record as { id: string; serviceId?: string };
  const isMode = collection === "services" ? { autoscalingMode: "vertical" } : {};
  // The service changes `usedAt` of an API key with each signed request, so the promises do not judge it.
  const judged = { ...isMode, ...record, usedAt: undefined };
  return { kind: collection, id: ofKind(collection).isSingle ? serviceId : id, record: judged };
}
