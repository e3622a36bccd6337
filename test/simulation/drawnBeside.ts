import { drawEdit, idToAdopt } from "./drawnProgram";
import type { TypeName } from "./draws";
import { type Step, withEdits } from "./history";
import { type Edit, edited, type Program } from "./program";
import { Random } from "./random";
import type { Behaviour } from "./world/behaviour";

/**
 * Groups of resource types that only some simulated histories have. The management API has no connections, so histories with
 * that API alone have none.
 */
const typesBeside = {
  sources: (via: Behaviour["via"]): TypeName[] =>
    via === "management" ? ["Source"] : ["Connection", "Connection", "Source"],
  lots: (): TypeName[] => ["AlertSet", "AlertSet", "Alert"],
  queries: (): TypeName[] => ["SavedQuery", "QueryApiEndpoint", "QueryApiEndpoint"],
};

/** Adds resources of further types, such as sources or AlertSets, to the programs of a simulated history. */
export function withTypes(
  beside: keyof typeof typesBeside,
  seed: number,
  steps: readonly Step[],
  { dialect, via }: Behaviour,
): Step[] {
  const types = typesBeside[beside](via);
  const areAlike = new Random(seed, beside).chance(0.3);
  const drawers = new Map<string, () => Edit[]>();
  const drawerOf = (actor: string) => {
    const random = new Random(seed, beside, areAlike ? "" : actor);
    let program: Program = new Map();
    let names = 0;
    return () =>
      Array.from({ length: program.size === 0 ? random.integer(1, 3) : random.integer(0, 2) }, () => {
        const drawn = drawEdit(
          random,
          program,
          () => `${actor}${beside.charAt(0)}${++names}`,
          types,
          dialect,
        );
        const edit = drawn && actor === "a" ? adopting(random, drawn) : drawn;
        if (edit) program = edited(program, edit);
        return edit ? [edit] : [];
      }).flat();
  };
  return withEdits(steps, ({ actor }) => {
    const draw = drawers.get(actor) ?? drawerOf(actor);
    drawers.set(actor, draw);
    return draw();
  });
}

/** Lets some new resources of the first stack adopt objects that existed before the simulated history. */
function adopting(random: Random, edit: Edit): Edit {
  if (edit.edit !== "add" || !random.chance(0.12)) return edit;
  const { declared } = edit;
  const adoptId = idToAdopt(declared.type);
  return { ...edit, declared: { ...declared, args: { ...declared.args, adoptId } } };
}
