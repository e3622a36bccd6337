import type { ErrorObject } from "ajv";
import { badRequest } from "../apiError";
import type { DashboardParts } from "./dashboardParts";
import type {
  BodyFailure,
  Dashboard,
  DashboardContainer,
  DashboardFilter,
  Tile,
  TileBody,
} from "./dashboardRecords";
import { type DashboardRules, type Place, withServerIds } from "./dashboardRules";
import { failuresInTiles, shownTile } from "./tileContents";
import { failureOfReferences } from "./tileReferences";

/** The request body that creates or replaces a dashboard in the dialect `clickhouse`. */
export interface ProductBody {
  name: string;
  tiles: TileBody[];
  tags?: string[];
  filters?: (Omit<DashboardFilter, "id"> & { id?: string })[];
  savedQuery?: string | null;
  savedQueryLanguage?: string | null;
  savedFilterValues?: { type?: string; [member: string]: unknown }[];
  containers?: DashboardContainer[];
}

/**
 * The rules for dashboards in the dialect `clickhouse`. A replacement takes the tiles of its body; other omitted properties
 * stay.
 */
export function productDashboards(has: DashboardParts): DashboardRules {
  const isShown = ({ config }: Tile) => has.promqlTiles || config?.configType !== "promql";
  const isKnown = ({ type = "sql" }: Record<string, unknown>) =>
    ["QUERY_EXPRESSION", "sql"].includes(String(type)) ||
    (/^adhoc$/i.test(String(type)) ? has.adHocFilters : has.filterTypes);
  return {
    changeOf(requestBody, place, old) {
      const body = requestBody as ProductBody;
      const failures = failuresIn(body, has);
      if (failures.length > 0) {
        const texts = failures.map(({ path, message }) => `${path}: ${message}`);
        throw badRequest(`Body validation failed: ${texts.join("; ")}`);
      }
      const failure = failureOfContents(body, place, old);
      if (failure) throw badRequest(failure);
      const { name, tiles, tags, filters, savedFilterValues, containers } = body;
      return {
        name,
        tiles: withServerIds(tiles, place.newId, old?.tiles).map(shownTile),
        tags: [...new Set(tags ?? old?.tags)],
        filters: filters
          ? (withServerIds(filters, place.newId, old?.filters).map((filter) =>
              withModes(filter),
            ) as DashboardFilter[])
          : (old?.filters ?? []),
        savedQuery: body.savedQuery === undefined ? (old?.savedQuery ?? null) : body.savedQuery,
        savedQueryLanguage: languageOf(body, old),
        savedFilterValues:
          savedFilterValues?.map((value) => ({ type: "sql", ...value })) ?? old?.savedFilterValues ?? [],
        ...(containers && { containers }),
      };
    },
    show: ({ serviceId, containers = [], tiles, filters = [], savedFilterValues = [], ...dashboard }) => ({
      savedQuery: null,
      savedQueryLanguage: null,
      ...dashboard,
      filters: filters.filter(isKnown),
      savedFilterValues: savedFilterValues.filter(isKnown),
      tiles: tiles.filter(isShown).map(shownTile),
      ...(containers.length > 0 && { containers }),
    }),
  };
}

/**
 * Adds to a dashboard filter the defaults that HyperDX gives to filters of its type: whether the filter sets a variable, and
 * whether it restricts the records of all tiles.
 */
function withModes(filter: Record<string, unknown>): Record<string, unknown> {
  if (filter.type === "SOURCE_FILTER") return { isVariableEnabled: true, ...filter };
  const isVariable = filter.type === "STATIC_LIST" || filter.type === "PROMETHEUS_LABEL";
  return isVariable ? { isBroadcastEnabled: false, isVariableEnabled: true, ...filter } : filter;
}

/**
 * Returns the language of a dashboard's saved query after a request. If the request sets a query without a language, the
 * language is Lucene.
 */
function languageOf({ savedQuery, savedQueryLanguage }: ProductBody, old?: Dashboard): string | null {
  if (savedQueryLanguage !== undefined) return savedQueryLanguage;
  if (savedQuery === null) return null;
  if (savedQuery) return "lucene";
  return old?.savedQueryLanguage ?? null;
}

