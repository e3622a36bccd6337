import type { Definition } from "../../lifecycle/definition";
import type { Context } from "../../lifecycle/scope";
import { declaredIn, declaresNothing, type State } from "../../lifecycle/state";

/**
 * The JavaScript symbol that stands for an alert's chart that somebody made in the console, and that the API cannot describe.
 */
export const unsaid = Symbol("unsaid");

/** Warns once about an alert with a chart that the API cannot describe, if the chart is declared or the alert imported. */
export function warnOfUnsaid(
  alerts: Pick<Definition, "inputs" | "outputs">,
  id: string,
  state: State,
  { session }: Context,
): void {
  const isKnown = !declaresNothing(alerts, state);
  if (isKnown && declaredIn(alerts, state).chartConfig === undefined) return;
  session.warnOnce(
    `alert ${id}: somebody edited its chart in the console, and the API no longer shows the chart${
      isKnown ? "; this is no drift, and the next update replaces the chart" : ""
    }`,
  );
}
