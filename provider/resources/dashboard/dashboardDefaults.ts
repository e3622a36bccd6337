import { isAbsent } from "../../values/compare";
import { type Data, isObject } from "../../values/data";
import { oneOf } from "../../values/schema";
import { type Static, Type } from "../../values/schemaBuilders";
import { isUnknown, unknown } from "../../values/unknown";
import { type Failure, validate } from "../../values/validate";
import { flowFailures, laidOut } from "./layout";
import { kindOfTile, showsSeries } from "./tileConfig";
import { seriesMembers } from "./tileSeries";

const schema = Type.Object(
  {
    /** Id of the source for each tile that needs a source and names none. Does not apply to tiles in SQL. */
    sourceId: Type.Optional(Type.String({ minLength: 1 })),
    /** Id of the connection for each tile in SQL that names none. */
    connectionId: Type.Optional(Type.String({ minLength: 1 })),
    /**
     * Filter of each series, search and heatmap that has none of its own; one with `where: ""` shows all records. It does not
     * add to another filter, and goes into none of another language.
     */
    where: Type.Optional(Type.String({ longest: 10_000 })),
    /** Language of each filter that names none. Default: lucene. */
    whereLanguage: Type.Optional(oneOf(["lucene", "sql"])),
    /** Width in columns, 1 to 24, of each tile without one. Default: by kind. */
    w: Type.Optional(Type.Number({ minimum: 1, isWhole: true })),
    /** Height in rows, at least 1, of each tile without one. Default: by kind. */
    h: Type.Optional(Type.Number({ minimum: 1, isWhole: true })),
  },
  { additionalProperties: false, sent: "never" },
);

/** Members that the tiles of a dashboard have unless they declare their own. */
export interface DashboardDefaults extends Static<typeof schema> {}

export const dashboardDefaults = Type.Unsafe<DashboardDefaults>(schema);

const alone = Type.Object({ defaults: Type.Optional(schema) });

/** Completes a dashboard as it is sent: its tiles have the `defaults`, and every tile has a position. */
export function completeDashboard({ defaults = {}, ...dashboard }: Data): {
  readonly inputs: Data;
  readonly failures: readonly Failure[];
} {
  const { tiles } = dashboard;
  const ofDefaults = isEmpty(defaults) ? [] : validate(alone, { defaults });
  const failures = [...ofDefaults, ...flowFailures(tiles)];
  if (!Array.isArray(tiles)) return { inputs: dashboard, failures };
  // Invalid defaults are reported once, instead of again for each tile.
  const values = defaultsIn(ofDefaults.length > 0 ? unknown : defaults);
  const filled = tiles.map((tile) => (isObject(tile) ? withDefaults(tile, values) : tile));
  return { inputs: { ...dashboard, tiles: laidOut(filled, values) }, failures };
}

function isEmpty(defaults: unknown): boolean {
  return isObject(defaults) && Object.keys(defaults).length === 0;
}

/** The defaults by name; all of them unknown if a preview does not know the whole object. */
function defaultsIn(defaults: unknown): Data {
  if (isUnknown(defaults))
    return Object.fromEntries(Object.keys(schema.properties).map((name) => [name, unknown]));
  return isObject(defaults) ? defaults : {};
}

function withDefaults(tile: Data, defaults: Data): Data {
  const { config, series } = tile;
  return {
    ...tile,
    ...(isObject(config) ? { config: withConfig(config, defaults) } : {}),
    ...(Array.isArray(series) ? { series: series.map((entry) => withSeries(entry, defaults)) } : {}),
  };
}

function withConfig(config: Data, { sourceId, connectionId, ...filter }: Data): Data {
  const { properties = {}, required = [] } = kindOfTile(config) ?? {};
  const { select } = config;
  return {
    // A tile in SQL that names a source would conflict with a default connection of another database, so it gets only
    // the defaults that its kind requires.
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

function withSeries(series: unknown, { sourceId, ...filter }: Data): unknown {
  if (!isObject(series)) return series;
  const members = seriesMembers(series.type);
  return {
    // A series with `dataSource` belongs to the other dialect, and takes no default source.
    ...present({ sourceId }, (name) => members.includes(name) && series.dataSource === undefined),
    ...series,
    ...(members.includes("where") ? missingFilter(series, filter) : {}),
  };
}

function present(members: Data, isTaken: (name: string) => boolean): Data {
  return Object.fromEntries(
    Object.entries(members).filter(([name, value]) => !isAbsent(value) && isTaken(name)),
  );
}

/** The default filter members that a series does not declare. */
function missingFilter(declared: Data, { where, whereLanguage }: Data): Data {
  const isSame = isAbsent(declared.whereLanguage) || declared.whereLanguage === (whereLanguage ?? "lucene");
  return {
    ...(isAbsent(declared.where) && isSame ? present({ where }, () => true) : {}),
    ...(isAbsent(declared.whereLanguage) ? present({ whereLanguage }, () => true) : {}),
  };
}
