import { type Data, isObject } from "../../values/data";

/**
 * A tile without what the product's page leaves behind when somebody changes a series, and what the server refuses in every
 * request afterwards: a level that is not that of a quantile, and the expression of what is now a count.
 */
export function withoutLeftovers(tile: Data): Data {
  const { config } = tile;
  if (!isObject(config) || config.configType !== undefined || !Array.isArray(config.select)) return tile;
  return { ...tile, config: { ...config, select: config.select.map(withoutLeftoversOfEntry) } };
}

function withoutLeftoversOfEntry(entry: unknown): unknown {
  if (!isObject(entry) || typeof entry.aggFn !== "string") return entry;
  const { level, valueExpression, ...members } = entry;
  return {
    ...members,
    ...(level === undefined || entry.aggFn !== "quantile" ? {} : { level }),
    ...(valueExpression === undefined || (entry.aggFn === "count" && valueExpression !== "")
      ? {}
      : { valueExpression }),
  };
}
