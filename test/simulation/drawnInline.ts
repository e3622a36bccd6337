import type { Data } from "../promises/store";
import { drawChart } from "./drawnProgram";
import { isStackStep, type Step } from "./history";
import type { Edit } from "./program";
import type { Random } from "./random";

/** Gives some alerts of a simulated history an inline chart in place of a saved search. */
export function withInlineAlerts(random: Random, steps: readonly Step[]): Step[] {
  const names: string[] = [];
  const draw = () => drawChart(random, ["line", "stacked_bar", "number"]);
  const inline = (args: Data): Data => {
    if (args.source !== "search" || random.chance(0.3)) return args;
    const { savedSearch: _, ...condition } = args;
    return { ...condition, source: "inline", chartConfig: draw() };
  };
  const changed = (edit: Edit): Edit => {
    if (edit.edit === "setEntry") return { ...edit, args: edit.args && inline(edit.args) };
    if (edit.edit !== "add") return edit;
    const { declared, name } = edit;
    const alerts = Object.entries((declared.args.alerts ?? {}) as { readonly [key: string]: Data });
    const entries = alerts.map(([key, args]) => [key, inline(args)] as const);
    const args = alerts.length > 0 ? { alerts: Object.fromEntries(entries) } : inline(declared.args);
    if (args.chartConfig) names.push(name);
    return { ...edit, declared: { ...declared, args } };
  };
  return steps.map((step) => {
    if (!isStackStep(step)) return step;
    const own = names.filter((name) => name.startsWith(step.actor));
    const isChanged = own.length > 0 && random.chance(0.5);
    const change = { edit: "set", property: "chartConfig" } as const;
    const charts = isChanged ? [{ ...change, name: random.pick(own), value: draw() }] : [];
    return { ...step, edits: [...step.edits.map(changed), ...charts] };
  });
}
