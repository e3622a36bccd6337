import { ApiError, SettingsError } from "../../api/errors";
import type { ListOperation } from "../../api/operations";
import { resourceKey } from "../../lifecycle/resource";
import { type Scope, type ScopeKind, type ScopeName, scopeNames, scopeOf } from "../../lifecycle/scope";
import type { Session } from "../../lifecycle/session";
import { type Referred, withReferences } from "../../resources/references";
import type { Data } from "../../values/data";
import type { FoundObject } from "./discover";

/** An object that a program refers to without declaring it, and whose name is unique among its kind. */
export interface Lookup {
  readonly type: Referred;
  readonly id: string;
  readonly name: string;
  readonly noun: string;
  /** The function that finds the object by its name. */
  readonly call: string;
  /** The arguments of the function that name organization and service. */
  readonly place: readonly ScopeName[];
}

interface Kind {
  readonly type: Referred;
  readonly noun: string;
  readonly call: string;
  readonly operation: ListOperation;
  readonly scope: ScopeKind;
}

/** Kinds of objects that may exist before a program: no type declares them, or another program does. */
const kinds: readonly Kind[] = [
  {
    ...{ type: "Connection", noun: "connection", call: "getConnection" },
    ...{ operation: "listConnections", scope: "observability" },
  },
  {
    ...{ type: "Role", noun: "role", call: "getRole" },
    ...{ operation: "listRoles", scope: "organization" },
  },
];

/**
 * The lookups for ids that objects refer to and that none of the objects has. If a list cannot be read, the program
 * keeps the ids.
 */
export async function lookupsFor(
  objects: readonly FoundObject[],
  scope: Scope,
  session: Session,
): Promise<Lookup[]> {
  const declared = new Set(objects.map((object) => resourceKey(object, object.id)));
  const named = new Map<Referred, Set<string>>();
  for (const object of objects)
    withReferences(object.declared, (type, id) => {
      if (!declared.has(resourceKey({ type }, id))) named.set(type, (named.get(type) ?? new Set()).add(id));
      return id;
    });
  const lookups = kinds.map(async (kind) => {
    const ids = named.get(kind.type);
    return ids ? lookupsOf(kind, ids, scope, session) : [];
  });
  return (await Promise.all(lookups)).flat();
}

async function lookupsOf(
  { type, noun, call, operation, scope: kind }: Kind,
  ids: ReadonlySet<string>,
  scope: Scope,
  session: Session,
): Promise<Lookup[]> {
  const listed = async () => session.lists.read(operation, scopeOf(kind, scope, session));
  const objects: readonly Data[] = await listed().catch((error) => {
    if (error instanceof ApiError || error instanceof SettingsError) return [];
    throw error;
  });
  const isOnly = (name: unknown) => objects.filter((object) => object.name === name).length === 1;
  return objects.flatMap(({ id, name }) =>
    typeof id === "string" && typeof name === "string" && name !== "" && ids.has(id) && isOnly(name)
      ? [{ type, id, name, noun, call, place: scopeNames(kind) }]
      : [],
  );
}
