import { unknownText } from "../../../provider/engine/engineValues";
import type { Data } from "../../promises/store";
import { marked } from "../drawnSecrets";
import { type Declared, isReference, type Program } from "../program";

interface Target {
  readonly id: string;
  readonly outputs: Data;
}

/**
 * Replaces the references in the arguments of a resource by the known outputs of other resources, or by the mark of an unknown
 * value, as a program does before it hands the arguments to the engine.
 */
export function resolved({ args }: Declared, program: Program, resources: ReadonlyMap<string, Target>): Data {
  const within = (value: unknown): unknown => {
    if (typeof value === "string") return marked(value);
    if (Array.isArray(value)) return value.map(within);
    if (isReference(value)) {
      const target = resources.get(value.ref);
      if (!target) return unknownText;
      if (value.tile === undefined) return target.id;
      return ((target.outputs.tileIds ?? {}) as Data)[tileKey(program, value.ref, value.tile)];
    }
    if (typeof value !== "object" || value === null) return value;
    const members = Object.entries(value).map(([name, member]) => [name, within(member)] as const);
    return Object.fromEntries(members.filter(([, member]) => member !== undefined));
  };
  return within(args) as Data;
}

/** Makes the key by which programs refer to a tile of a dashboard: `dashboard.tileIds["Errors (2)"]`. */
function tileKey(program: Program, dashboard: string, index: number): string {
  const tiles = (program.get(dashboard)?.args.tiles ?? []) as readonly Data[];
  const name = String(tiles[index]?.name);
  const before = tiles.slice(0, index).filter((tile) => tile.name === name).length;
  return before === 0 ? name : `${name} (${before + 1})`;
}
