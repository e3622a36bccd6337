import { isObject } from "../values/data";
import { resources, type TypeName, typeNames } from "./registry";

/** The kinds of objects that ids refer to: a resource type, or tiles. */
export type Referred = TypeName | "tile";

/**
 * The names of members that hold ids of other objects, at any depth of inputs and answers, with the kinds of these
 * objects.
 */
const members: { readonly [name: string]: Referred } = {
  ...Object.fromEntries(
    typeNames.flatMap((type) =>
      (resources[type].users?.() ?? []).flatMap(({ members }) =>
        members.map((name) => [name, type] as const),
      ),
    ),
  ),
  tileId: "tile",
  apiKeyId: "ApiKey",
};

/** The resource types whose objects use objects of this type. */
export function usersOf(type: TypeName): readonly TypeName[] {
  return (resources[type].users?.() ?? []).map(({ definition }) => definition.type as TypeName);
}

/** A copy of a value in which `replace` changes every id of another object. */
export function withReferences(
  value: unknown,
  replace: (type: Referred, id: string) => unknown,
  type?: Referred,
): unknown {
  if (typeof value === "string") return type === undefined ? value : replace(type, value);
  if (Array.isArray(value)) return value.map((entry) => withReferences(entry, replace, type));
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const to = Object.hasOwn(members, name) ? members[name] : undefined;
      return [name, withReferences(member, replace, to)];
    }),
  );
}
