import { columns, findOverlaps, gridOf } from "../../../drawing/grid";
import type { Area } from "../../../drawing/model";
import { dialects } from "../../api/dialect";
import { observabilityViaOf } from "../../api/settings";
import type { Settings } from "../../api/settingsSchema";
import { labelOf } from "../../values/compare";
import { isObject, type PropertyMap } from "../../values/data";
import { beyondLimits } from "../../values/memberRules";
import { joinPath } from "../../values/schema";
import type { TObject, TSchema } from "../../values/schemaBuilders";
import { containsUnknown } from "../../values/unknown";
import { type Failure, sentenceOf, withLabels } from "../../values/validate";
import { entriesOf, tilesIn } from "../tiles/tiles";
import { dashboardFilter, foreignMembers, savedFilterValue } from "./dashboardFilters";

/**
 * Checks the rules over several members of a dashboard, apart from those within a tile. `olds` are the former inputs, absent
 * for a new dashboard.
 */
export function layoutFailures(
  { tiles, containers, filters, savedFilterValues, adoptId }: PropertyMap,
  olds: PropertyMap | undefined,
): Failure[] {
  const isNew = olds === undefined && adoptId === undefined;
  return [
    ...containerFailures(containers),
    ...placeFailures(tiles, containers, isNew),
    ...foreignFailures("filters", filters, dashboardFilter),
    ...foreignFailures("savedFilterValues", savedFilterValues, savedFilterValue),
    ...filterFailures(filters),
  ];
}

/** Warns of dashboards beyond the size limits of ClickHouse Cloud, if the server is not known to refuse them. */
export function sizeWarnings(
  schema: TObject,
  { tiles, ...declared }: PropertyMap,
  settings: Settings,
): string[] {
  if (dialects[settings.dialect].enforcesLimits) return [];
  const places = Array.isArray(tiles) ? tiles.map(placeOf) : tiles;
  const failures = [...beyondLimits(schema, { ...declared, tiles: places }, ""), ...gridFailures(tiles)];
  return withLabels(failures, { tiles, ...declared }).map(
    (failure) => `${sentenceOf(failure)}, or newer servers refuse the dashboard`,
  );
}

/** A tile without its content, `config` or `series`. The limits of the content are checked separately. */
function placeOf(tile: unknown): unknown {
  if (!isObject(tile)) return tile;
  const { config, series, ...place } = tile;
  return place;
}

/**
 * The failures for fractions in positions and sizes: the management API's gateway refuses them, though its server would not.
 */
export function fractionFailures(tiles: unknown, settings: Settings): Failure[] {
  const { enforcesLimits } = dialects[settings.dialect];
  if (!enforcesLimits || observabilityViaOf(settings) !== "management") return [];
  return entriesOf(tiles).flatMap(([at, tile]) =>
    ["x", "y", "w", "h"]
      .filter((side) => typeof tile[side] === "number" && !Number.isInteger(tile[side]))
      .map((side) => ({ path: `tiles[${at}].${side}`, message: "must be a whole number" })),
  );
}

const largest = { x: 23, w: 24 };

/** The failures for tiles outside of the largest grid that ClickHouse Cloud accepts. */
export function gridFailures(tiles: unknown): Failure[] {
  return entriesOf(tiles).flatMap(([at, tile]) =>
    Object.entries(largest).flatMap(([side, most]) => {
      const value = tile[side];
      if (typeof value !== "number" || value <= most) return [];
      return [{ path: `tiles[${at}].${side}`, message: `must be at most ${most}`, hint: `, not ${value}` }];
    }),
  );
}

function containerFailures(containers: unknown): Failure[] {
  return [
    ...repeatedIds(containers, "containers"),
    ...entriesOf(containers).flatMap(([at, { tabs }]) => repeatedIds(tabs, `containers[${at}].tabs`)),
  ];
}

function repeatedIds(list: unknown, path: string): Failure[] {
  const entries = entriesOf(list);
  return entries.flatMap(([at, { id }]) => {
    const [first = at] = entries.find(([, candidate]) => typeof id === "string" && candidate.id === id) ?? [];
    return first < at
      ? [{ path: `${path}[${at}].id`, message: `duplicates the id of ${path}[${first}]` }]
      : [];
  });
}

/** The failures for tiles in containers or tabs that neither the program nor the existing dashboard has. */
function placeFailures(tiles: unknown, containers: unknown, isNew: boolean): Failure[] {
  const areKnown = containers === undefined ? isNew : !containsUnknown(containers);
  return entriesOf(tiles).flatMap(([at, { containerId, tabId }]) => {
    const path = `tiles[${at}]`;
    if (containerId === undefined)
      return tabId === undefined ? [] : [{ path: `${path}.tabId`, message: "needs containerId" }];
    if (!areKnown || typeof containerId !== "string") return [];
    const container = entriesOf(containers).find(([, { id }]) => id === containerId)?.[1];
    if (!container) return [unresolved(joinPath(path, "containerId"), "container", containers)];
    const hasTab = entriesOf(container.tabs).some(([, { id }]) => id === tabId);
    return typeof tabId !== "string" || hasTab
      ? []
      : [unresolved(joinPath(path, "tabId"), "tab of its container", container.tabs)];
  });
}

