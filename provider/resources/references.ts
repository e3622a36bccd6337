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

/**
 * Matches ids of objects. Since ClickStack 2.46 an id of a source may be the name of a variable, which refers to no
 * object.
 */
export const idOfObject = /^(?:[\da-f]{24}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;

/** What a click on a row of a table opens, by the type of `onClick`. */
const opened: { readonly [type: string]: Referred } = { search: "Source", dashboard: "Dashboard" };

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
      if (name === "onClick") return [name, withTarget(member, replace)];
      const to = Object.hasOwn(members, name) ? members[name] : undefined;
      return [name, withReferences(member, replace, to)];
    }),
  );
}

/** A copy of an `onClick` in which `replace` changes the id of its target. A template has none. */
function withTarget(onClick: unknown, replace: (type: Referred, id: string) => unknown): unknown {
  if (!isObject(onClick) || !isObject(onClick.target) || typeof onClick.target.id !== "string")
    return onClick;
  const type = Object.hasOwn(opened, String(onClick.type)) ? opened[String(onClick.type)] : undefined;
  return type ? { ...onClick, target: { ...onClick.target, id: replace(type, onClick.target.id) } } : onClick;
}
