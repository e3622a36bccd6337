import { isObject, type PropertyMap } from "../values/data";
import { referencesOf } from "./dependents";
import { resources, type TypeName, typeNames } from "./registry";

/** The kinds of objects to which ids in inputs and answers refer: a resource type, or tiles of a dashboard. */
export type Referred = TypeName | "tile";

/** Members that hold ids of other objects, at any depth of inputs and answers, with the kinds of these objects. */
const members: { readonly [name: string]: Referred } = Object.fromEntries(
  typeNames.flatMap((type) =>
    [...referencesOf(resources[type])].flatMap(([kind, names]) =>
      [...names].map((name) => [name, kind as Referred] as const),
    ),
  ),
);

/** Matches ids of objects. Since ClickStack 2.46 the id of a source may also be the name of a dashboard variable. */
export const idOfObject = /^(?:[\da-f]{24}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;

/** The kind of object that a click on a table row opens, by the `type` of `onClick`. */
const opened: { readonly [type: string]: Referred } = { search: "Source", dashboard: "Dashboard" };

/** The resource types whose objects refer to objects of the given type. */
export function dependentsOf(type: TypeName): readonly TypeName[] {
  return (resources[type].dependents?.() ?? []).map(({ definition }) => definition.type as TypeName);
}

/** Changes the id of another object; `beside` is the object that has the id, such as an alert with the dashboard of its tile. */
type Replace = (type: Referred, id: string, beside: PropertyMap) => unknown;

/** A copy of inputs or an answer in which `replace` changes every id of another object. */
export function withReferences(
  value: unknown,
  replace: Replace,
  type?: Referred,
  beside: PropertyMap = {},
): unknown {
  if (typeof value === "string") return type === undefined ? value : replace(type, value, beside);
  if (Array.isArray(value)) return value.map((entry) => withReferences(entry, replace, type, beside));
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (name === "onClick") return [name, withTarget(member, replace)];
      const to = Object.hasOwn(members, name) ? members[name] : undefined;
      return [name, withReferences(member, replace, to, value)];
    }),
  );
}

/** A copy of `onClick` in which `replace` changes the id of the object that it opens, if it has one instead of a template. */
function withTarget(onClick: unknown, replace: Replace): unknown {
  if (!isObject(onClick) || !isObject(onClick.target) || typeof onClick.target.id !== "string")
    return onClick;
  const type = Object.hasOwn(opened, String(onClick.type)) ? opened[String(onClick.type)] : undefined;
  return type
    ? { ...onClick, target: { ...onClick.target, id: replace(type, onClick.target.id, onClick) } }
    : onClick;
}
