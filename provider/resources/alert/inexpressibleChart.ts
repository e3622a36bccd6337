import type { Definition, Look } from "../../lifecycle/definition";
import { declaredIn, declaresNothing } from "../../lifecycle/state";

/**
 * The JavaScript symbol that stands for an alert's chart that somebody made in the console, and that the API cannot describe.
 */
export const inexpressible = Symbol("unsaid");

/** Warns once about an alert with a chart that the API cannot describe, if the chart is declared or the alert imported. */
export function warnOfInexpressible(
  alerts: Pick<Definition, "inputs" | "outputs">,
  { id, state, context: { session } }: Look,
): void {
  const isKnown = !declaresNothing(alerts, state);
  if (isKnown && declaredIn(alerts, state).chartConfig === undefined) return;
  session.warnOnce(
    `alert ${id}: somebody edited its chart in the console, and the API no longer shows the chart${
      isKnown ? "; this is no drift, and the next update replaces the chart" : ""
    }`,
  );
}
