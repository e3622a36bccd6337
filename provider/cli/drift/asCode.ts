import { keysIn } from "../../lifecycle/schema";
import type { RefreshStep } from "../engine/stack";
import { printValue } from "../import/print";
import { hidden } from "../shared/secretValue";
import type { Drift } from "./findDrift";

/**
 * What a TypeScript program has to declare so that it keeps what was found: below a comment with the name of the resource,
 * each of its properties that has drifted, whole.
 *
 * @param steps what the refresh found
 */
export function asCode(drift: readonly Drift[], steps: readonly RefreshStep[]): string {
  const urns = [...new Set(drift.map(({ urn }) => urn))];
  const blocks = urns.map((urn) => {
    const entries = drift.filter((entry) => entry.urn === urn);
    const found = steps.find((step) => step.urn === urn && !step.old?.delete)?.new?.inputs;
    return [`// ${titleOf(entries[0])}`, ...(found ? membersOf(entries, found) : [gone]), ""].join("\n");
  });
  return blocks.join("\n").trimEnd();
}

const gone = "// It is gone: remove it from the program.";

function titleOf(entry: Drift | undefined): string {
  return `${entry?.type} ${entry?.name}`;
}

function membersOf(entries: readonly Drift[], found: { readonly [name: string]: unknown }): string[] {
  const names = new Set(entries.map((entry) => propertyOf(entry)));
  return [...names].map((name) => {
    if (entries.some((entry) => propertyOf(entry) === name && entry.found === hidden)) {
      return `// ${name}: a secret has changed, and is not shown.`;
    }
    const value = found[name] ?? undefined;
    return value === undefined ? `// Remove ${name}.` : `${name}: ${printValue(value, "", name.length + 2)},`;
  });
}

/** The property of the resource that a drifted place is in. */
function propertyOf({ property, found }: Drift): string {
  const [name = ""] = found === hidden ? [property ?? ""] : keysIn(property ?? "");
  return String(name);
}
