import { type Static, Type } from "../../values/schemaBuilders";
import { tileConfig } from "./tileConfig";
import { tileSeries } from "./tileSeries";

/** The inputs of a tile. */
export const dashboardTile = Type.Object(
  {
    /** Id of an existing tile. Only needed to keep the id of a tile whose name and position both change. */
    id: Type.Optional(Type.String({ minLength: 1, longest: 36 })),
    /** Name of the tile, by which `tileIds` shows its id. May be empty. */
    name: Type.String(),
    /** What the tile is about, in words that the service shows with it. Needs `dialect: clickhouse`. Default: none. */
    description: Type.Optional(Type.String({ dialect: "clickhouse" })),
    /**
     * Column of the left edge on the grid, 0 to 23. Default, if `y` is left out, too: the tile follows the one before it,
     * and keeps clear of those with a declared position.
     */
    x: Type.Optional(Type.Number({ minimum: 0, isWhole: true })),
    /** Row of the upper edge on the grid, from 0. Only together with `x`. */
    y: Type.Optional(Type.Number({ minimum: 0, isWhole: true })),
    /**
     * Width in columns, 1 to 24. Default: that of `defaults`, else by kind: a number 6, a table or search 24, anything else
     * 12.
     */
    w: Type.Optional(Type.Number({ minimum: 1, isWhole: true })),
    /**
     * Height in rows, at least 1. Default: that of `defaults`, else by kind: a number 6, text 8, a table or search 12,
     * anything else 10.
     */
    h: Type.Optional(Type.Number({ minimum: 1, isWhole: true })),
    /** Begins a new row with this tile, if its position is left out. Default: where the width of the row is used up. */
    row: Type.Optional(Type.Boolean({ sent: "never" })),
    /**
     * Container that the tile is in: the `id` of an entry in `containers`. Needs `dialect: clickhouse`. Default: none.
     */
    containerId: Type.Optional(Type.String({ minLength: 1, longest: 256, dialect: "clickhouse" })),
    /**
     * Tab that the tile is in: the `id` of an entry in the container's `tabs`. Needs `dialect: clickhouse`. Default:
     * none.
     */
    tabId: Type.Optional(Type.String({ minLength: 1, longest: 256, dialect: "clickhouse" })),
    /** The content of the tile, in place of `series` and `asRatio`; its members follow from its `displayType`. */
    config: Type.Optional(tileConfig),
    /** Whether the first series is shown as a ratio of the second. */
    asRatio: Type.Optional(Type.Boolean({ notBeside: ["config"] })),
    /**
     * The content of the tile; at least one series. Required unless `config` is there; deprecated in the dialect
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
