import type { Data } from "./world/store";

/** The programs of a stack: what it declares, and how its author changes that. */

export type TypeName =
  | "ServiceScaling"
  | "ApiKey"
  | "QueryEndpoint"
  | "Dashboard"
  | "Alert"
  | "Webhook"
  | "SavedSearch";

/** A resource of a program. */
export interface Declared {
  readonly type: TypeName;
  readonly args: Data;
  /** The name of a resource that it waits for, as `dependsOn` says. */
  readonly after?: string;
}

/** What a program declares, by the names of its resources. */
export type Program = ReadonlyMap<string, Declared>;

/** In place of a value: an output of another resource of the program. */
export interface Reference {
  readonly ref: string;
  /** A tile of a dashboard, by its position in the program; the id of the resource, if it is absent. */
  readonly tile?: number;
}

/** A change of a program. One that does not fit the program changes nothing. */
export type Edit =
  | { readonly edit: "add"; readonly name: string; readonly declared: Declared }
  | { readonly edit: "remove"; readonly name: string }
  | { readonly edit: "rename"; readonly name: string; readonly to: string }
  | { readonly edit: "set"; readonly name: string; readonly property: string; readonly value: unknown }
  | { readonly edit: "drop"; readonly name: string; readonly property: string }
  | { readonly edit: "renameTile"; readonly name: string; readonly tile: number; readonly to: string }
  | { readonly edit: "moveTile"; readonly name: string; readonly tile: number; readonly y: number }
  | { readonly edit: "reverseTiles"; readonly name: string }
  | { readonly edit: "addTile"; readonly name: string; readonly tile: Data }
  | { readonly edit: "removeTile"; readonly name: string };

export function isReference(value: unknown): value is Reference {
  return isObject(value) && "ref" in value;
}

/** The program after a change. */
export function edited(program: Program, edit: Edit): Program {
  const next = new Map(program);
  if (edit.edit === "add") {
    if (!next.has(edit.name)) next.set(edit.name, edit.declared);
    return complete(next);
  }
  const declared = next.get(edit.name);
  if (!declared) return program;
  const { args } = declared;
  const put = (changed: Data) => next.set(edit.name, { ...declared, args: changed });
  const tiles = (args.tiles ?? []) as readonly Data[];
  switch (edit.edit) {
    case "remove":
      next.delete(edit.name);
      break;
    case "rename":
      return complete(renamed(next, edit.name, edit.to));
    case "set":
      put({ ...args, [edit.property]: edit.value });
      break;
    case "drop": {
      const { [edit.property]: _, ...rest } = args;
      put(rest);
      break;
    }
    case "renameTile":
      put({
        ...args,
        tiles: tiles.map((tile, index) => (index === edit.tile ? { ...tile, name: edit.to } : tile)),
      });
      break;
    case "moveTile":
      put({
        ...args,
        tiles: tiles.map((tile, index) => (index === edit.tile ? { ...tile, y: edit.y } : tile)),
      });
      break;
    case "reverseTiles":
      // What refers to a tile by its position goes on to mean the tile in that position.
      put({ ...args, tiles: [...tiles].reverse() });
      break;
    case "addTile":
      put({ ...args, tiles: [...tiles, edit.tile] });
      break;
    case "removeTile":
      put({ ...args, tiles: tiles.slice(0, -1) });
      break;
  }
  return complete(next);
}

function renamed(program: Map<string, Declared>, from: string, to: string): Map<string, Declared> {
  if (program.has(to)) return program;
  const follow = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(follow);
    if (isReference(value)) return value.ref === from ? { ...value, ref: to } : value;
    return isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, follow(member)]))
      : value;
  };
  return new Map(
    [...program].map(([name, { type, args, after }]) => [
      name === from ? to : name,
      { type, args: follow(args) as Data, after: after === from ? to : after },
    ]),
  );
}

/** Without resources that refer to what the program does not declare: nobody could write such a program. */
function complete(program: Map<string, Declared>): Program {
  const isThere = ({ ref, tile = -1 }: Reference): boolean => {
    const target = program.get(ref);
    return target !== undefined && tile < ((target.args.tiles as unknown[] | undefined)?.length ?? 0);
  };
  const kept = new Map([...program].filter(([, { args }]) => referencesIn(args).every(isThere)));
  for (const [name, { after, ...own }] of kept)
    if (after !== undefined && !kept.has(after)) kept.set(name, own);
  return kept;
}

/** The names that a resource refers to. */
export function dependenciesOf({ args, after }: Declared): string[] {
  const names = referencesIn(args).map(({ ref }) => ref);
  return [...new Set(after === undefined ? names : [...names, after])];
}

/** All that a value refers to, at any depth. */
export function referencesIn(value: unknown): Reference[] {
  if (isReference(value)) return [value];
  return isObject(value) ? Object.values(value).flatMap(referencesIn) : [];
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
