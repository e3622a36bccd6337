import { digest, equalByDefault, leavesOf, pathOf } from "../values/compare";
import { isObject, type PropertyMap } from "../values/data";
import { valueAt } from "../values/pairing";
import { annotationsOf, schemaAt } from "../values/schema";
import type { TObject, TSchema } from "../values/schemaBuilders";
import type { Records } from "./records";

/**
 * The digests of live values in inputs with members that only a create takes, at the places where the program declares something
 * else or nothing: a later declaration is compared with them. Undefined for types that have no such member inside an input.
 *
 * @param declared the inputs that the program declares
 * @param undeclared names of the inputs whose live values the Pulumi state shows
 */
export function liveRecords(
  schema: TObject,
  declared: PropertyMap,
  live: PropertyMap,
  undeclared: readonly string[],
): Records | undefined {
  const names = Object.keys(schema.properties).filter((name) => hasFixedMember(schemaAt(schema, name)));
  const places = names
    .filter((name) => !undeclared.includes(name))
    .map((name) => ({ keys: [name], schema: schemaAt(schema, name), left: undefined, right: live[name] }))
    .flatMap(leavesOf)
    .filter(
      ({ keys, schema: ownSchema, right }) => !equalByDefault(ownSchema, right, valueAt(declared, keys)),
    );
  const isInside = names.some((name) => schemaAt(schema, name).properties !== undefined);
  if (places.length === 0 && !isInside) return undefined;
  return Object.fromEntries(
    places.map(({ keys, schema: ownSchema, right }) => [pathOf(keys), digest(ownSchema, right)] as const),
  );
}

/**
 * The paths of the members that only a create takes, that no answer need show, and that the declaration of a new object leaves out:
 * only this tells later that the object has none of them.
 */
export function leftOutIn(
  schema: TSchema,
  declared: PropertyMap,
  keys: readonly string[] = [],
  isFixed = false,
): string[] {
  return Object.keys(schema.properties ?? {}).flatMap((name) => {
    const member = schemaAt(schema, name);
    const { replaces = isFixed, shown } = annotationsOf(member);
    const [value, path] = [declared[name], [...keys, name]];
    if (isObject(value)) return leftOutIn(member, value, path, replaces === true);
    const isHidden = shown === "never" || shown === "sometimes";
    const isAsLeftOut = equalByDefault(member, value, undefined);
    return replaces === true && isHidden && isAsLeftOut ? [pathOf(path)] : [];
  });
}

const known = new WeakMap<TSchema, boolean>();

/** Whether only a create takes the value of a property, or of a member inside it. */
function hasFixedMember(schema: TSchema): boolean {
  const found = known.get(schema);
  if (found !== undefined) return found;
  const members = Object.values((schema.properties ?? {}) as { readonly [name: string]: TSchema });
  const has = annotationsOf(schema).replaces === true || members.some(hasFixedMember);
  known.set(schema, has);
  return has;
}
