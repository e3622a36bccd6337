import { enums } from "../../api/enums.golden";
import { isAbsent } from "../../values/compare";
import { isObject, type PropertyMap } from "../../values/data";
import { oneOf } from "../../values/schema";
import { type Static, Type } from "../../values/schemaBuilders";
import { isUnknown, unknown } from "../../values/unknown";
import { type Failure, validate } from "../../values/validate";
import { kindOfTile, showsSeries } from "../tiles/tileConfig";
import { seriesMembers } from "../tiles/tileSeries";
import { flowFailures, laidOut } from "./layout";

const schema = Type.Object(
  {
    /** Id of the data source of each tile that needs a source and names none. Does not apply to tiles whose query is in SQL. */
    sourceId: Type.Optional(Type.String({ minLength: 1, of: "Source" })),
    /** Id of the database connection for each tile whose query is in SQL and that names no connection. */
    connectionId: Type.Optional(Type.String({ minLength: 1, of: "Connection" })),
    /**
     * Filter expression of each series, search and heatmap of the dashboard that declares no filter itself; one with `where:
     * ""` shows all records. The default does not add to a declared filter, and does not apply where `whereLanguage` declares
     * another language.
     */
    where: Type.Optional(Type.String({ longest: 10_000 })),
    /** Language of each filter expression in the dashboard's tiles that names none. Default: lucene. */
    whereLanguage: Type.Optional(oneOf(enums.whereLanguage)),
    /** Width in columns, 1 to 24, of each tile that declares no width. Default: depends on the kind of the tile. */
    w: Type.Optional(Type.Number({ minimum: 1, isWhole: true })),
    /** Height in rows, at least 1, of each tile that declares no height. Default: depends on the kind of the tile. */
    h: Type.Optional(Type.Number({ minimum: 1, isWhole: true })),
  },
  { additionalProperties: false, sent: "never" },
);

/** Properties that the tiles of a dashboard have unless they declare their own. */
export interface DashboardDefaults extends Static<typeof schema> {}

export const dashboardDefaults = Type.Unsafe<DashboardDefaults>(schema);

const alone = Type.Object({ defaults: Type.Optional(schema) });

/** Completes a declared dashboard: its tiles get the values of `defaults`, and the positions that they do not declare. */
export function completeDashboard({ defaults = {}, ...dashboard }: PropertyMap): {
  readonly inputs: PropertyMap;
  readonly failures: readonly Failure[];
} {
  const { tiles } = dashboard;
  const ofDefaults = isEmpty(defaults) ? [] : validate(alone, { defaults });
  const failures = [...ofDefaults, ...flowFailures(tiles)];
  if (!Array.isArray(tiles)) return { inputs: dashboard, failures };
  // Invalid `defaults` are reported once, and not again for each tile.
  const values = defaultsIn(ofDefaults.length > 0 ? unknown : defaults);
  const filled = tiles.map((tile) => (isObject(tile) ? withDefaults(tile, values) : tile));
  return { inputs: { ...dashboard, tiles: laidOut(filled, values) }, failures };
}

function isEmpty(defaults: unknown): boolean {
  return isObject(defaults) && Object.keys(defaults).length === 0;
}

/** The values of a dashboard's `defaults` by name; all are unknown if a preview does not know the whole object. */
function defaultsIn(defaults: unknown): PropertyMap {
  if (isUnknown(defaults))
    return Object.fromEntries(Object.keys(schema.properties).map((name) => [name, unknown]));
  return isObject(defaults) ? defaults : {};
}

function withDefaults(tile: PropertyMap, defaults: PropertyMap): PropertyMap {
  const { config, series } = tile;
  return {
    ...tile,
    ...(isObject(config) ? { config: withConfig(config, defaults) } : {}),
    ...(Array.isArray(series) ? { series: series.map((entry) => withSeries(entry, defaults)) } : {}),
  };
}

function withConfig(config: PropertyMap, { sourceId, connectionId, ...filter }: PropertyMap): PropertyMap {
  const { properties = {}, required = [] } = kindOfTile(config) ?? {};
  const { select } = config;
  return {
    // A tile whose query is in SQL needs a connection, and may name a source. A default source could belong to another
    // connection, so such a tile takes only the defaults that its kind requires.
    ...present({ sourceId, connectionId }, (name) => required.includes(name)),
    ...config,
    ...("where" in properties ? missingFilter(config, filter) : {}),
    ...(Array.isArray(select) && showsSeries(config)
      ? {
          select: select.map((entry) =>
            isObject(entry) ? { ...entry, ...missingFilter(entry, filter) } : entry,
          ),
        }
      : {}),
  };
}

function withSeries(series: unknown, { sourceId, ...filter }: PropertyMap): unknown {
  if (!isObject(series)) return series;
  const members = seriesMembers(series.type);
  return {
    // A series with `dataSource` has the form of another dialect of the API, so it takes no default `sourceId`.
    ...present({ sourceId }, (name) => members.includes(name) && series.dataSource === undefined),
    ...series,
    ...(members.includes("where") ? missingFilter(series, filter) : {}),
  };
}

function present(members: PropertyMap, isTaken: (name: string) => boolean): PropertyMap {
  return Object.fromEntries(
    Object.entries(members).filter(([name, value]) => !isAbsent(value) && isTaken(name)),
  );
}

/** The filter expression and its language in the dashboard's `defaults`, as far as a series of a tile does not declare them. */
function missingFilter(declared: PropertyMap, { where, whereLanguage }: PropertyMap): PropertyMap {
  const isSame = isAbsent(declared.whereLanguage) || declared.whereLanguage === (whereLanguage ?? "lucene");
  return {
    ...(isAbsent(declared.where) && isSame ? present({ where }, () => true) : {}),
    ...(isAbsent(declared.whereLanguage) ? present({ whereLanguage }, () => true) : {}),
  };
}
