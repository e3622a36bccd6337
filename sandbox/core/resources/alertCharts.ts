import { badRequest } from "../apiError";
import { bodyCheck } from "../bodyCheck";
import { documented } from "../documented";
import type { Records } from "../records";
import type { AlertChart } from "./alertRecords";
import type { BodyFailure, TileBody } from "./dashboardRecords";
import { failuresInTiles, shownConfig } from "./tileContents";
import { failureOfReferences } from "./tileReferences";

/** Checks the chart of an inline alert by rules across several properties, and returns the violations. */
export function failuresInChart(chart: AlertChart): BodyFailure[] {
  const failures = failuresInTiles([tileOf(chart)], { metricSeries: true }).map(({ path, message }) => ({
    path: path.replace("tiles.0.config", "chartConfig"),
    message,
  }));
  // HyperDX's server limits the length of a chart's filter, though no document states the limit.
  if (String(chart.where ?? "").length > 10_000)
    failures.push({ path: "chartConfig.where", message: "must NOT have more than 10000 characters" });
  if (chart.configType !== "sql") return failures;
  const filters = ["where", "whereLanguage"].filter((name) => chart[name] !== undefined);
  return [
    ...failures,
    ...filters.map((name) => ({
      path: `chartConfig.${name}`,
      message: "is not supported by Raw SQL charts; write the filter into sqlTemplate",
    })),
  ];
}

/**
 * Converts an inline alert's chart to the form in which the server stores it: with default values, and without an empty name or
 * filter.
 */
export function storedChart({ name, where, whereLanguage = "lucene", ...chart }: AlertChart): AlertChart {
  return { ...shownConfig(chart), ...(name ? { name } : {}), ...(where ? { where, whereLanguage } : {}) };
}

/**
 * Checks that the service has the source and the connection to which an inline alert's chart refers.
 * @throws ApiError 400 if the service lacks one of them, or it does not fit the chart
 */
export function checkChartReferences(chart: AlertChart, records: Records, serviceId: string): void {
  const place = { records, serviceId, dashboardIds: new Set<string>(), newId: () => "" };
  const failure = failureOfReferences([tileOf(chart)], [], place);
  if (failure) throw badRequest(failure);
}

const alert = documented("observability", { method: "POST" }, "/api/v2/alerts", { version: "2.46" })?.body;
const check = bodyCheck(alert?.properties.chartConfig ?? {}, false, "clickhouse");

/**
 * Whether a request can describe the stored chart of an inline alert. People make other charts in HyperDX's console, and no
 * response of the API shows these.
 */
export function canBeSaid(chart: AlertChart): boolean {
  return check(structuredClone(chart)) === undefined && failuresInChart(chart).length === 0;
}

function tileOf(config: AlertChart): TileBody {
  return { ...{ name: "", x: 0, y: 0, w: 1, h: 1 }, config };
}