/** Checks a dashboard's request body by the rules that its schema does not contain, and returns the violations. */
export function failuresIn(body: ProductBody, has: DashboardParts): BodyFailure[] {
  const failures = failuresInTiles(body.tiles, has);
  if (body.savedQuery != null && body.savedQueryLanguage === null)
    failures.push({
      path: "savedQueryLanguage",
      message: "savedQueryLanguage cannot be null when savedQuery is provided",
    });
  const { containers = [] } = body;
  const filters = (body.filters ?? []).map((filter) => withModes(filter));
  failures.push(...duplicates("containers", containers));
  containers.forEach(({ tabs = [] }, index) => {
    failures.push(...duplicates(`containers.${index}.tabs`, tabs));
  });
  const variables = filters.filter(({ isVariableEnabled }) => isVariableEnabled === true);
  const names = variables.map(({ variableName, name }) => String(variableName ?? name));
  filters.forEach(({ isBroadcastEnabled = true, isVariableEnabled = false, variableName }, index) => {
    const path = `filters.${index}`;
    if (!isBroadcastEnabled && !isVariableEnabled)
      failures.push({ path, message: "a filter must be broadcast, a variable, or both" });
    if (!isVariableEnabled && variableName !== undefined)
      failures.push({ path: `${path}.variableName`, message: "only with isVariableEnabled" });
  });
  if (new Set(names).size < names.length)
    failures.push({ path: "filters", message: "the names of variables must be unique" });
  return failures;
}

function duplicates(path: string, entries: readonly { id: string }[]): BodyFailure[] {
  return entries.flatMap(({ id }, index) =>
    entries.findIndex((entry) => entry.id === id) === index
      ? []
      : [{ path: `${path}.${index}.id`, message: `Duplicate id ${id}` }],
  );
}

/**
 * Returns the message about objects to which the tiles of a dashboard refer, if one is missing or does not fit the tile;
 * undefined if there is none.
 */
function failureOfContents(
  { tiles, filters, containers }: ProductBody,
  place: Place,
  old?: Dashboard,
): string | undefined {
  const groups = containers ?? old?.containers ?? [];
  const unresolved = tiles.flatMap(({ containerId, tabId }, index) => {
    const group = groups.find(({ id }) => id === containerId);
    if (containerId === undefined)
      return tabId === undefined ? [] : [`tiles.${index}.tabId: requires containerId`];
    if (!group) return [`tiles.${index}.containerId: Container ${containerId} does not exist`];
    const isTab = tabId === undefined || group.tabs?.some(({ id }) => id === tabId);
    return isTab ? [] : [`tiles.${index}.tabId: Tab ${tabId} does not exist in the container`];
  });
  if (unresolved.length > 0) return unresolved.join("; ");
  return failureOfReferences(tiles, filters ?? [], place);
}

/** Makes the result of the operation that validates a dashboard's body without storing it. */
export function outcomeOf(
  requestBody: unknown,
  errors: readonly ErrorObject[] | undefined,
  place: Place,
  has: DashboardParts,
): object {
  const invalid = (failures: BodyFailure[]) => ({ valid: false, errors: failures, normalized: null });
  if (errors) return invalid(errors.map(failureOfSchema));
  const body = requestBody as ProductBody;
  const failures = failuresIn(body, has);
  if (failures.length > 0) return invalid(failures);
  const failure = failureOfContents(body, place);
  return failure
    ? invalid([{ path: "", message: failure }])
    : { valid: true, errors: [], normalized: normalized(body) };
}

function failureOfSchema({ instancePath, message = "invalid" }: ErrorObject): BodyFailure {
  return { path: instancePath.split("/").slice(1).join("."), message };
}

function normalized({ savedFilterValues, ...body }: ProductBody): object {
  return {
    ...body,
    tiles: body.tiles.map((tile) => (tile.config ? { ...tile, config: withWhere(tile.config) } : tile)),
    ...(savedFilterValues && {
      savedFilterValues: savedFilterValues.map((value) => ({ type: "sql", ...value })),
    }),
  };
}

function withWhere(config: Record<string, unknown>): object {
  const { displayType, configType, select } = config;
  const isDistribution = displayType === "heatmap" && config.heatmapMode !== "series";
  const isFiltered = isDistribution || ["search", "event_patterns"].includes(String(displayType));
  if (isFiltered) return { ...(displayType === "event_patterns" && { select: "" }), where: "", ...config };
  if (configType !== undefined || !Array.isArray(select)) return config;
  return { ...config, select: select.map((item) => ({ where: "", ...item })) };
}
