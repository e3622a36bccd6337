import { unknownText } from "../../../provider/engine/values";
import type { Data } from "../../promises/store";
import { marked } from "../drawnSecrets";
import { type Declared, isReference, type Program } from "../program";

/** The values of a resource in the Pulumi state to which other resources may refer. */
interface Target {
  readonly id: string;
  readonly outputs: Data;
}

/**
 * The arguments of a resource as the program hands them to the engine: references are replaced by the known outputs
 * of other resources, or by the mark of an unknown value.
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

/** The key by which programs refer to a tile: `dashboard.tileIds["Errors (2)"]`. */
function tileKey(program: Program, dashboard: string, index: number): string {
  const tiles = (program.get(dashboard)?.args.tiles ?? []) as readonly Data[];
  const name = String(tiles[index]?.name);
  const before = tiles.slice(0, index).filter((tile) => tile.name === name).length;
  return before === 0 ? name : `${name} (${before + 1})`;
}
