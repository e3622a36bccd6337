import { Type } from "@sinclair/typebox";
import { badRequest } from "../apiError";
import { bodyCheck } from "../bodyCheck";
import type { Records } from "../records";
import type { AlertChart } from "./alertRecords";
import type { BodyFailure, TileBody } from "./dashboardRecords";
import { anyText, flag, language, named, objectId, oneOf, only, strict, text } from "./jsonSchema";
import { failuresInTiles, shownConfig } from "./tileContents";
import { failureOfReferences } from "./tileReferences";
import { color, colorRules, formulas, numberFormat, select } from "./tileSchemas";

const members = {
  ...{ name: anyText, where: text(10_000), whereLanguage: language },
  ...{ configType: only("sql"), connectionId: objectId, sqlTemplate: text(100_000), sourceId: objectId },
  ...{ select: select(20), groupBy: text(10_000), numberFormat, color, colorRules, formulas },
  ...{ asRatio: flag, alignDateRangeToGranularity: flag, fillNulls: flag, showOperandSeries: flag },
  ...{ compareToPreviousPeriod: flag, fitYAxisToData: flag },
  seriesLimit: { type: "integer", minimum: 0 },
  backgroundChart: strict({ type: { enum: ["line", "area"] }, color }, ["type"]),
};

/** Each display type, with these members and its own: those of charts over time, of lines alone, and of numbers. */
const ofEachType = (names: string, overTime: string, ofNumber: string) => {
  const chart = (displayType: string, further: string) =>
    named({ ...members, displayType: only(displayType) }, `displayType* ${names} ${further}`);
  const always = `${overTime} alignDateRangeToGranularity fillNulls seriesLimit`;
  return oneOf(
    "displayType",
    chart("line", `${always} compareToPreviousPeriod fitYAxisToData`),
    chart("stacked_bar", always),
    chart("number", ofNumber),
  );
};

/** The chart of an inline alert as requests have it. A query in SQL names `where` only for it to be refused. */
export const alertChartSchema = {
  type: "object",
  properties: { configType: only("sql") },
  if: { required: ["configType"] },
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  then: ofEachType(
    "configType* connectionId* sqlTemplate* sourceId name numberFormat where whereLanguage",
    "",
    "color colorRules",
  ),
  else: ofEachType(
    "sourceId* select* name where whereLanguage formulas numberFormat",
    "groupBy asRatio showOperandSeries",
    "color colorRules backgroundChart",
  ),
};

/** The failures of a chart by rules that span several members. */
export function failuresInChart(chart: AlertChart): BodyFailure[] {
  const failures = failuresInTiles([tileOf(chart)], { metricSeries: true }).map(({ path, message }) => ({
    path: path.replace("tiles.0.config", "chartConfig"),
    message,
  }));
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

/** A chart as the server keeps it: with the values that it fills in, and without an empty name or filter. */
export function storedChart({ name, where, whereLanguage = "lucene", ...chart }: AlertChart): AlertChart {
  return { ...shownConfig(chart), ...(name ? { name } : {}), ...(where ? { where, whereLanguage } : {}) };
}

/** @throws ApiError 400 for sources and connections that the service does not have, or that do not fit */
export function checkChartReferences(chart: AlertChart, records: Records, serviceId: string): void {
  const place = { records, serviceId, dashboardIds: new Set<string>(), newId: () => "" };
  const failure = failureOfReferences([tileOf(chart)], [], place);
  if (failure) throw badRequest(failure);
}

const check = bodyCheck(Type.Unsafe<AlertChart>(alertChartSchema), false, "clickhouse");

/** Whether a request could have a stored chart: the product's page also makes charts that no answer shows. */
export function canBeSaid(chart: AlertChart): boolean {
  return check(structuredClone(chart)) === undefined && failuresInChart(chart).length === 0;
}

function tileOf(config: AlertChart): TileBody {
  return { ...{ name: "", x: 0, y: 0, w: 1, h: 1 }, config };
}
