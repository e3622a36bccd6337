import * as pulumi from "@pulumi/pulumi";
import { describeScope, type Scope } from "../../lifecycle/scope";
import { type NamedObject, tileIdsOf } from "./names";
import { Expression, printValue, quoted } from "./print";

/**
 * A TypeScript program that declares the objects, with references where one names another.
 *
 * @param place where the objects are
 * @param placed whether the program says so itself, because its settings may say otherwise
 */
export function programOf(objects: readonly NamedObject[], place: Scope, placed: boolean): string {
  const references = referencesTo(objects);
  const used = new Set<NamedObject>();
  const statements = objects.map((object) => {
    const { organizationId, serviceId, ...args } = object.declared;
    const where = placed ? placeExpressions.filter(({ code }) => code in object.declared) : [];
    const members = {
      ...Object.fromEntries(where.map((expression) => [expression.code, expression])),
      ...withReferences(object, args, references, used),
    };
    return {
      object,
      source: `new pipestack.${object.type}(${quoted(object.name)}, ${printValue(members)});\n`,
    };
  });
  const resources = statements.map(({ object, source }) =>
    used.has(object) ? `const ${object.variable} = ${source}` : source,
  );
  const constants = Object.entries(place)
    .filter(([name]) => placed && objects.some(({ declared }) => name in declared))
    .map(([name, id]) => `const ${name} = ${quoted(id)};\n`)
    .join("");
  const header = `// What ${describeScope(place)} has, as "pipestack import" found it.\n`;
  const imports = `${header}import * as pipestack from "pipestack";\n`;
  return [imports, ...(constants ? [constants] : []), ...resources].join("\n");
}

/** Constants of a program that says where its objects are. */
const placeExpressions = [new Expression("organizationId"), new Expression("serviceId")];

/** What an id of another object is in the program. */
interface Reference {
  readonly owner: NamedObject;
  readonly expression: Expression;
}

type References = { readonly [kind in "ApiKey" | "Dashboard" | "tile"]: ReadonlyMap<string, Reference> };

function referencesTo(objects: readonly NamedObject[]): References {
  const ids = (type: string) =>
    objects
      .filter((object) => object.type === type)
      .map((owner) => [owner.id, { owner, expression: new Expression(`${owner.variable}.id`) }] as const);
  const tiles = objects.flatMap((owner) =>
    Object.entries(tileIdsOf(owner)).map(
      ([tile, id]) => [id, { owner, expression: new Expression(tileId(owner.variable, tile)) }] as const,
    ),
  );
  return { ApiKey: new Map(ids("ApiKey")), Dashboard: new Map(ids("Dashboard")), tile: new Map(tiles) };
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
  args: { readonly [name: string]: unknown },
  references: References,
  used: Set<NamedObject>,
) {
  const refer = (kind: keyof References) => (id: unknown) => {
    const reference = references[kind].get(String(id));
    if (reference) used.add(reference.owner);
    return reference?.expression ?? id;
  };
  const { openApiKeys, dashboardId, tileId } = args;
  if (type === "QueryEndpoint" && Array.isArray(openApiKeys)) {
    return { ...args, openApiKeys: openApiKeys.map(refer("ApiKey")) };
  }
  if (type !== "Alert") return args;
  return {
    ...args,
    ...(dashboardId === undefined ? {} : { dashboardId: refer("Dashboard")(dashboardId) }),
    ...(tileId === undefined ? {} : { tileId: refer("tile")(tileId) }),
  };
}
