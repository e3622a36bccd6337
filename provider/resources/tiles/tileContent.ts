import { dialects } from "../../api/dialect";
import { observabilityViaOf } from "../../api/settings";
import type { Settings } from "../../api/settingsSchema";
import { labelOf } from "../../values/compare";
import { isObject, type PropertyMap } from "../../values/data";
import { nearest } from "../../values/nearest";
import { joinPath, schemaAt } from "../../values/schema";
import type { TObject, TSchema } from "../../values/schemaBuilders";
import { isUnknown } from "../../values/unknown";
import type { Failure } from "../../values/validate";
import { displayTypes, kindOfTile, showsSeries } from "./tileConfig";
import { builtKinds, sqlKinds } from "./tileKinds";
import { seriesFailures, seriesLosses, translated, ungroupedFailures } from "./tileSeries";
import { type Entries, entriesOf } from "./tiles";
import { apiFieldName } from "./uiFieldNames";

export function contentFailures(tiles: unknown, settings: Settings): Failure[] {
  const { hasTileConfig } = dialects[settings.dialect];
  return entriesOf(tiles).flatMap(([at, { config, series }]) => {
    const path = `tiles[${at}]`;
    if (config !== undefined && series !== undefined) return [];
    if (!hasTileConfig) return ungroupedFailures(entriesOf(series), `${path}.series`);
    return [
      ...(isObject(config) ? configFailures(config, `${path}.config`) : []),
      ...seriesFailures(entriesOf(series), `${path}.series`),
    ];
  });
}

/** Checks rules over several members of the content of a tile, or of an alert's chart, at the given path of the inputs. */
export function configFailures(config: PropertyMap, path: string): Failure[] {
  const { displayType, select, asRatio, formulas } = config;
  const count = Array.isArray(select) ? select.length : undefined;
  const computed = Array.isArray(formulas) ? formulas.length : 0;
  const failures: Failure[] = [];
  const fail = (member: string, message: string) => failures.push({ path: `${path}.${member}`, message });
  if (displayType === "number") {
    if (computed > 1) fail("formulas", 'must be a list of one entry when displayType is "number"');
    if (asRatio === true)
      fail(
        "asRatio",
        'does not apply when displayType is "number"; declare formulas: [{ expression: "A / B" }] in its place',
      );
    else if (count !== undefined && count > 1 && formulas === undefined)
      fail("select", "must be a list of one entry unless formulas is declared");
  } else if (asRatio === true) {
    if (count !== undefined && count !== 2) fail("asRatio", "needs exactly two entries of select");
    if (computed > 0) fail("formulas", "conflicts with asRatio; declare only one of them");
  }
  if (count !== undefined)
    for (const [at, { expression }] of entriesOf(formulas))
      if (typeof expression === "string" && !usesSeries(expression, count))
        fail(`formulas[${at}].expression`, `must use series of select, which are ${lettersOf(count)}`);
  const isDistribution = displayType === "heatmap" && config.heatmapMode !== "series";
  if (!isDistribution)
    for (const [at, entry] of entriesOf(select))
      failures.push(...selectFailures(entry, `${path}.select[${at}]`));
  return failures;
}

/** The letters by which formulas name the series of a chart, such as `A to C`. */
function lettersOf(count: number): string {
  const last = String.fromCharCode("A".charCodeAt(0) + count - 1);
  return count > 1 ? `A to ${last}` : "A alone";
}

/** Whether a formula uses at least one series, and only series that the chart has. */
function usesSeries(expression: string, count: number): boolean {
  const letters = expression.match(/[A-Z]/g) ?? [];
  return letters.length > 0 && letters.every((letter) => letter.charCodeAt(0) - "A".charCodeAt(0) < count);
}

function selectFailures(entry: PropertyMap, path: string): Failure[] {
  const { aggFn, valueExpression, level, metricName, metricType } = entry;
  if (typeof aggFn !== "string") return [];
  const isMissing = valueExpression === undefined || valueExpression === "";
  // A series of a metric needs no expression: its values are those of the metric.
  const isOfMetric = [metricName, metricType].every((part) => part !== undefined && part !== "");
  return [
    ...(metricType === "summary"
      ? [{ path: `${path}.metricType`, message: "must not be summary, which no chart can show" }]
      : []),
    ...(aggFn === "increase" && metricType !== "sum" && !isUnknown(metricType)
      ? [{ path: `${path}.aggFn`, message: "increase needs metricType to be sum" }]
      : []),
    ...(aggFn === "count" && typeof valueExpression === "string" && !isMissing
      ? [{ path: `${path}.valueExpression`, message: 'does not apply when aggFn is "count"' }]
      : []),
    ...(aggFn !== "count" && isMissing && !isOfMetric
      ? [
          {
            path: `${path}.valueExpression`,
            message: "is required unless aggFn is count, or metricName and metricType are declared",
          },
        ]
      : []),
    ...(aggFn !== "quantile" && level !== undefined
      ? [{ path: `${path}.level`, message: 'does not apply unless aggFn is "quantile"' }]
      : []),
  ];
}

/** Warns of content of dashboard tiles that servers may not understand, or may show in another way than declared. */
export function contentWarnings(tiles: unknown, settings: Settings): string[] {
  const entries = entriesOf(tiles);
  return [
    ...entries.flatMap(([at, { config }]) =>
      isObject(config) ? configWarnings(config, labelOf({ tiles }, ["tiles", at, "config"])) : [],
    ),
    ...(dialects[settings.dialect].hasTileConfig
      ? [...seriesWarnings(entries), ...droppedWarnings(tiles, settings)]
      : []),
  ];
}

