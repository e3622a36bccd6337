import * as pulumi from "@pulumi/pulumi";
import { type Data, isObject } from "../../lifecycle/data";
import { resourceKey } from "../../lifecycle/resource";
import { describeScope, type Scope } from "../../lifecycle/scope";
import { resources } from "../../resources/registry";
import { hasUnknownMembers } from "../../resources/tileContent";
import { tilesIn } from "../../resources/tiles";
import type { NamedObject } from "./names";
import { Expression, printValue, quoted, Unchecked } from "./print";

/**
 * A TypeScript program that declares the objects, with references where one names another.
 *
 * @param scope where the objects are
 * @param isElsewhere whether the program has to say so, because its settings name another scope
 */
export function programOf(objects: readonly NamedObject[], scope: Scope, isElsewhere: boolean): string {
  const references = referencesTo(objects);
  const used = new Set<NamedObject>();
  const statements = objects.map((object) => {
    const { organizationId, serviceId, ...args } = object.declared;
    const where = isElsewhere ? scopeExpressions.filter(({ code }) => code in object.declared) : [];
    const tiles = Array.isArray(args.tiles) ? { tiles: tilesIn(args.tiles).map(uncheckedTile) } : {};
    const members = {
      ...Object.fromEntries(where.map((expression) => [expression.code, expression])),
      ...withReferences(object, { ...args, ...tiles }, references, used),
    };
    return {
      object,
      source: `new pipestack.${object.type}(${quoted(object.name)}, ${printValue(members)});\n`,
    };
  });
  const resources = statements.map(({ object, source }) =>
    used.has(object) ? `const ${object.variable} = ${source}` : source,
  );
  const constants = Object.entries(scope)
    .filter(([name]) => isElsewhere && objects.some(({ declared }) => name in declared))
    .map(([name, id]) => `const ${name} = ${quoted(id)};\n`)
    .join("");
  const header = `// What ${describeScope(scope)} has, as "pipestack import" found it.\n`;
  const imports = `${header}import * as pipestack from "pipestack";\n`;
  return [imports, ...(constants ? [constants] : []), ...resources].join("\n");
}

/** A tile whose content only newer servers, and no types of this version, know. */
function uncheckedTile(tile: Data): Data {
  return isObject(tile.config) && hasUnknownMembers(tile.config)
    ? { ...tile, config: new Unchecked(tile.config) }
    : tile;
}

/** Constants of a program that says where its objects are. */
const scopeExpressions = [new Expression("organizationId"), new Expression("serviceId")];

/** What an id of another object is in the program. */
interface Reference {
  readonly owner: NamedObject;
  readonly expression: Expression;
}

/** References by the type of what they refer to, or `tile`, and its id. */
function referencesTo(objects: readonly NamedObject[]): ReadonlyMap<string, Reference> {
  return new Map(
    objects.flatMap((owner) => {
      const reference = (type: string, id: string, code: string) =>
        [resourceKey({ type }, id), { owner, expression: new Expression(code) }] as const;
      return [
        reference(owner.type, owner.id, `${owner.variable}.id`),
        ...Object.entries(tileIdsOf(owner)).map(([tile, id]) =>
          reference("tile", id, tileId(owner.variable, tile)),
        ),
      ];
    }),
  );
}

/** The ids that the service gave to the tiles of a dashboard, by their keys. */
function tileIdsOf({ state }: NamedObject): { readonly [tile: string]: string } {
  return isObject(state.tileIds) ? (state.tileIds as { [tile: string]: string }) : {};
}

/** Names of an output's own methods. Like `then` and what begins with two underscores, they do not reach its value. */
const ownMembers = pulumi.output({});

function tileId(variable: string, tile: string): string {
  const member = /^[A-Za-z_$][\w$]*$/.test(tile) ? `.${tile}` : `[${quoted(tile)}]`;
  return tile in ownMembers || tile === "then" || tile.startsWith("__")
    ? `${variable}.tileIds.apply((ids) => ids${member} ?? "")`
    : `${variable}.tileIds${member}`;
}

function withReferences(
  { type }: NamedObject,
  args: Data,
  references: ReadonlyMap<string, Reference>,
  used: Set<NamedObject>,
): Data {
  const refer = (to: string, id: unknown) => {
    const reference = references.get(resourceKey({ type: to }, String(id)));
    if (reference) used.add(reference.owner);
    return reference?.expression ?? id;
  };
  const members = Object.entries(args).map(([name, value]) => {
    const to = resources[type].references?.[name];
    if (to === undefined) return [name, value];
    return [name, Array.isArray(value) ? value.map((id) => refer(to, id)) : refer(to, value)];
  });
  return Object.fromEntries(members);
}
