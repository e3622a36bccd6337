import { secret } from "../../provider/engine/engineValues";
import type { Data } from "../promises/store";
import { withInstances } from "./drawnInstances";
import type { History, Step } from "./history";
import type { Random } from "./random";

/** The secret texts in random alerts and dashboards, by the beginnings of the usual texts that they replace. */
const secretTexts: { readonly [beginning: string]: string } = {
  "Look at it": "payroll-7f3k",
  "Look at the runbook.": 'wages "EU" 9d2m',
};

/**
 * Makes some texts of a simulated history secret. In half of the cases its resources use several provider instances, including
 * the plugin. In half of the cases gateways answer some requests, and may repeat the request in the answer. The provider then
 * reports the first such answer, without a retry.
 */
export function withSecretTexts(random: Random, history: History): History {
  const steps = replaced(history.steps) as readonly Step[];
  return {
    ...history,
    steps: random.chance(0.5) ? withInstances(random, steps) : steps,
    ...(random.chance(0.5) ? { faults: { rate: 0.3, families: ["gateway"] }, maxRetries: 0 } : {}),
  };
}

function replaced(value: unknown): unknown {
  if (typeof value === "string") {
    const [, text = value] = Object.entries(secretTexts).find(([start]) => value.startsWith(start)) ?? [];
    return text;
  }
  if (Array.isArray(value)) return value.map(replaced);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaced(member)]));
}

export function marked(value: string): unknown {
  return Object.values(secretTexts).includes(value) ? secret(value) : value;
}

export function secretTextsIn(args: Data): string[] {
  const text = JSON.stringify(args);
  return Object.values(secretTexts).filter((each) => text.includes(JSON.stringify(each)));
}
