import { useEffect, useState } from "preact/hooks";
import type { Tile, TileData } from "../../drawing";
import type { SeriesAnswer } from "../core/resources/chartSeries";
import type { ConsoleSnapshot } from "../http/console/snapshot";
import { milliseconds } from "./format";
import { ask } from "./requests";

export type SourceView = ConsoleSnapshot["sources"][number];

/** The time ranges that a dashboard can show, up to now. */
export const ranges = { "1 h": "1h", "6 h": "6h", "24 h": "24h", "7 days": "7d" } as const;

/** The maximum number of buckets in a chart of the sandbox's console: nobody can read a line with more points. */
const mostBuckets = 2100;

const usualBuckets = 150;

const bucketLengths = ["30s", "1m", "5m", "10m", "15m", "30m", "1h", "2h", "6h"].map(milliseconds);

const refreshSeconds = 30;

/** Loads the sample data of a dashboard tile, again every half minute; undefined until it is loaded. */
export function useTileData(
  tile: Tile,
  serviceId: string,
  sources: readonly SourceView[],
  range: string,
): TileData | undefined {
  const [data, setData] = useState<TileData>();
  const query = JSON.stringify(queryOf(tile, sources));
  const bucket = bucketLengthOf(tile, milliseconds(range));
  useEffect(() => {
    let isCurrent = true;
    const load = async () => {
      const points = await fetchData(JSON.parse(query), serviceId, milliseconds(range), bucket);
      if (isCurrent) setData(points);
    };
    load();
    const timer = setInterval(load, refreshSeconds * 1000);
    return () => {
      isCurrent = false;
      clearInterval(timer);
    };
  }, [query, serviceId, range, bucket]);
  return data;
}

/**
 * Computes the length of a chart's buckets: the interval of the tile's alert, unless that gives too many buckets. Undefined for
 * a single value.
 */
function bucketLengthOf({ kind, alerts }: Tile, range: number): number | undefined {
  if (kind !== "line" && kind !== "bar") return undefined;
  const ofAlert = alerts
    .map(({ interval = "" }) => milliseconds(interval))
    .find((length) => length >= 30_000 && length <= range / 4 && range / length <= mostBuckets);
  return ofAlert ?? bucketLengths.find((length) => range / length <= usualBuckets) ?? range;
}

type Query = { problem: string } | { series: object[] };

function queryOf({ kind, kindName, series }: Tile, sources: readonly SourceView[]): Query {
  if (kind === "other" || series.length === 0)
    return { problem: `No sample data for tiles of kind “${kindName}”.` };
  const seriesList: object[] = [];
  for (const { aggFn = "count", level, field, where = "", whereLanguage, groupBy, source: name } of series) {
    const source = name ? sources.find((source) => source.id === name || source.name === name) : sources[0];
    if (!source) {
      return {
        problem: `No sample data: this service has no source “${name}”. Its sources: ${sources.map(({ name }) => name).join(", ") || "none"}.`,
      };
    }
    seriesList.push({ sourceId: source.id, aggFn, level, field, where, whereLanguage, groupBy });
  }
  return { series: seriesList };
}

async function fetchData(
  query: Query,
  serviceId: string,
  range: number,
  bucketLength?: number,
): Promise<TileData> {
  if ("problem" in query) return query;
  // The time range of a chart ends with a complete bucket, since an incomplete bucket would look like a drop.
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
    return { from, until, bucket: bucketLength, points: answer.points };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
