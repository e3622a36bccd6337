import type { Definition } from "../../lifecycle/resource";
import type { Context } from "../../lifecycle/scope";
import { declaredIn, type State, sentPart } from "../../lifecycle/state";

/** Stands for a chart that the service has and its API has no words for: somebody has made it on the page. */
export const unsaid = Symbol("unsaid");

/** Says once that the chart of an alert, which its state declares or which is to be imported, cannot be said. */
export function warnOfUnsaid(
  alerts: Pick<Definition, "inputs" | "outputs">,
  id: string,
  state: State,
  { session }: Context,
): void {
  const declared = declaredIn(alerts, state);
  const isKnown = Object.keys(sentPart(alerts, declared)).length > 0;
  if (isKnown && declared.chartConfig === undefined) return;
  session.warnOnce(
    `alert ${id}: its chart was edited on the product's page, and the service no longer shows it${
      isKnown ? "; it does not count as drift, and the next update replaces it" : ""
    }`,
  );
}
