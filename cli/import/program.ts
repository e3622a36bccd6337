import { secretsOf } from "../../provider/lifecycle/definition";
import { resourceKey } from "../../provider/lifecycle/run";
import { describeScope, type Scope, type ScopeName } from "../../provider/lifecycle/scope";
import { withReferences } from "../../provider/resources/references";
import { resources, type TypeName } from "../../provider/resources/registry";
import { hasUnknownMembers } from "../../provider/resources/tiles/tileContent";
import { keyOfTile } from "../../provider/resources/tiles/tileRemovals";
import { tilesIn } from "../../provider/resources/tiles/tiles";
import { isObject, type PropertyMap } from "../../provider/values/data";
import { plural } from "../../provider/values/wording";
import type { Language } from "./language";
import type { Lookup } from "./lookups";
import type { NamedObject } from "./names";
import { Expression, Unchecked } from "./print";

/** The number of objects from which on the generated program has one file per resource type. */
const manyObjects = 40;

/** The objects that the generated program declares, and those that it only refers to, with the names of their variables. */
export interface ProgramContents {
  readonly objects: readonly NamedObject[];
  readonly lookups: readonly (Lookup & { readonly variable: string })[];
  /** The owner of the objects, for comments in the generated program. Default: their organization or service. */
  readonly owner?: string;
}

interface Module {
  readonly uses: Map<string, Set<string>>;
  readonly statements: string[];
  hasSecrets: boolean;
}

/**
 * The files of a program that declares the objects, by file name. Ids of other objects in the program are written as
 * references.
 * @param isElsewhere whether the program has to name the objects' organization and service, since its settings name others
 */
export function programOf(
  { objects, lookups, owner }: ProgramContents,
  scope: Scope,
  isElsewhere: boolean,
  language: Language,
): ReadonlyMap<string, string> {
  const isSplit = objects.length >= manyObjects;
  const moduleOf = ({ type }: NamedObject) => (isSplit ? moduleOfType(type) : "main");
  const shared = isSplit ? "shared" : "main";
  const modules = new Map<string, Module>();
  const moduleNamed = (name: string) => {
    const module: Module = modules.get(name) ?? { uses: new Map(), statements: [], hasSecrets: false };
    modules.set(name, module);
    return module;
  };

  const used = new Map<string, "own" | "shared">();
  const use = (from: string, of: string, variable: string) => {
    const { uses } = moduleNamed(from);
    if (from !== of) uses.set(of, (uses.get(of) ?? new Set()).add(variable));
    used.set(variable, from !== of || used.get(variable) === "shared" ? "shared" : "own");
    return language.nameOf(variable);
  };
  const place = (from: string, name: ScopeName) => new Expression(use(from, shared, name));

  const references = referencesTo(objects, language);
  const lookupsByKey = new Map(lookups.map((lookup) => [resourceKey(lookup, lookup.id), lookup]));
  const declared = new Set<NamedObject>();
  const referFrom = (from: string) => (type: string, id: string, beside: PropertyMap) => {
    const [reference, lookup] = [
      references.get(referenceKey(type, id, beside)),
      lookupsByKey.get(resourceKey({ type }, id)),
    ];
    if (lookup) return new Expression(use(from, shared, lookup.variable) + (lookup.member ? "" : ".id"));
    if (!reference || !declared.has(reference.owner)) return id;
    use(from, moduleOf(reference.owner), reference.owner.variable);
    return reference.expression;
  };

  const declarations = behindWhatTheyName(objects).map((object) => {
    const from = moduleOf(object);
    const { organizationId, serviceId, ...args } = object.declared;
    const options = scopeMembers.flatMap((name) => {
      const id = object.declared[name];
      if (id === undefined || (id === scope[name] && !isElsewhere)) return [];
      if (id === scope[name]) return [[name, place(from, name)] as const];
      return [[name, name === "serviceId" ? referFrom(from)("Service", String(id), args) : id] as const];
    });
    const referring = withReferences(args, referFrom(from)) as PropertyMap;
    const tiles = Array.isArray(args.tiles)
      ? { tiles: tilesIn(referring.tiles).map((tile, at) => uncheckedTile(tile, tilesIn(args.tiles)[at])) }
      : {};
    const secrets = secretInputsIn(object).map(
      ({ input, key }) => [input, new Expression(language.secret(key))] as const,
    );
    const module = moduleNamed(from);
    module.hasSecrets ||= secrets.length > 0;
    declared.add(object);
    const members = {
      ...Object.fromEntries(options),
      ...referring,
      ...tiles,
      ...Object.fromEntries(secrets),
    };
    return { object, module, members };
  });
  const calls = lookups.map(({ variable, name, place: names, ...found }) => {
    const placeNames = names.filter((name) => isElsewhere && scope[name] !== undefined);
    const args = { ...Object.fromEntries(placeNames.map((name) => [name, place(shared, name)])), name };
    return language.lookup(variable, found, args, isSplit);
  });
  const constants = scopeMembers
    .filter((name) => used.has(name))
    .map((name) => language.constant(name, scope[name] ?? "", isSplit))
    .join("");
  if (constants || calls.length > 0)
    moduleNamed(shared).statements.push(...(constants ? [constants] : []), ...calls);
  // The declarations of resources are added to their modules last, since only now it is known which resources other modules
  // refer to.
  for (const { object, module, members } of declarations)
    module.statements.push(language.resource(object, members, used.get(object.variable) ?? "none"));

  const of = owner ?? describeScope(scope);
  const comment = `The objects of ${of}, written by "pipestack import".`;
  const textOf = (about: string, { uses, statements, hasSecrets }: Module) =>
    [language.opening(about, uses, hasSecrets), ...statements].join("\n");
  if (!isSplit) return new Map([[language.file, textOf(comment, moduleNamed("main"))]]);
  const kinds = [...modules.keys()].filter((name) => name !== shared);
  return new Map([
    [language.file, language.runs(comment, kinds)],
    ...[...modules].map(
      ([name, module]) => [language.fileOf(name), textOf(subjectOf(name, of), module)] as const,
    ),
  ]);
}

