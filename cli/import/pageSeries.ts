import { aggregateFunctions, selectEntries } from "../../provider/resources/tiles/tileSelect";
import { withApiFieldNames } from "../../provider/resources/tiles/uiFieldNames";
import type { PropertyMap } from "../../provider/values/data";
import { schemaAt } from "../../provider/values/schema";
import type { TObject, TSchema } from "../../provider/values/schemaBuilders";
import { effective } from "./pageMembers";

interface Chart {
  readonly kind: TObject;
  readonly displayType: unknown;
  readonly formulas: unknown;
}

/** The series of a chart in the form of the API, and the paths of the properties that the API does not have. */
interface TranslatedSeries {
  readonly select: readonly PropertyMap[];
  readonly lost: readonly string[];
}

/** Translates the series of a chart from the form of HyperDX's dashboard page to that of the API. */
export function seriesOfApi(
  entries: readonly PropertyMap[],
  { kind, displayType, formulas }: Chart,
): TranslatedSeries {
  const list = schemaAt(kind, "select");
  const isAlone = displayType === "number" && formulas === undefined;
  const most: number = isAlone ? 1 : (list.maxItems ?? selectEntries.most);
  const translated = entries.slice(0, most).map((entry) => oneOfApi(entry, schemaAt(list, 0)));
  const lost = translated.flatMap((series, at) => series.lost.map((name) => `select[${at}].${name}`));
  const further = entries.slice(most).map((_, index) => `select[${most + index}]`);
  return { select: translated.map(({ held }) => held), lost: [...lost, ...further] };
}

interface TranslatedOne {
  readonly held: PropertyMap;
  readonly lost: readonly string[];
}

function oneOfApi(entry: PropertyMap, schema: TSchema): TranslatedOne {
  const names = Object.keys(schema.properties);
  const { held, lost } = withApiFieldNames(effective(entry), names);
  // A heatmap has one condition for the whole chart, and always counts, so its series need no function and condition.
  if (!names.includes("aggFn"))
    return {
      held,
      lost: lost.filter((name) => !["aggFn", "aggCondition", "aggConditionLanguage"].includes(name)),
    };

  const { aggFn = "none", level, valueExpression, ...series } = held;
  const isKnown = aggregateFunctions.some((name) => name === aggFn);
  const levels: readonly number[] = schemaAt(schema, "level").enum ?? [];
  const isQuantile = aggFn === "quantile";
  const nearest = isQuantile && typeof level === "number" ? nearestOf(levels, level) : undefined;
  const isStale = aggFn === "count" && valueExpression !== undefined;
  return {
    held: {
      aggFn: isKnown ? aggFn : "none",
      ...(nearest === undefined ? {} : { level: nearest }),
      ...(isStale || valueExpression === undefined ? {} : { valueExpression }),
      ...series,
    },
    lost: [
      ...lost,
      ...(isKnown ? [] : [`aggFn ${JSON.stringify(aggFn)} ("none" takes its place)`]),
      ...(level === undefined || level === nearest
        ? []
        : [isQuantile ? `level ${level} (${nearest} takes its place)` : "level"]),
      ...(isStale ? ["valueExpression"] : []),
    ],
  };
}

function nearestOf(levels: readonly number[], level: number): number | undefined {
  const distance = (candidate: number) => Math.abs(candidate - level);
  return [...levels].sort((a, b) => distance(a) - distance(b))[0];
}
