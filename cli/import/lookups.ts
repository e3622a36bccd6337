import { ApiError, SettingsError } from "../../provider/api/errors";
import type { ListOperation } from "../../provider/api/operations";
import { isUndecided } from "../../provider/api/settings";
import { isServed } from "../../provider/lifecycle/definition";
import { resourceKey } from "../../provider/lifecycle/run";
import {
  neededScope,
  type Scope,
  type ScopeKind,
  type ScopeName,
  scopeOf,
} from "../../provider/lifecycle/scope";
import type { Session } from "../../provider/lifecycle/session";
import { idOfObject, type Referred, withReferences } from "../../provider/resources/references";
import { resources } from "../../provider/resources/registry";
import type { PropertyMap } from "../../provider/values/data";
import { quoted } from "../../provider/values/wording";
import type { FoundObject } from "./discover";

/** An object that a program refers to without declaring it, and whose name is unique in its type. */
export interface Lookup {
  readonly type: Referred;
  readonly id: string;
  readonly name: string;
  readonly noun: string;
  /** The function that finds the object by its name, such as `getSource`. */
  readonly call: string;
  /** The property of the function's result that the program uses. Default: the id. */
  readonly member?: string;
  /** The arguments of the lookup function that name organization and service. */
  readonly place: readonly ScopeName[];
}

interface Kind {
  readonly type: Referred;
  readonly noun: string;
  readonly call: string;
  readonly operation: ListOperation;
  readonly scope: ScopeKind;
}

/** Types of objects that a generated program may refer to without declaring them: another program or a person has made them. */
const kinds: readonly Kind[] = [
  {
    ...{ type: "Source", noun: "source", call: "getSource" },
    ...{ operation: "listSources", scope: "observability" },
  },
  {
    ...{ type: "Connection", noun: "connection", call: "getConnection" },
    ...{ operation: "listConnections", scope: "observability" },
  },
  {
    ...{ type: "SavedSearch", noun: "saved search", call: "getSavedSearch" },
    ...{ operation: "listSavedSearches", scope: "observability" },
  },
  {
    ...{ type: "Webhook", noun: "webhook", call: "getWebhook" },
    ...{ operation: "listWebhooks", scope: "observability" },
  },
  {
    ...{ type: "Role", noun: "role", call: "getRole" },
    ...{ operation: "listRoles", scope: "organization" },
  },
];

/**
 * The lookups for the ids of objects that the imported objects refer to but that are not imported themselves. If a list cannot
 * be read, the program keeps the ids.
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

/** Objects that are to be created, with the lookups for the objects that they name. */
export interface LookedUp {
  readonly objects: readonly FoundObject[];
  readonly lookups: readonly Lookup[];
  /** The objects that the service lacks, such as `source "Logs"`. */
  readonly missing: readonly string[];
}

/**
 * Makes lookups for the objects that dashboards in JSON files name. HyperDX's dashboard page matches names regardless of case,
 * but a function such as `getSource` only matches exactly. So the exact names come from the service if it can be reached.
 */
export async function lookupsByName(
  named: readonly FoundObject[],
  scope: Scope,
  session: Session,
): Promise<LookedUp> {
  const lists = new Map<Kind, Promise<readonly PropertyMap[] | undefined>>();
  const texts = new Map<string, { readonly kind: Kind; readonly text: string }>();
  for (const { declared } of named)
    withReferences(declared, (type, text) => {
      const kind = kinds.find((kind) => kind.type === type);
      if (!kind) return text;
      if (!lists.has(kind)) lists.set(kind, listOf(kind, scope, session));
      texts.set(resourceKey({ type }, text), { kind, text });
      return text;
    });
  const ids = new Map<string, string>();
  const open: Lookup[] = [];
  const missing: string[] = [];
  for (const [key, { kind, text }] of texts) {
    const list = await lists.get(kind);
    const id = list && idIn(list, text);
    if (id !== undefined) ids.set(key, id);
    else if (list) missing.push(`${kind.noun} ${quoted(text)}`);
    if (id === undefined && !idOfObject.test(text)) open.push(lookupOf(kind, text, text, session));
  }
  const objects = named.map((object) => ({
    ...object,
    declared: withReferences(
      object.declared,
      (type, text) => ids.get(resourceKey({ type }, text)) ?? text,
    ) as PropertyMap,
  }));
  const lookups = [...(await lookupsFor(objects, scope, session)), ...open];
  const areShown = isUndecided(session.settings) || isServed(resources.Connection, session);
  return { objects, lookups: areShown ? lookups : throughSources(lookups), missing };
}

/**
 * Replaces lookups of connections by lookups of sources, for an API that has no connections: each source of a service has the
 * service's connection in its property `connection`.
 */
function throughSources(lookups: readonly Lookup[]): readonly Lookup[] {
  const source = lookups.find(({ type }) => type === "Source");
  if (!source) return lookups;
  const { call, name } = source;
  return lookups.map((lookup) =>
    lookup.type === "Connection" ? { ...lookup, call, name, member: "connection" } : lookup,
  );
}

/** The id of the object that a text refers to: by the object's id, by its name, or by its name regardless of case. */
function idIn(objects: readonly PropertyMap[], text: string): string | undefined {
  const matches = [
    objects.filter(({ id }) => id === text),
    objects.filter(({ name }) => name === text),
    objects.filter(({ name }) => String(name).toLowerCase() === text.toLowerCase()),
  ].find((found) => found.length > 0);
  const [only, ...others] = matches ?? [];
  return typeof only?.id === "string" && others.length === 0 ? only.id : undefined;
}

async function lookupsOf(
  kind: Kind,
  ids: ReadonlySet<string>,
  scope: Scope,
  session: Session,
): Promise<Lookup[]> {
  const objects = (await listOf(kind, scope, session)) ?? [];
  const isOnly = (name: unknown) => objects.filter((object) => object.name === name).length === 1;
  return objects.flatMap(({ id, name }) =>
    typeof id === "string" && typeof name === "string" && name !== "" && ids.has(id) && isOnly(name)
      ? [lookupOf(kind, id, name, session)]
      : [],
  );
}

function lookupOf({ type, noun, call, scope }: Kind, id: string, name: string, session: Session): Lookup {
  return { type, id, name, noun, call, place: neededScope(scope, session) };
}

/** The objects of a type; undefined if the settings give no access to their list, or it cannot be read. */
async function listOf(
  { operation, scope: kind }: Kind,
  scope: Scope,
  session: Session,
): Promise<readonly PropertyMap[] | undefined> {
  try {
    return await session.lists.read(operation, scopeOf(kind, scope, session));
  } catch (error) {
    if (error instanceof ApiError || error instanceof SettingsError) return undefined;
    throw error;
  }
}
