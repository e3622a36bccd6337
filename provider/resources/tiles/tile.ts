import { type Static, Type } from "../../values/schemaBuilders";
import { tileConfig } from "./tileConfig";
import { tileSeries } from "./tileSeries";

/** The inputs of a dashboard tile. */
export const dashboardTile = Type.Object(
  {
    /** Id of an existing tile on the dashboard. Only needed to keep the id of a tile whose name and position both change. */
    id: Type.Optional(Type.String({ minLength: 1, longest: 36 })),
    /** Name of the tile. The dashboard's output `tileIds` has the tile's id under this name. May be empty. */
    name: Type.String(),
    /** Description of the tile, which the service shows with it. Needs `dialect: clickhouse`. Default: none. */
    description: Type.Optional(Type.String({ dialect: "clickhouse" })),
    /**
     * Column of the tile's left edge on the dashboard's grid, 0 to 23. If `x` and `y` are left out, the tile follows the one
     * before it, and keeps clear of those with a declared position.
     */
    x: Type.Optional(Type.Number({ minimum: 0, isWhole: true })),
    /** Row of the tile's upper edge on the dashboard's grid, from 0. Only together with `x`. */
    y: Type.Optional(Type.Number({ minimum: 0, isWhole: true })),
    /**
     * Width of the tile in columns, 1 to 24. Default: the width in the dashboard's `defaults`, or else 6 for a number, 24 for a
     * table or search, and 12 for other kinds.
     */
    w: Type.Optional(Type.Number({ minimum: 1, isWhole: true })),
    /**
     * Height of the tile in rows, at least 1. Default: the height in the dashboard's `defaults`, or else 6 for a number, 8 for
     * text, 12 for a table or search, and 10 for other kinds.
     */
    h: Type.Optional(Type.Number({ minimum: 1, isWhole: true })),
    /**
     * Begins a new row of the dashboard with this tile, if the program leaves out the tile's position. Default: a row ends
     * where no further tile fits.
     */
    row: Type.Optional(Type.Boolean({ sent: "never" })),
    /** Container that the tile is in: the `id` of an entry in `containers`. Needs `dialect: clickhouse`. Default: none. */
    containerId: Type.Optional(Type.String({ minLength: 1, longest: 256, dialect: "clickhouse" })),
    /** Tab that the tile is in: the `id` of an entry in the container's `tabs`. Needs `dialect: clickhouse`. Default: none. */
    tabId: Type.Optional(Type.String({ minLength: 1, longest: 256, dialect: "clickhouse" })),
    /** The content of the tile, in place of `series` and `asRatio`. Its `displayType` determines which properties it has. */
    config: Type.Optional(tileConfig),
    /** Whether the tile shows its first series as a ratio of the second. */
    asRatio: Type.Optional(Type.Boolean({ notBeside: ["config"] })),
    /**
     * The content of the tile; at least one series. Required unless the tile has `config`; deprecated in the dialect
     * `clickhouse`, whose servers turn it into `config`.
     */
    series: Type.Optional(
      Type.Array(tileSeries, {
        minItems: 1,
        notBeside: ["config"],
        deprecated: { clickhouse: "its servers turn series into `config`: declare that" },
      }),
    ),
  },
  { additionalProperties: false },
);

/**
 * A tile of a dashboard.
 * @see "Dashboard (observability API)" in the API document
 */
export interface DashboardTile extends Static<typeof dashboardTile> {}

export const tile = Type.Unsafe<DashboardTile>(dashboardTile);
