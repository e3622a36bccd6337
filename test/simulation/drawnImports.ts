import { drawOf, type TypeName } from "./draws";
import { isStackStep, type StackStep, type Step, withEdits } from "./history";
import { add, type Edit, type Instance, instances } from "./program";
import type { Random } from "./random";
import type { Behaviour } from "./world/behaviour";
import { adoptable, serviceId } from "./world/contents";

/**
 * Adds imports to a simulated history: the first stack imports objects of others by their ids, changes them, and renames their
 * resources.
 */
export function withImports(random: Random, steps: readonly Step[], { dialect, via }: Behaviour): Step[] {
  const own = steps.filter((step): step is StackStep => isStackStep(step) && step.actor === "a");
  const declared = own.flatMap(({ edits }) =>
    edits.flatMap((edit) => (edit.edit === "add" ? [edit.declared] : [])),
  );
  const ids: readonly (readonly [TypeName, string])[] = [
    ...(Object.entries(adoptable) as [TypeName, string][]),
    ["ServiceScaling", serviceId],
  ];
  const free = ids.filter(
    ([type, id]) =>
      !(type === "Connection" && via === "management") &&
      !declared.some(({ type: other, args }) => args.adoptId === id || (other === type && id === serviceId)),
  );
  const names = new Map<string, TypeName>();
  let count = 0;
  const draw = (): Edit[] => {
    const [name, type] = names.size > 0 ? random.pick([...names]) : [];
    if (name === undefined || type === undefined || random.chance(0.4)) {
      const [drawn] = free.length > 0 ? [random.pick(free)] : [];
      const isTaken = drawn && [...names.values()].includes(drawn[0]);
      if (!drawn || isTaken) return [];
      const instance: Instance = random.chance(0.7) ? "plugin" : "default";
      names.set(`i${++count}`, drawn[0]);
      return [add(`i${count}`, { type: drawn[0], args: {}, importId: drawn[1], instance })];
    }
    if (random.chance(0.3)) return [{ edit: "use", name, instance: random.pick(instances) }];
    if (random.chance(0.5)) {
      names.delete(name);
      names.set(`i${++count}`, type);
      return [{ edit: "rename", name, to: `i${count}`, ...(random.chance(0.4) ? { hasAlias: true } : {}) }];
    }
    const { values } = drawOf(type);
    // An imported API key declares `assignedRoleIds` in the dialect `clickhouse`. The provider refuses `roles` beside these, so
    // the simulation does not change `roles` there.
    const hasRoleIds = type === "ApiKey" && dialect === "clickhouse";
    const property = random.pick(Object.keys(values).filter((each) => each !== "roles" || !hasRoleIds));
    return [{ edit: "set", name, property, value: values[property]?.(random, dialect) }];
  };
  return withEdits(steps, () => Array.from({ length: random.integer(1, 2) }, draw).flat(), "a");
}
