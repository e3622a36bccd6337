import type { TypeName } from "../../../provider/resources/registry";
import type { Data } from "../../../provider/values/data";
import type { Sandbox } from "../../../sandbox/index";
import type { OutsideChange } from "../resources/example";
import { examples } from "../resources/examples";

/** One of some changes, by any number. */
export function chosenOf(changes: readonly OutsideChange[], choice: number): OutsideChange {
  const change = changes[choice % changes.length];
  if (!change) throw new Error("there is no change to choose");
  return change;
}

/** What a sandbox holds of an object, to be changed from outside. */
export function recordOf(sandbox: Sandbox, type: TypeName, id: string): Record<string, unknown> {
  return examples[type].find(sandbox, id) as Record<string, unknown>;
}

/** All changes of one declared property that somebody could make to an object of this program. */
export function outsideChanges(type: TypeName, program: Data): OutsideChange[] {
  const declared = new Set(Object.keys(program));
  const all = examples[type].outsideChanges(program);
  return all.filter(({ path }) => declared.has(path.split(/[.[]/)[0] ?? ""));
}
