import { secret } from "../../provider/hosts/engineValues";
import type { Data } from "../promises/store";
import { isStackStep, type Step } from "./history";
import type { Edit } from "./program";
import type { Random } from "./random";

/** Names of tiles that programs keep secret. */
export const secretNames = ["Payroll", 'Wages "EU"'] as const;

/** The steps of a history in which all tiles of one name have a secret one instead. */
export function withSecretTiles(random: Random, steps: readonly Step[]): Step[] {
  const from = random.pick(["Errors", "Rows", "Latency"]);
  const to = random.pick(secretNames);
  const hidden = (tile: Data): Data => (tile.name === from ? { ...tile, name: to } : tile);
  const changed = (edit: Edit): Edit => {
    if (edit.edit === "renameTile") return edit.to === from ? { ...edit, to } : edit;
    if (edit.edit === "addTile") return { ...edit, tile: hidden(edit.tile) };
    if (edit.edit !== "add" || !Array.isArray(edit.declared.args.tiles)) return edit;
    const { declared } = edit;
    return {
      ...edit,
      declared: { ...declared, args: { ...declared.args, tiles: tilesIn(declared.args).map(hidden) } },
    };
  };
  return steps.map((step) => (isStackStep(step) ? { ...step, edits: step.edits.map(changed) } : step));
}

/** What a program says of secret names: that they are. */
export function withSecretNames(args: Data): Data {
  const marked = (tile: Data) => (isSecretName(tile.name) ? { ...tile, name: secret(tile.name) } : tile);
  return args.tiles === undefined ? args : { ...args, tiles: tilesIn(args).map(marked) };
}

export function secretNamesIn(args: Data): string[] {
  return tilesIn(args).flatMap(({ name }) => (isSecretName(name) ? [name] : []));
}

function isSecretName(name: unknown): name is string {
  return (secretNames as readonly unknown[]).includes(name);
}

function tilesIn({ tiles }: Data): readonly Data[] {
  return (tiles ?? []) as readonly Data[];
}
