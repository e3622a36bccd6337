import type { Stored } from "./routes";

interface Config {
  displayType: string;
  [member: string]: unknown;
}

/** The server answers every tile with `config`, and fills in what it leaves out. */
export function answeredTile(
  { series, asRatio, config, ...tile }: Stored,
  id: string,
): Stored & { config: Config } {
  return {
    ...tile,
    id,
    config: filled((config as Config | undefined) ?? fromSeries(series as Stored[], asRatio)),
  };
}

function filled({ colorRules, ...config }: Config): Config {
  const { displayType, configType, select } = config;
  const rules = Array.isArray(colorRules) && colorRules.length > 0 ? { colorRules } : {};
  const isTime = displayType === "line" || displayType === "stacked_bar";
  const time = isTime ? { fillNulls: true } : {};
  if (configType === "sql") return { ...time, ...config };
  const ratio = isTime || displayType === "table" ? { asRatio: false } : {};
  if (displayType === "event_patterns") return { select: "", where: "", whereLanguage: "lucene", ...config };
  if (["search", "heatmap"].includes(displayType)) return { where: "", whereLanguage: "lucene", ...config };
  if (!Array.isArray(select)) return config;
  const items = select.map((item) => ({ valueExpression: "", where: "", whereLanguage: "lucene", ...item }));
  return { ...time, ...ratio, ...config, ...rules, select: items };
}

/** Of the series of a number only the first is kept, and of levels those that the new way has. */
function fromSeries(series: Stored[], asRatio: unknown): Config {
  const [first] = series as { [member: string]: unknown }[];
  const { type, sourceId, where = "", whereLanguage = "lucene" } = first ?? {};
  if (type === "markdown") return { displayType: "markdown", markdown: first?.content };
  if (type === "search") {
    const select = ((first?.fields ?? []) as string[]).join(", ");
    return { displayType: "search", sourceId, select, where, whereLanguage };
  }
  const used = type === "number" ? series.slice(0, 1) : series;
  const groupBy = ((first?.groupBy ?? []) as string[]).join(",");
  const numberFormat = used.find((one) => one.numberFormat)?.numberFormat;
  const ratio = type === "number" ? {} : { asRatio: asRatio === true && series.length === 2 };
  return {
    displayType: type === "time" ? String(first?.displayType ?? "line") : String(type),
    sourceId,
    ...ratio,
    ...(groupBy && type !== "number" ? { groupBy } : {}),
    ...(numberFormat ? { numberFormat } : {}),
    select: used.map(({ aggFn, level, alias, field = "", metricName, metricDataType, ...one }) => ({
      aggFn,
      valueExpression: aggFn === "count" ? "" : field,
      where: one.where,
      whereLanguage: one.whereLanguage ?? "lucene",
      ...(aggFn === "quantile" && [0.5, 0.9, 0.95, 0.99].includes(Number(level)) ? { level } : {}),
      ...(alias ? { alias } : {}),
      ...(metricName ? { metricName } : {}),
      ...(metricDataType ? { metricType: metricDataType } : {}),
    })),
  };
}
