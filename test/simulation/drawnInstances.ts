import { isStackStep, type StackStep, type Step } from "./history";
import { afterRename, type Edit, edited, type Instance, instances, type Program } from "./program";
import type { Random } from "./random";
import { signingKeyId } from "./world/contents";

/** This module adds several provider instances, renames, and moves to the plugin to the steps of a simulated history. */

const explicit: readonly Instance[] = ["second", "other", "plugin"];

/** Places the resources of a simulated history on several provider instances, and renames and moves some of them later. */
export function withInstances(random: Random, steps: readonly Step[]): Step[] {
  const programs = new Map<string, Program>();
  const renames = new Map<string, readonly [string, string][]>();
  const isMoved = random.chance(0.3);
  return steps.map((step) => {
    if (!isStackStep(step)) return step;
    const before = programs.get(step.actor);
    const all = before === undefined ? [] : drawMoves(random, before, step, isMoved);
    let program = all.reduce(edited, before ?? new Map());
    const names = [...(renames.get(step.actor) ?? []), ...renamesIn(all)];
    renames.set(step.actor, names);
    for (const edit of step.edits) {
      const own = names.reduce((changed, [from, to]) => afterRename(changed, from, to), edit);
      all.push(placed(random, own, program));
      program = edited(program, all.at(-1) as Edit);
    }
    programs.set(step.actor, program);
    return { ...step, edits: all, ...(random.chance(0.5) ? { starts: drawStarts(random) } : {}) };
  });
}

function renamesIn(edits: readonly Edit[]): [string, string][] {
  return edits.flatMap((edit) => (edit.edit === "rename" ? [[edit.name, edit.to] as [string, string]] : []));
}

/**
 * Places a new or renamed resource on a provider instance. An API key that signs requests stays where it is, since only the
 * instance that signs with it refuses to delete it.
 */
function placed(random: Random, edit: Edit, program: Program): Edit {
  const declared = edit.edit === "add" ? edit.declared : "name" in edit ? program.get(edit.name) : undefined;
  if (declared?.args.adoptId === signingKeyId) return edit;
  if (edit.edit === "add" && random.chance(0.3))
    return { ...edit, declared: { ...edit.declared, instance: random.pick(explicit) } };
  if (edit.edit !== "rename") return edit;
  return {
    ...edit,
    ...(random.chance(0.4) ? { hasAlias: true as const } : {}),
    ...(random.chance(0.5) ? { instance: random.pick(instances) } : {}),
  };
}

function drawMoves(random: Random, program: Program, { number }: StackStep, isMoved: boolean): Edit[] {
  const names = [...program.keys()];
  if (names.length === 0) return [];
  const isOnPlugin = [...program.values()].every(({ instance }) => instance === "plugin");
  const moves: Edit[] =
    isMoved && random.chance(0.5) ? [{ edit: "moveAll", to: isOnPlugin ? "default" : "plugin" }] : [];
  const name = random.pick(names);
  if (random.chance(0.5))
    moves.push(placed(random, { edit: "rename", name, to: `${name}of${number}` }, program));
  else if (program.get(name)?.args.adoptId !== signingKeyId && random.chance(0.3))
    moves.push({ edit: "use", name, instance: random.pick(instances) });
  return moves;
}

function drawStarts(random: Random): readonly Instance[] {
  const rest = [...instances];
  const order: Instance[] = [];
  while (rest.length > 0) order.push(...rest.splice(random.integer(0, rest.length - 1), 1));
  return order.slice(0, random.integer(2, instances.length));
}
