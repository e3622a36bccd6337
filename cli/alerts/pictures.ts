import { type Dashboard, readDashboards, type TileData } from "../../drawing";
import { type Picture, picturesOf } from "../draw/pictures";
import type { Fired, Range, Result } from "./backtest";

/** A picture for each alert: the values that it would have compared, its threshold, and the times at which it fires. */
export function picturesOfAlerts(results: readonly Result[], range: Range): readonly Picture[] {
  const fired = results.filter((result): result is Fired => !("reason" in result));
  const data = new Map(fired.map((result, index) => [String(index), dataOf(result, range)] as const));
  const dashboards = fired.map((result, index) => dashboardOf(result, String(index)));
  return picturesOf({ dashboards, alerts: [], isLive: false }, ({ id = "" }) => data.get(id));
}

/** A dashboard with a single tile, which has the alert, so that the alert can be drawn like any tile. */
function dashboardOf({ name, alert, firings }: Fired, id: string): Dashboard {
  const [dashboard] = readDashboards({
    dashboards: [
      {
        ...{ urn: alert.urn ?? id, id, name },
        tiles: [{ id, name: titleOf(firings.length), x: 0, y: 0, w: 24, h: 8, series: [{ type: "time" }] }],
      },
    ],
    alerts: [{ ...alert, source: "tile", dashboardId: id, tileId: id }],
  }).dashboards;
  return dashboard as Dashboard;
}

function titleOf(firings: number): string {
  return firings === 0
    ? "would not have fired"
    : `would have fired ${firings === 1 ? "once" : `${firings} times`}`;
}

function dataOf({ buckets, firings, rule }: Fired, { from, until }: Range): TileData {
  return {
    ...{ from, until, bucket: rule.interval },
    points: buckets.map(([tsBucket, value]) => ({ tsBucket, values: [value] })),
    spans: firings.map((firing) => ({ from: firing.from, until: firing.until ?? until })),
  };
}