function unresolved(path: string, noun: string, list: unknown): Failure {
  const ids = entriesOf(list).map(([, { id }]) => id);
  const advice = ids.length > 0 ? `expected one of ${ids.join(", ")}` : "none is declared";
  return { path, message: `is not the id of a ${noun}; ${advice}` };
}

/** The failures for members that do not belong to the `type` of a filter or of its initial value. */
function foreignFailures(name: string, list: unknown, schema: TSchema): Failure[] {
  return entriesOf(list).flatMap(([at, entry]) =>
    foreignMembers(schema, entry).map((member) => ({
      path: `${name}[${at}].${member}`,
      message: `does not apply when type is ${entry.type ?? "missing"}`,
    })),
  );
}

function filterFailures(filters: unknown): Failure[] {
  const entries = entriesOf(filters);
  return entries.flatMap(([at, filter]) => {
    const {
      type = "QUERY_EXPRESSION",
      isVariableEnabled = type !== "QUERY_EXPRESSION",
      variableName,
    } = filter;
    const isHidden = type === "QUERY_EXPRESSION" && filter.isBroadcastEnabled === false;
    const { appliesToSourceIds } = filter;
    const path = (member: string) => `filters[${at}].${member}`;
    const failures: Failure[] = [];
    if (isHidden && isVariableEnabled === false)
      failures.push({
        path: path("isBroadcastEnabled"),
        message: "must be true unless isVariableEnabled is true",
      });
    if (isHidden && Array.isArray(appliesToSourceIds) && appliesToSourceIds.length > 0)
      failures.push({
        path: path("appliesToSourceIds"),
        message: "does not apply when isBroadcastEnabled is false",
      });
    if (variableName === undefined) return failures;
    if (isVariableEnabled === false)
      failures.push({ path: path("variableName"), message: "needs isVariableEnabled to be true" });
    const [first = at] =
      entries.find(
        ([, candidate]) => typeof variableName === "string" && candidate.variableName === variableName,
      ) ?? [];
    if (first < at)
      failures.push({
        path: path("variableName"),
        message: `duplicates the variableName of ${labelOf({ filters }, ["filters", first])}`,
      });
    return failures;
  });
}

export function tileFailures(tiles: unknown): Failure[] {
  const places = new Map<unknown, number>();
  return entriesOf(tiles).flatMap(([at, tile]) => {
    const first = typeof tile.id === "string" ? places.get(tile.id) : undefined;
    if (first === undefined) places.set(tile.id, at);
    const failures = shapeFailures(at, tile);
    if (first === undefined) return failures;
    const message = `duplicates the id of ${labelOf({ tiles }, ["tiles", first])}`;
    return [...failures, { path: `tiles[${at}].id`, message }];
  });
}

/** The failure for a tile that has not exactly one of `series` and `config`. */
function shapeFailures(at: number, { series, config, asRatio }: PropertyMap): Failure[] {
  if (config === undefined)
    return series === undefined
      ? [{ path: `tiles[${at}].series`, message: "is required unless config is declared" }]
      : [];
  const beside = series !== undefined ? "series" : asRatio !== undefined ? "asRatio" : undefined;
  return beside
    ? [{ path: `tiles[${at}].${beside}`, message: "conflicts with config; declare only one of them" }]
    : [];
}

export function tileWarnings(tiles: unknown): string[] {
  const names = tilesIn(tiles).flatMap(({ name }) =>
    typeof name === "string" && name.trim() !== "" ? [name] : [],
  );
  const distinct = new Set<string>();
  const repeated = new Set(names.filter((name) => distinct.size === distinct.add(name).size));
  return [
    ...overlaps(tilesIn(tiles)).map(([first, second]) => `the tiles "${first}" and "${second}" overlap`),
    ...beyondGrid(tilesIn(tiles)),
    ...[...repeated].map((name) => `several tiles are named "${name}"; tileIds numbers them`),
  ];
}

function beyondGrid(tiles: readonly PropertyMap[]): string[] {
  return tiles
    .filter(({ x, w }) => typeof x === "number" && typeof w === "number" && x < columns && x + w > columns)
    .map(({ name }) => `the tile "${name}" reaches beyond the ${columns} columns of the grid`);
}

interface PlacedTile extends PropertyMap, Area {
  readonly name: string;
}

/** The pairs of tiles that overlap. Tiles of unknown position are left out. */
function overlaps(tiles: readonly PropertyMap[]): (readonly [string, string])[] {
  const placed = tiles.filter(
    (tile): tile is PlacedTile =>
      typeof tile.name === "string" && ["x", "y", "w", "h"].every((side) => typeof tile[side] === "number"),
  );
  return findOverlaps(placed, (tile) => tile)
    .filter(({ first, second }) => gridOf(first) === gridOf(second))
    .map(({ first, second }) => [first.name, second.name] as const);
}
