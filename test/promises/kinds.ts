import { operations } from "../../provider/api/operations";
import { isSingleton } from "../../provider/lifecycle/resource";
import { resources, type TypeName, typeNames } from "../../provider/resources/registry";
import { plural } from "../../provider/values/wording";
import type { CollectionName } from "../../sandbox/index";

/** A kind of object that programs manage. */
interface ManagedKind {
  readonly type: TypeName;
  /** The noun for an object. */
  readonly noun: string;
  /** The end of the path of its requests. */
  readonly path: string;
  /** Whether a service has only one such object. */
  readonly isSingle: boolean;
  /** Secret members, which no message shows. */
  readonly secrets?: readonly string[];
  /** Members that no answer shows. */
  readonly hidden?: readonly string[];
}

/** The name of the sandbox's collection. */
export type Kind = CollectionName;

/** Collections whose name does not follow from the type. The scaling of a service is a part of its record. */
const otherNames: { readonly [type in TypeName]?: Kind } = {
  ...{ ApiKey: "keys", ServiceScaling: "services", ServiceScalingSchedule: "scalingSchedules" },
};

const confidential: { readonly [type in TypeName]?: Pick<ManagedKind, "secrets" | "hidden"> } = {
  Webhook: { secrets: ["url", "headers", "queryParams"], hidden: ["headers", "queryParams"] },
  Connection: { secrets: ["password"], hidden: ["password"] },
};

/** The types that promises judge by the records of their objects. Services and roles have simulations of their own. */
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

/** The end of the path of requests about all objects of a kind. */
export function pathOf(kind: Kind): string {
  return ofKind(kind).path;
}

const byType = new Map<string, Kind>([...kinds].map(([kind, { type }]) => [type, kind]));

/** The records that resources of a type manage. */
export function kindOf(type: string): Kind {
  return byType.get(type) ?? (type as Kind);
}

/** Whether a service has many objects of this type. */
export function isCollected(type: string): boolean {
  return isCollection(kindOf(type));
}

/** A record of the sandbox in the form that promises judge; undefined for a record that programs do not manage. */
export function judgedRecord(
  collection: string,
  record: object,
):
  | { readonly kind: Kind; readonly id: string; readonly record: { readonly [name: string]: unknown } }
  | undefined {
  if (!isKind(collection)) return undefined;
  const { id, serviceId = id } = record as { id: string; serviceId?: string };
  const isMode = collection === "services" ? { autoscalingMode: "vertical" } : {};
  // Signing a request changes `usedAt` of a key, which is left out.
  const judged = { ...isMode, ...record, usedAt: undefined };
  return { kind: collection, id: ofKind(collection).isSingle ? serviceId : id, record: judged };
}
