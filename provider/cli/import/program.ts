import { resourceKey, secretsOf } from "../../lifecycle/resource";
import { describeScope, type Scope } from "../../lifecycle/scope";
import { hasUnknownMembers } from "../../resources/dashboard/tileContent";
import { tilesIn } from "../../resources/dashboard/tiles";
import { withReferences } from "../../resources/references";
import { resources } from "../../resources/registry";
import { type Data, isObject } from "../../values/data";
import type { Language } from "./language";
import type { NamedObject } from "./names";
import { Expression, Unchecked } from "./print";

/**
 * A program that declares the objects, with references where one names another.
 *
 * @param scope where the objects are
 * @param isElsewhere whether the program has to say so, because its settings name another scope
 */
export function programOf(
  objects: readonly NamedObject[],
  scope: Scope,
  isElsewhere: boolean,
  language: Language,
): string {
  const references = referencesTo(objects, language);
  const [declared, used] = [new Set<NamedObject>(), new Set<NamedObject>()];
  const refer = (type: string, id: string) => {
    const reference = references.get(resourceKey({ type }, id));
    if (!reference || !declared.has(reference.owner)) return id;
    used.add(reference.owner);
    return reference.expression;
  };
  const declarations = behindWhatTheyName(objects).map((object) => {
    const { organizationId, serviceId, ...args } = object.declared;
    const where = scopeMembers.flatMap((name) => {
      const id = object.declared[name];
      if (id === undefined || (id === scope[name] && !isElsewhere)) return [];
      return [[name, id === scope[name] ? new Expression(language.nameOf(name)) : id] as const];
    });
    const referring = withReferences(args, refer) as Data;
    const tiles = Array.isArray(args.tiles)
      ? { tiles: tilesIn(referring.tiles).map((tile, at) => uncheckedTile(tile, tilesIn(args.tiles)[at])) }
      : {};
    const members = {
      ...Object.fromEntries(where),
      ...referring,
      ...tiles,
      ...Object.fromEntries(
        secretsIn(object).map(({ input, key }) => [input, new Expression(language.secret(key))]),
      ),
    };
    declared.add(object);
    return { object, members };
  });
  const statements = declarations.map(({ object, members }) =>
    language.resource(object, members, used.has(object)),
  );
  const constants = Object.entries(scope)
    .filter(([name]) => isElsewhere && objects.some(({ declared }) => name in declared))
    .map(([name, id]) => language.constant(name, id))
    .join("");
  const hasSecrets = objects.some((object) => secretsIn(object).length > 0);
  const comment = `What ${describeScope(scope)} has, as "pipestack import" found it.`;
  return [language.opening(comment, hasSecrets), ...(constants ? [constants] : []), ...statements].join("\n");
}

/** The objects in an order in which each is behind those that it refers to; in a circle, one refers to another by its id. */
function behindWhatTheyName(objects: readonly NamedObject[]): readonly NamedObject[] {
  const byKey = new Map(objects.map((object) => [resourceKey(object, object.id), object]));
  const begun = new Set<NamedObject>();
  const ordered: NamedObject[] = [];
  const place = (object: NamedObject | undefined) => {
    if (!object || begun.has(object)) return;
    begun.add(object);
    withReferences(object.declared, (type, id) => place(byKey.get(resourceKey({ type }, id))));
    ordered.push(object);
  };
  for (const object of objects) place(object);
  return ordered;
}

/** A tile whose content only newer servers, and no types of this version, know. */
function uncheckedTile(tile: Data, { config }: Data = {}): Data {
  return isObject(config) && hasUnknownMembers(config)
    ? { ...tile, config: new Unchecked(tile.config) }
    : tile;
}

/** A secret input of an object, and the key of the configuration from which the program reads it. */
interface SecretInput {
  readonly input: string;
  readonly key: string;
}

/** The inputs that a program must not contain. */
export function secretsIn({ type, variable, declared }: NamedObject): SecretInput[] {
  return secretsOf(resources[type])
    .filter((input) => declared[input] !== undefined)
    .map((input) => ({ input, key: variable + input.charAt(0).toUpperCase() + input.slice(1) }));
}

/** The members that say where an object is; a program that needs those of its scope names both in the beginning. */
const scopeMembers = ["organizationId", "serviceId"] as const;

/** An id of another object in the program. */
export interface Reference {
  readonly owner: NamedObject;
  readonly expression: Expression;
}

/** References by type, or `tile`, and id of their objects. */
export function referencesTo(
  objects: readonly NamedObject[],
  language: Language,
): ReadonlyMap<string, Reference> {
  return new Map(
    objects.flatMap((owner) => {
      const reference = (type: string, id: string, code: string) =>
        [resourceKey({ type }, id), { owner, expression: new Expression(code) }] as const;
      return [
        reference(owner.type, owner.id, `${language.nameOf(owner.variable)}.id`),
        ...Object.entries(isObject(owner.state.tileIds) ? owner.state.tileIds : {}).map(([tile, id]) =>
          reference("tile", String(id), language.tileId(owner.variable, tile)),
        ),
      ];
    }),
  );
}
