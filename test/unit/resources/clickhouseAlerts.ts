import { channel } from "./product";

export const savedSearch = "65f1c0a2b3d4e5f607182931";
export const alert = {
  source: "search",
  savedSearch,
  threshold: 5,
  thresholdType: "above",
  interval: "5m",
  channel,
};
export const onTile = {
  ...{ source: "tile", dashboardId: "d", tileId: "t" },
  ...{ threshold: 5, thresholdType: "above", interval: "5m", channel },
};
const source = { sourceId: "65f1c0a2b3d4e5f607182911" };
export const line = { displayType: "line", ...source, select: [{ aggFn: "count" }] };
const { savedSearch: _, ...condition } = alert;
export const inline = { ...condition, source: "inline", chartConfig: line };

export function inDays(days: number): string {
  return new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString();
}
