import { drawDashboard, drawEdit } from "./drawnProgram";
import { drawOf, type TypeName } from "./draws";
import { isStackStep, type Step, withEdits } from "./history";
import { add, type Declared, type Edit, edited, type Program } from "./program";
import type { Random } from "./random";
import type { Behaviour } from "./world/behaviour";
import { adoptable } from "./world/contents";
import { keysOfOthers, type WorldPart } from "./world/others";

/**
 * Adds takeovers to a simulated history: the first stack declares objects that others made before it, changes them, and removes
 * them.
 */
export function withTakeovers(
  random: Random,
  steps: readonly Step[],
  world: readonly WorldPart[],
  { dialect }: Behaviour,
): Step[] {
  const added = steps.flatMap((step) =>
    isStackStep(step) ? step.edits.flatMap((edit) => (edit.edit === "add" ? [edit.declared] : [])) : [],
  );
  const isDeclared = (type: TypeName) => added.some((declared) => declared.type === type);
  const isNamed = added.some(({ args, importId }) => [args.adoptId, importId].includes(adoptable.Dashboard));
  const key: Declared = { type: "ApiKey", args: { name: "reporting", roles: ["developer"] } };
  const schedules = drawOf("ServiceScalingSchedule").values;
  // Who deletes orphans deletes the keys of others as well, and no update succeeds that names a deleted key.
  const keysStay = !steps.some((step) => step.actor === "orphans" && step.deletes);
  const takeovers: { readonly [part in WorldPart]?: () => readonly Declared[] } = {
    ...(!isDeclared("QueryEndpoint") && {
      endpoint: () => [
        {
          type: "QueryEndpoint",
          args: {
            roles: random.pick([["sql_console_read_only"], ["sql_console_admin"]]),
            openApiKeys: random.pick<unknown[]>([[{ ref: "tkey" }], [], keysStay ? [...keysOfOthers] : []]),
          },
        },
      ],
    }),
    schedule: () => [
      { type: "ServiceScalingSchedule", args: { entries: schedules.entries?.(random, dialect) } },
    ],
    ...(!isNamed && {
      boards: () => {
        const { type, args } = drawDashboard(random, dialect);
        return [{ type, args: { ...args, adoptId: adoptable.Dashboard } }];
      },
    }),
  };
  const open = new Map(world.flatMap((part) => (takeovers[part] ? [[part, takeovers[part]] as const] : [])));
  let program: Program = new Map();
  let names = 0;
  const draw = (): Edit[] => {
    if (open.size > 0 && (program.size === 0 || random.chance(0.5))) {
      const [part, declare] = random.pick([...open]);
      open.delete(part);
      const needed = part === "endpoint" ? [add("tkey", key)] : [];
      return [...needed, ...declare().map((declared) => add(`t${++names}`, declared))];
    }
    const edit = drawEdit(random, program, () => `t${++names}`, ["Alert"], dialect);
    return edit ? [edit] : [];
  };
  const drawAll = () =>
    Array.from({ length: random.integer(1, 2) }, () => {
      const drawn = draw();
      program = drawn.reduce(edited, program);
      return drawn;
    }).flat();
  return withEdits(steps, drawAll, "a");
}
