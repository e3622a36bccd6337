import { kindOfTile } from "../../provider/resources/tiles/tileConfig";
import { withApiFieldNames } from "../../provider/resources/tiles/uiFieldNames";
import { isObject, type PropertyMap, pick } from "../../provider/values/data";
import { schemaAt } from "../../provider/values/schema";
import { effective, listAsText, withConditionInSeries } from "./pageMembers";
import { seriesOfApi } from "./pageSeries";

/** A chart of HyperDX's dashboard page in the form of the API, and the paths of properties that the API does not have. */
export interface TranslatedChart {
  readonly config: PropertyMap;
  readonly lost: readonly string[];
}

/** Translates a tile's content from HyperDX's dashboard page to the form of the API, without properties that have no effect. */
export function chartOfApi({ displayType = "line", ...exported }: PropertyMap): TranslatedChart {
  // The page reads a condition without a language as SQL, and the API as Lucene.
  const page: PropertyMap = { ...exported, whereLanguage: exported.whereLanguage ?? "sql" };
  if (displayType === "markdown") return { config: { displayType, ...pick(page, ["markdown"]) }, lost: [] };
  const kind = kindOfTile({ displayType, ...pick(page, ["configType", "heatmapMode"]) });
  if (!kind) return { config: { displayType, ...ofUnknownKind(page) }, lost: [] };

  const names = Object.keys(kind.properties);
  // On the page, `limit` is a number of rows; what the API calls so is a number of groups.
  const { limit, ...members } = withRatioAsFormula({ displayType, ...page });
  const texts = Object.entries(members).map(([name, value]) =>
    schemaAt(kind, name).type === "string" ? [name, listAsText(value)] : [name, value],
  );
  const whole: PropertyMap = Object.fromEntries(texts);
  const chart = names.includes("where") ? whole : withConditionInSeries(whole);
  const said = effective({
    ...chart,
    fillNulls: chart.fillNulls !== false,
    color: currentColor(chart.color),
  });
  // An empty text is a declaration where the API requires one: a search without columns shows those of its source.
  const { held, lost } = withApiFieldNames({ ...pick(chart, kind.required ?? []), ...said }, names);
  const { asRatio, select, onClick, ...config } = held;
  const series = Array.isArray(select)
    ? seriesOfApi(select.filter(isObject), { kind, displayType, formulas: config.formulas })
    : { select, lost: [] };
  const isOfTwo = Array.isArray(series.select) && series.select.length === 2;
  return {
    config: {
      displayType,
      ...config,
      ...(asRatio === true && isOfTwo ? { asRatio } : {}),
      ...(series.select === undefined ? {} : { select: series.select }),
      ...(onClick === undefined ? {} : { onClick: clickOfApi(onClick) }),
    },
    lost: [
      ...Object.keys(effective({ limit })),
      ...lost.filter((name) => !isImplied(name, displayType)),
      ...(asRatio === true && !isOfTwo ? ["seriesReturnType"] : []),
      ...series.lost,
    ].map((path) => `config.${path}`),
  };
}

/**
 * Writes the ratio of a number tile as a formula, since the API has ratios of other charts only. Where a chart has formulas, the
 * page shows these and no ratio.
 */
function withRatioAsFormula({ seriesReturnType, ratioMode, ...chart }: PropertyMap): PropertyMap {
  const { displayType, formulas, select } = chart;
  const hasFormulas = Array.isArray(formulas) && formulas.length > 0;
  const isOfTwo = Array.isArray(select) && select.length === 2;
  if (seriesReturnType !== "ratio" || !(hasFormulas || (displayType === "number" && isOfTwo)))
    return { ...chart, seriesReturnType, ratioMode };
  return hasFormulas ? chart : { ...chart, formulas: [{ expression: "A / B" }] };
}

/** All properties of a tile of a type that this version does not know. They are kept, only renamed. */
function ofUnknownKind(page: PropertyMap): PropertyMap {
  const names = Object.keys(page).map((name) => (name === "source" ? "sourceId" : name));
  return withApiFieldNames(effective(page), names).held;
}

/**
 * Whether the import may drop a property of a chart without telling the user, since the API implies its value: a number tile,
 * for example, never shows the operands of a ratio.
 */
function isImplied(name: string, displayType: unknown): boolean {
  return name === "whereLanguage" || (name === "showOperandSeries" && displayType === "number");
}

/**
 * Translates the target of a click on a row. HyperDX's page exports the target dashboard by its name. In the API, a template
 * that consists of the name leads to the same dashboard, which need not exist yet.
 */
function clickOfApi(onClick: unknown): unknown {
  if (!isObject(onClick) || onClick.type !== "dashboard" || !isObject(onClick.target)) return onClick;
  const { mode, id } = onClick.target;
  return mode === "id" ? { ...onClick, target: { mode: "template", template: id } } : onClick;
}

/** Color names of the first versions of HyperDX with today's names; HyperDX's page replaces them, too, on import. */
const formerColors: PropertyMap = {
  "chart-1": "chart-green",
  "chart-2": "chart-blue",
  "chart-3": "chart-orange",
  "chart-4": "chart-red",
  "chart-5": "chart-cyan",
  "chart-6": "chart-pink",
  "chart-7": "chart-purple",
  "chart-8": "chart-light-blue",
  "chart-9": "chart-brown",
  "chart-10": "chart-gray",
};

function currentColor(color: unknown): unknown {
  return typeof color === "string" && Object.hasOwn(formerColors, color) ? formerColors[color] : color;
}
