import type { DeclarableName } from "../../provider/resources/registry";
import type { Declared as JudgedDeclared } from "../promises/account";
import type { Data } from "../promises/store";

/** This module describes the program of a simulated stack, and how its author edits the program. */

/**
 * The provider instances that a simulated program may use. Each has its own process. `plugin` is the resource plugin, the
 * others run in the dynamic host.
 */
export const instances = ["default", "second", "other", "plugin"] as const;

export type Instance = (typeof instances)[number];

export interface Declared extends JudgedDeclared {
  readonly type: DeclarableName;
  /** The provider instance that manages the resource, `default` if absent. */
  readonly instance?: Instance;
  readonly alias?: string;
  readonly after?: string;
}

export type Program = ReadonlyMap<string, Declared>;

export interface Reference {
  readonly ref: string;
  /**
   * The position of a tile in a dashboard, for a reference to the tile's id. Without it, the reference means the id of the
   * resource.
   */
  readonly tile?: number;
}

/** An edit of a simulated program. An edit that does not fit the program changes nothing. */
export type Edit =
  | { readonly edit: "add"; readonly name: string; readonly declared: Declared }
  | { readonly edit: "remove"; readonly name: string }
  | {
      readonly edit: "rename";
      readonly name: string;
      readonly to: string;
      readonly hasAlias?: true;
      readonly instance?: Instance;
    }
  | { readonly edit: "use"; readonly name: string; readonly instance: Instance }
  | { readonly edit: "moveAll"; readonly to: Instance }
  | { readonly edit: "set"; readonly name: string; readonly property: string; readonly value: unknown }
  | { readonly edit: "drop"; readonly name: string; readonly property: string }
  | { readonly edit: "setTile"; readonly name: string; readonly tile: number; readonly changed: Data }
  | { readonly edit: "reverseTiles"; readonly name: string }
  | { readonly edit: "addTile"; readonly name: string; readonly tile: Data }
  | { readonly edit: "removeTile"; readonly name: string }
  /**
   * Removes the first tile of a dashboard. Resources that refer to a tile by its position then refer to the next tile, as in a
   * program that loops over the tiles.
   */
  | { readonly edit: "removeFirstTile"; readonly name: string }
  | { readonly edit: "replaceTile"; readonly name: string; readonly tile: number; readonly to: Data }
  /** Gives an entry of an AlertSet new arguments, or removes it if there are no `args`. */
  | { readonly edit: "setEntry"; readonly name: string; readonly key: string; readonly args?: Data };

/** An edit that declares a resource. */
export const add = (name: string, declared: Declared): Edit => ({ edit: "add", name, declared });

export function isReference(value: unknown): value is Reference {
  return isObject(value) && "ref" in value;
}

export function edited(program: Program, edit: Edit): Program {
  const next = new Map(program);
  if (edit.edit === "add") {
    if (!next.has(edit.name)) next.set(edit.name, adoptingOnce(program, edit.declared));
    return complete(next);
  }
  if (edit.edit === "moveAll") {
    for (const [name, declared] of next) next.set(name, placedOn(declared, edit.to));
    return next;
  }
  const declared = next.get(edit.name);
  if (!declared) return program;
  const { args } = declared;
  // The arguments of a resource to import exist only once the import has generated them. Before that the program's author
  // cannot change them.
  const isGenerated = declared.importId === undefined || Object.keys(args).length > 0;
  if (!isGenerated && edit.edit === "set") return program;
  const { alerts = {} } = args as { alerts?: { [key: string]: Data } };
  if ("key" in edit && declared.type !== "AlertSet") return program;
  const put = (changed: Data) => next.set(edit.name, { ...declared, args: changed });
  const tiles = (args.tiles ?? []) as readonly Data[];
  const putTiles = (changed: readonly Data[]) => put({ ...args, tiles: changed });
  switch (edit.edit) {
    case "remove":
      next.delete(edit.name);
      break;
    case "rename":
      return complete(renamed(next, edit));
    case "use":
      next.set(edit.name, placedOn(declared, edit.instance));
      break;
    case "set": {
      if (edit.property === "chartConfig" && args.source !== "inline") return program;
      // An import may have generated `assignedRoleIds` for an API key. The provider refuses these beside `roles`, so an edit
      // that sets `roles` removes them.
      const { assignedRoleIds: _, ...rest } = args;
      put({ ...(edit.property === "roles" ? rest : args), [edit.property]: edit.value });
      break;
    }
    case "drop": {
      const { [edit.property]: _, ...rest } = args;
      put(rest);
      break;
    }
    case "setTile":
      putTiles(tiles.map((tile, at) => (at === edit.tile ? { ...tile, ...edit.changed } : tile)));
      break;
    case "replaceTile":
      putTiles(tiles.map((tile, at) => (at === edit.tile ? edit.to : tile)));
      break;
    case "reverseTiles":
      // References to a tile of a dashboard are positions, so they mean other tiles once a tile is removed.
      putTiles([...tiles].reverse());
      break;
    case "addTile":
      putTiles([...tiles, edit.tile]);
      break;
    case "removeTile":
      putTiles(tiles.slice(0, -1));
      break;
    case "removeFirstTile":
      putTiles(tiles.slice(1));
      break;
    case "setEntry":
      put({ ...args, alerts: withEntry(alerts, edit.key, edit.args) });
      break;
  }
  return complete(next);
}

