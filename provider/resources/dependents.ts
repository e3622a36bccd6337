import { idsIn } from "../lifecycle/delete";
import type { Dependent, Resource } from "../lifecycle/resource";
import { annotationsOf } from "../values/schema";
import type { TSchema } from "../values/schemaBuilders";

/** Properties that hold ids of other objects: the names of the properties by the kind of object that they name. */
export type References = ReadonlyMap<string, ReadonlySet<string>>;

/** The properties of a type that hold ids, at any depth of its inputs and outputs. */
export function referencesOf({ inputs, outputs }: Pick<Resource, "inputs" | "outputs">): References {
  const found = new Map<string, Set<string>>();
  const walk = (schema: TSchema, name: string) => {
    const { of, alsoNamed = [], kinds = [] } = annotationsOf(schema);
    if (of !== undefined) found.set(of, new Set([...(found.get(of) ?? []), name, ...alsoNamed]));
    for (const [member, inside] of Object.entries((schema.properties ?? {}) as Record<string, TSchema>))
      walk(inside, member);
    if (schema.items) walk(schema.items, name);
    for (const kind of kinds) walk(kind, name);
  };
  for (const schema of [inputs, outputs]) walk(schema, "");
  return found;
}

/** Adds to each type which types use its objects, the reverse of what these say of themselves. */
export function withDependents<Types extends { readonly [type: string]: Resource }>(types: Types): Types {
  let known: ReadonlyMap<string, readonly Dependent[]> | undefined;
  const dependents = () => (known ??= dependentsIn(Object.values(types)));
  const entries = Object.entries(types).map(([name, type]) => [
    name,
    { ...type, dependents: () => dependents().get(name) ?? [] },
  ]);
  return Object.fromEntries(entries);
}

function dependentsIn(types: readonly Resource[]): ReadonlyMap<string, readonly Dependent[]> {
  const users = new Map<string, Dependent[]>();
  for (const definition of types) {
    const uses = Object.entries(definition.uses ?? {});
    const references = uses.length > 0 ? referencesOf(definition) : new Map<string, ReadonlySet<string>>();
    const namesOf = (type: string) => [...(references.get(type) ?? [])];
    const owners = uses.filter(([, consequence]) => consequence === "deletedToo").map(([type]) => type);
    for (const [type, consequence] of uses) {
      const isDeletedToo = consequence === "deletedToo";
      const user: Dependent = {
        ...{ definition, members: namesOf(type), isDeletedToo },
        ...(!isDeletedToo && { consequence }),
        ownersOf: (object) =>
          owners.flatMap((owner) =>
            idsIn(object, namesOf(owner)).map((id) => ({ type: owner, id: String(id) })),
          ),
      };
      users.set(type, [...(users.get(type) ?? []), user]);
    }
  }
  return users;
}
