import { isObject, type PropertyMap } from "../../values/data";
import { failuresWithin } from "../../values/memberRules";
import { joinPath } from "../../values/schema";
import type { TObject } from "../../values/schemaBuilders";
import { adviceFor, type Failure } from "../../values/validate";
import { configFailures } from "../tiles/tileContent";
import { alertChart, kindOfChart } from "./alertChart";

export function chartFailures(chart: unknown): Failure[] {
  if (!isObject(chart)) return [];
  const kind = kindOfChart(chart);
  const foreign = kind ? foreignMembers(kind, chart) : [];
  return foreign.length > 0
    ? foreign
    : [...configFailures(chart, "chartConfig"), ...languageFailures(chart), ...intervalFailures(chart)];
}

/** The failures for members that do not belong to the kind of the alert's chart: the server would drop them silently. */
function foreignMembers(kind: TObject, chart: PropertyMap): Failure[] {
  return failuresWithin(
    kind,
    chart,
    (schema, value, path) => {
      if (!isObject(value) || schema.properties === undefined) return [];
      const names = Object.keys(schema.properties);
      return Object.keys(value)
        .filter((name) => !names.includes(name))
        .map((name) => ({
          path: joinPath(path, name),
          message:
            schema === kind && name in alertChart.properties
              ? doesNotApply(name, chart)
              : `is not a valid property; ${adviceFor(name, names)}`,
        }));
    },
    "chartConfig",
  );
}

function doesNotApply(name: string, { configType, displayType }: PropertyMap): string {
  if (configType !== "sql") return `does not apply when displayType is ${JSON.stringify(displayType)}`;
  const isFilter = name === "where" || name === "whereLanguage";
  return `does not apply when configType is "sql"${isFilter ? "; write the filter into sqlTemplate" : ""}`;
}

function languageFailures({ where, whereLanguage }: PropertyMap): Failure[] {
  const isAlone = whereLanguage !== undefined && (where === undefined || where === "");
  return isAlone ? [{ path: "chartConfig.whereLanguage", message: "needs where" }] : [];
}

/** The failures for an SQL query over time without an interval: the server runs the query for one interval after another. */
function intervalFailures({ configType, displayType, sqlTemplate }: PropertyMap): Failure[] {
  const isOverTime = ["line", "stacked_bar", "stacked_line"].includes(String(displayType));
  if (configType !== "sql" || !isOverTime || typeof sqlTemplate !== "string") return [];
  if (/\binterval(Seconds|Milliseconds)\b|\$__(timeInterval|interval)/.test(sqlTemplate)) return [];
  const example = "such as $__timeInterval(Timestamp) or {intervalSeconds:Int64}";
  return [
    {
      path: "chartConfig.sqlTemplate",
      message: `must have an interval, ${example}, when displayType is "${displayType}"`,
    },
  ];
}