/** The paths in a tile that the API of ClickHouse Cloud has, and that HyperDX's own drops without a word. */
function membersOfCloud({ description, config }: PropertyMap): (readonly string[])[] {
  const { configType, displayType, colorRules = [], lineInterpolation } = isObject(config) ? config : {};
  const hasRules = Array.isArray(colorRules) && colorRules.length > 0;
  return [
    ...(description === undefined || description === "" ? [] : [["description"]]),
    ...(hasRules && configType === "sql" && displayType === "number" ? [["config", "colorRules"]] : []),
    ...(lineInterpolation === undefined ? [] : [["config", "lineInterpolation"]]),
  ];
}

function droppedWarnings(tiles: unknown, settings: Settings): string[] {
  if (observabilityViaOf(settings) === "management") return [];
  return entriesOf(tiles).flatMap(([at, tile]) =>
    membersOfCloud(tile).map(
      (keys) =>
        `${labelOf({ tiles }, ["tiles", at, ...keys])} has no effect: only the management API of ClickHouse Cloud takes it`,
    ),
  );
}

export function hasUnknownMembers(config: PropertyMap): boolean {
  return configWarnings(config, "").length > 0;
}

function configWarnings(config: PropertyMap, path: string): string[] {
  const kind = kindOfTile(config);
  if (kind) return unknownMembers(kind, config, path, (name) => placesOf(name, config));
  const { configType, displayType } = config;
  if (configType === "promql")
    return [`${path} is in PromQL, whose members this version does not check; it is sent as it is`];
  const isKnownType = configType === undefined || configType === "sql";
  const isMode = isKnownType && displayType === "heatmap" && configType === undefined;
  const [member, words] = isMode
    ? (["heatmapMode", ["series", "distribution"]] as const)
    : isKnownType
      ? (["displayType", displayTypes] as const)
      : (["configType", ["sql"]] as const);
  const value = config[member];
  return typeof value === "string" ? [notKnown(`${path}.${member}`, value, words)] : [];
}

/** The kinds of tile that have a member which the declared kind lacks; undefined if no kind has the member. */
function placesOf(name: string, { configType }: PropertyMap): string | undefined {
  const [own, others] = configType === "sql" ? [sqlKinds, builtKinds] : [builtKinds, sqlKinds];
  const having = (kinds: typeof own | typeof others) =>
    Object.values<TObject>(kinds).filter(({ properties }) => Object.hasOwn(properties, name));
  const types = new Set(having(own).map(({ properties }) => `"${properties.displayType?.const}"`));
  if (types.size > 0) return `applies when displayType is ${[...types].join(" or ")}`;
  if (having(others).length === 0) return undefined;
  return configType === "sql" ? "does not apply to SQL" : 'applies when configType is "sql"';
}

function unknownMembers(
  schema: TSchema,
  value: unknown,
  path: string,
  placesOf?: (name: string) => string | undefined,
): string[] {
  if (Array.isArray(value))
    return value.flatMap((entry, index) =>
      unknownMembers(schemaAt(schema, index), entry, joinPath(path, index)),
    );
  if (!isObject(value) || schema.properties === undefined) return [];
  const names = Object.keys(schema.properties);
  return Object.entries(value).flatMap(([name, member]) => {
    const place = joinPath(path, name);
    if (names.includes(name)) return unknownMembers(schemaAt(schema, name), member, place);
    const places = placesOf?.(name);
    if (places) return [`${place} ${places}; it is sent as it is`];
    const word = apiFieldName(name, names);
    return [
      word ? `${place} is its name in exports of the console; declare ${word}` : notKnown(place, name, names),
    ];
  });
}

function notKnown(path: string, name: string, words: readonly string[]): string {
  const suggestion = nearest(name, words);
  return `${path} is not known to this version of pipestack; ${suggestion ? `did you mean ${suggestion}?` : "it is sent as it is"}`;
}

function seriesWarnings(entries: Entries): string[] {
  const declared = entries.map(([, { series }]) => entriesOf(series)).filter((series) => series.length > 0);
  if (declared.length === 0) return [];
  const losses = [...new Set(declared.flatMap(seriesLosses))];
  return [
    `series is deprecated by these servers, which turn it into config: declare config${
      losses.length > 0 ? ` (they lose ${losses.join(", ")})` : ""
    }`,
  ];
}

export function translatedTiles(tiles: readonly PropertyMap[], settings: Settings): readonly PropertyMap[] {
  if (!dialects[settings.dialect].hasTileConfig) return tiles;
  return tiles.map(({ series, config, ...tile }) => ({
    ...tile,
    ...(series === undefined ? {} : { series: Array.isArray(series) ? series.map(translated) : series }),
    ...(config === undefined ? {} : { config: isObject(config) ? withLanguage(config) : config }),
  }));
}

const byDefault = { whereLanguage: "lucene" };

/**
 * Adds the server's default `whereLanguage` to a tile's content: the management API requires it in a search, and the console
 * cannot save a dashboard with a series that lacks it.
 */
function withLanguage(config: PropertyMap): PropertyMap {
  const { select, displayType } = config;
  if (displayType === "search") return { ...byDefault, ...config };
  if (!Array.isArray(select) || !showsSeries(config)) return config;
  return { ...config, select: select.map((entry) => (isObject(entry) ? { ...byDefault, ...entry } : entry)) };
}
