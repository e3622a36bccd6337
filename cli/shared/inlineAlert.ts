import { isObject, type PropertyMap } from "../../provider/values/data";

/** Whether an alert has a chart of its own that the answer does not show, as those of lists. */
export function lacksChart({ source, chartConfig }: PropertyMap): boolean {
  return source === "inline" && !isObject(chartConfig);
}
