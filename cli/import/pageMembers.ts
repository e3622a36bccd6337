import { isObject, type PropertyMap } from "../../provider/values/data";

/** The defaults of properties in exports of HyperDX's dashboard page, except for those that are false or empty by default. */
const defaults: PropertyMap = {
  granularity: "auto",
  alignDateRangeToGranularity: true,
  fillNulls: true,
  showOperandSeries: true,
  seriesReturnType: "column",
  filtersLogicalOperator: "AND",
  havingLanguage: "sql",
  collapsible: true,
  bordered: true,
  isBroadcastEnabled: true,
};

/** Properties in exports of HyperDX's dashboard page that have an effect only together with another property. */
const companions: Readonly<Record<string, string>> = {
  whereLanguage: "where",
  aggConditionLanguage: "aggCondition",
  havingLanguage: "having",
  savedQueryLanguage: "savedQuery",
  showOperandSeries: "formulas",
  ratioMode: "seriesReturnType",
};

/** The properties in an export of HyperDX's page that have an effect; the export also has defaults and empty values. */
export function effective(members: PropertyMap): PropertyMap {
  return Object.fromEntries(
    Object.entries(members).filter(([name, value]) => {
      const companion = Object.hasOwn(companions, name) ? companions[name] : undefined;
      return says(name, value) && (companion === undefined || says(companion, members[companion]));
    }),
  );
}

function says(name: string, value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  if (Object.hasOwn(defaults, name)) return value !== defaults[name];
  const isEmptyList = Array.isArray(value) && value.length === 0;
  return value !== false && !isEmptyList && !(isObject(value) && Object.keys(value).length === 0);
}

/** A list of expressions as one text. HyperDX's dashboard page has a text today, but older versions export lists. */
export function listAsText(list: unknown): unknown {
  if (!Array.isArray(list)) return list;
  const texts = list.map((entry) => {
    if (!isObject(entry)) return String(entry);
    const { valueExpression, alias, ordering } = entry;
    const name = typeof alias === "string" && alias !== "" ? [`AS "${alias}"`] : [];
    return [valueExpression, ...name, ...(ordering === undefined ? [] : [ordering])].join(" ");
  });
  return texts.join(", ");
}

/**
 * Moves the condition of a whole chart into the condition of each series, since the API has conditions only in series. The same
 * records are selected, and series keep the names that the page shows. A chart in which a series has a condition in another
 * language stays as it is.
 */
export function withConditionInSeries(chart: PropertyMap): PropertyMap {
  const { where, whereLanguage, select, ...others } = chart;
  const series = Array.isArray(select) ? select.filter(isObject) : [];
  const isForeign = ({ aggCondition, aggConditionLanguage = "lucene" }: PropertyMap) =>
    says("aggCondition", aggCondition) && aggConditionLanguage !== whereLanguage;
  if (!says("where", where) || series.length === 0 || series.some(isForeign)) return chart;
  return {
    ...others,
    select: series.map((entry) => ({
      ...entry,
      ...(says("alias", entry.alias) ? {} : { alias: shownName(entry) }),
      aggCondition: says("aggCondition", entry.aggCondition)
        ? `${bracketed(where)} AND ${bracketed(entry.aggCondition)}`
        : where,
      aggConditionLanguage: whereLanguage,
    })),
  };
}

/** A condition in brackets. A comment in SQL ends with its line, so it would hide a bracket that follows. */
function bracketed(condition: unknown): string {
  return /--|#/.test(String(condition)) ? `(${condition}\n)` : `(${condition})`;
}

/**
 * The name under which the page shows a series without an alias: that of its column in ClickHouse, which a condition changes.
 * The page itself names a series of a metric, whatever its condition.
 */
function shownName({
  aggFn,
  level,
  valueExpression,
  aggCondition,
  metricName,
}: PropertyMap): string | undefined {
  if (says("metricName", metricName) || typeof aggFn !== "string" || aggFn === "none") return undefined;
  const isConditional = says("aggCondition", aggCondition);
  const quantile = aggFn === "quantile" ? `(${level})` : "";
  const operands = [
    ...(aggFn === "count" ? [] : [valueExpression]),
    ...(isConditional ? [aggCondition] : []),
  ];
  // The page puts an alias into double quotes without escaping it.
  return `${aggFn}${isConditional ? "If" : ""}${quantile}(${operands.join(", ").replaceAll('"', "'")})`;
}