/**
 * Removes `adoptId` if another resource of the simulated program adopts the same object. The provider refuses such a program,
 * but possibly only after the other resource has adopted the object.
 */
function adoptingOnce(program: Program, declared: Declared): Declared {
  const { adoptId, ...args } = declared.args;
  return adoptId !== undefined && [...program.values()].some((other) => other.args.adoptId === adoptId)
    ? { ...declared, args }
    : declared;
}

function withEntry(alerts: Data, key: string, entry?: Data): Data {
  const { [key]: _, ...others } = alerts;
  return entry ? { ...others, [key]: entry } : others;
}

/** Rewrites an edit of a simulated program so that it refers to a renamed resource by its new name. */
export function afterRename(edit: Edit, from: string, to: string): Edit {
  if (edit.edit === "moveAll") return edit;
  const name = edit.name === from ? to : edit.name;
  if (edit.edit !== "add") return { ...edit, name };
  const { args, after, ...own } = edit.declared;
  const declared = { ...own, args: withName(args, from, to) as Data, after: after === from ? to : after };
  return { ...edit, name, declared };
}

function withName(value: unknown, from: string, to: string): unknown {
  if (Array.isArray(value)) return value.map((entry) => withName(entry, from, to));
  if (isReference(value)) return value.ref === from ? { ...value, ref: to } : value;
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withName(member, from, to)]),
  );
}

function renamed(
  program: Map<string, Declared>,
  { name: from, to, hasAlias, instance }: Extract<Edit, { readonly edit: "rename" }>,
): Map<string, Declared> {
  if (program.has(to)) return program;
  return new Map(
    [...program].map(([name, { args, after, ...own }]): [string, Declared] => {
      const changed = { ...own, args: withName(args, from, to) as Data, after: after === from ? to : after };
      if (name !== from) return [name, changed];
      const placed = placedOn(changed, instance ?? changed.instance);
      return [to, { ...placed, alias: hasAlias ? from : undefined }];
    }),
  );
}

/**
 * Moves a resource to another provider instance. Only the plugin, not the dynamic provider, accepts the option `import` for a
 * resource that is already in the Pulumi state.
 */
function placedOn({ importId, ...declared }: Declared, instance: Instance | undefined): Declared {
  // A resource leaves the plugin by an import, which AlertSets do not support, so an AlertSet stays in the plugin.
  if (declared.type === "AlertSet" && declared.instance === "plugin") return declared;
  const isNew = Object.keys(declared.args).length === 0;
  return { ...declared, instance, ...(isNew || instance === "plugin" ? { importId } : {}) };
}

/**
 * Removes resources from a simulated program that refer to undeclared resources or tiles, since nobody could write such a
 * program.
 */
function complete(program: Map<string, Declared>): Program {
  const isThere = ({ ref, tile = -1 }: Reference): boolean => {
    const target = program.get(ref);
    const tiles = (target?.args.tiles ?? []) as readonly Data[];
    return target !== undefined && (tile < 0 || carriesAlerts(tiles[tile] ?? {}));
  };
  const withEntries = [...program].map(([name, declared]): [string, Declared] => {
    const { alerts } = declared.args as { alerts?: { [key: string]: Data } };
    if (!alerts) return [name, declared];
    const there = Object.entries(alerts).filter(([, entry]) => referencesIn(entry).every(isThere));
    return [name, { ...declared, args: { ...declared.args, alerts: Object.fromEntries(there) } }];
  });
  const kept = new Map(withEntries.filter(([, { args }]) => referencesIn(args).every(isThere)));
  for (const [name, { after, ...own }] of kept)
    if (after !== undefined && !kept.has(after)) kept.set(name, own);
  return kept;
}

function carriesAlerts({ config, series }: Data): boolean {
  const { displayType } = (config ?? {}) as Data;
  const [first] = (series ?? []) as readonly Data[];
  return (
    displayType === "line" || displayType === "number" || (first !== undefined && first.type !== "table")
  );
}

export function dependenciesOf({ args, after }: Declared): string[] {
  const names = referencesIn(args).map(({ ref }) => ref);
  return [...new Set(after === undefined ? names : [...names, after])];
}

export function longestChain(program: Program, names: Iterable<string> = program.keys()): number {
  const lengths = [...names].map((name) => {
    const declared = program.get(name);
    return declared ? 1 + longestChain(program, dependenciesOf(declared)) : 0;
  });
  return Math.max(0, ...lengths);
}

export function referencesIn(value: unknown): Reference[] {
  if (isReference(value)) return [value];
  return isObject(value) ? Object.values(value).flatMap(referencesIn) : [];
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