/** The name of the generated module for objects of a resource type. */
function moduleOfType(type: TypeName): string {
  const name = type.charAt(0).toLowerCase() + type.slice(1);
  return name.endsWith("s") ? name : plural(name);
}

/** The comment at the beginning of a generated module. */
function subjectOf(module: string, owner: string): string {
  const resource = Object.values(resources).find(({ type }) => moduleOfType(type as TypeName) === module);
  const nouns = plural(resource?.noun ?? "name");
  return `${nouns.charAt(0).toUpperCase()}${nouns.slice(1)} of ${owner}${resource ? "" : ", for the other files"}.`;
}

/** Sorts objects so that each follows those that it refers to; in a circle of references, one object is named by its id. */
function behindWhatTheyName(objects: readonly NamedObject[]): readonly NamedObject[] {
  const byKey = new Map(objects.map((object) => [resourceKey(object, object.id), object]));
  const begun = new Set<NamedObject>();
  const ordered: NamedObject[] = [];
  const place = (object: NamedObject | undefined) => {
    if (!object || begun.has(object)) return;
    begun.add(object);
    place(byKey.get(resourceKey({ type: "Service" }, String(object.declared.serviceId))));
    withReferences(object.declared, (type, id) => place(byKey.get(resourceKey({ type }, id))));
    ordered.push(object);
  };
  for (const object of objects) place(object);
  return ordered;
}

/** Marks the content of a tile as unchecked for the compiler if only newer servers have its properties. */
function uncheckedTile(tile: PropertyMap, { config }: PropertyMap = {}): PropertyMap {
  return isObject(config) && hasUnknownMembers(config)
    ? { ...tile, config: new Unchecked(tile.config) }
    : tile;
}

interface SecretInput {
  readonly input: string;
  readonly key: string;
}

/** The secret inputs of an object, which a generated program must not contain. */
export function secretInputsIn({ type, variable, declared }: NamedObject): SecretInput[] {
  return secretsOf(resources[type])
    .filter((input) => declared[input] !== undefined)
    .map((input) => ({ input, key: variable + input.charAt(0).toUpperCase() + input.slice(1) }));
}

/** The inputs that name organization and service. A program that has to name them declares constants for them. */
const scopeMembers = ["organizationId", "serviceId"] as const;

/** A reference to another object in the generated program, in place of the object's id. */
export interface Reference {
  readonly owner: NamedObject;
  readonly expression: Expression;
}

/** The key of a reference from an object that has the id of another one, and for a tile that of its dashboard. */
export function referenceKey(type: string, id: string, { dashboardId }: PropertyMap): string {
  const tile = { dashboardId: String(dashboardId), tileId: id };
  return resourceKey({ type }, type === "tile" ? keyOfTile(tile) : id);
}

/** The references to objects of the generated program, by {@link referenceKey}. */
export function referencesTo(
  objects: readonly NamedObject[],
  language: Language,
): ReadonlyMap<string, Reference> {
  return new Map(
    objects.flatMap((owner) => {
      const reference = (type: string, id: string, code: string) =>
        [
          referenceKey(type, id, { dashboardId: owner.id }),
          { owner, expression: new Expression(code) },
        ] as const;
      return [
        reference(owner.type, owner.id, `${language.nameOf(owner.variable)}.id`),
        ...Object.entries(isObject(owner.state.tileIds) ? owner.state.tileIds : {}).map(([tile, id]) =>
          reference("tile", String(id), language.tileId(owner.variable, tile)),
        ),
      ];
    }),
  );
}
