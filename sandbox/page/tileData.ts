import { useEffect, useState } from "preact/hooks";
import type { Tile } from "../../drawing";
import type { SeriesAnswer, SeriesPoint } from "../src/console/series";
import type { ConsoleView } from "../src/console/view";
import { milliseconds } from "./format";
import { ask } from "./requests";

export type Source = ConsoleView["sources"][number];

/** The sample data of a tile, or why there is none. Times are in milliseconds since 1970. */
export type SampleData =
  | { from: number; until: number; bucketLength: number; points: SeriesPoint[] }
  | { problem: string };

/** Ranges that a dashboard can be looked at, up to now. */
export const ranges = { "1 h": "1h", "6 h": "6h", "24 h": "24h", "7 days": "7d" } as const;

/** More points are no line that a person can read. */
const mostBuckets = 2100;

/** Without an alert, about so many. */
const usualBuckets = 150;

const bucketLengths = ["30s", "1m", "5m", "10m", "15m", "30m", "1h", "2h", "6h"].map(milliseconds);

const secondsBetweenLooks = 30;

/** The live sample data of a tile, undefined until it is there; looked at again every half minute. */
export function useTileData(
  tile: Tile,
  serviceId: string,
  sources: Source[],
  range: string,
): SampleData | undefined {
  const [data, setData] = useState<SampleData>();
  const query = JSON.stringify(queryOf(tile, sources));
  const bucket = bucketLengthOf(tile, milliseconds(range));
  useEffect(() => {
    let isCurrent = true;
    const load = async () => {
      const found = await fetchData(JSON.parse(query), serviceId, milliseconds(range), bucket);
      if (isCurrent) setData(found);
    };
    load();
    const timer = setInterval(load, secondsBetweenLooks * 1000);
    return () => {
      isCurrent = false;
      clearInterval(timer);
    };
  }, [query, serviceId, range, bucket]);
  return data;
}

/** Whether a threshold can be compared with what the tile shows: with values of the alert's own interval. */
export function isComparable(tile: Tile, range: string, interval = ""): boolean {
  return bucketLengthOf(tile, milliseconds(range)) === milliseconds(interval);
}

/** How long a bucket is: as the tile's alert looks at it, if that is not too fine. Undefined: one value for the whole. */
function bucketLengthOf({ kind, alerts }: Tile, range: number): number | undefined {
  if (kind !== "line" && kind !== "bar") return undefined;
  const ofAlert = alerts
    .map(({ interval = "" }) => milliseconds(interval))
    .find((length) => length >= 30_000 && length <= range / 4 && range / length <= mostBuckets);
  return ofAlert ?? bucketLengths.find((length) => range / length <= usualBuckets) ?? range;
}

type Query = { problem: string } | { series: object[] };

function queryOf({ kind, kindName, series }: Tile, sources: Source[]): Query {
  if (kind === "other" || series.length === 0)
    return { problem: `A tile of kind “${kindName}” has no sample data.` };
  const found: object[] = [];
  for (const { aggFn = "count", level, field, where = "", whereLanguage, groupBy, source: name } of series) {
    const source = name ? sources.find((one) => one.id === name || one.name === name) : sources[0];
    if (!source) {
      return {
        problem: `No sample data: “${name}” is none of the sources of this service (${sources.map(({ name }) => name).join(", ") || "it has none"}).`,
      };
    }
    found.push({ sourceId: source.id, aggFn, level, field, where, whereLanguage, groupBy });
  }
  return { series: found };
}

async function fetchData(
  query: Query,
  serviceId: string,
  range: number,
  bucketLength?: number,
): Promise<SampleData> {
  if ("problem" in query) return query;
  // The last bucket is a whole one: half of one would look like a fall.
  const step = bucketLength ?? 60_000;
  const until = Math.floor(Date.now() / step) * step;
  const from = until - Math.ceil(range / step) * step;
  try {
    const answer = await ask<SeriesAnswer>("POST", `/services/${serviceId}/series`, {
      ...query,
      startTime: from,
      endTime: until,
      ...(bucketLength !== undefined && { bucketLength }),
    });
    if ("problem" in answer) return answer;
    return { from, until, bucketLength: bucketLength ?? until - from, points: answer.points };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
