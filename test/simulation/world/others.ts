import type { Model } from "../../../sandbox/core/model";
import type { Alert } from "../../../sandbox/core/resources/alertRecords";
import type { Tile } from "../../../sandbox/core/resources/dashboardRecords";
import { shownTile } from "../../../sandbox/core/resources/tileContents";
import type { Data } from "../../promises/store";
import { adoptable, dashboardOf, savedSearchId, serviceId, sourceId, tileOf } from "./contents";

/**
 * This module makes the objects that others have made before some simulated histories begin, in parts that are drawn
 * separately.
 */

/** One part of the objects that others have made before a simulated history begins. */
interface Part {
  /** Properties of objects that others have set before a simulated history and that programs need not declare, by `kind id`. */
  readonly set?: { readonly [key: string]: readonly string[] };
  furnish(model: Model): void;
}

/** Ids of other teams' API keys that may use the query endpoint. */
export const keysOfOthers = [
  "c6a1e9d4-2b57-4f38-8d60-7e91b3a5f241",
  "c6a1e9d4-2b57-4f38-8d60-7e91b3a5f242",
] as const;

const moment = "2026-12-01T00:00:00.000Z";

/**
 * Makes the id of an object. Objects of different parts of the simulated world (groups of objects that others made) and of
 * `contents.ts` get different ids.
 */
const idOf = (part: string, number: number) => `66f0c2d8a1b2c3d4e5f6${part}${number}`;

export const worldParts = {
  /** A part of the simulated world with the query endpoint of the service, and API keys, roles and origins of other teams. */
  endpoint: {
    set: { [`queryEndpoints ${serviceId}`]: ["allowedOrigins"] },
    furnish({ store }) {
      for (const [index, id] of keysOfOthers.entries())
        store.keys.set(id, {
          ...{ id, name: `team ${index + 1}`, roles: ["developer"], keySuffix: `tea${index + 1}` },
          ...{ state: "enabled", keyIdHash: `team ${index}`, keySecretHash: "", createdAt: moment },
        });
      store.queryEndpoints.set("c6a1e9d4-2b57-4f38-8d60-7e91b3a5f243", {
        ...{ id: "c6a1e9d4-2b57-4f38-8d60-7e91b3a5f243", serviceId, openApiKeys: [...keysOfOthers] },
        ...{ roles: ["sql_console_admin"], allowedOrigins: "https://team.example" },
      });
    },
  },

  /**
   * A part of the simulated world in which other people have made the entries of a scaling schedule that the program declares.
   */
  schedule: {
    furnish({ store }) {
      const entry = { autoscalingMode: "vertical", minReplicas: 3, maxReplicas: 3 } as const;
      store.scalingSchedules.set("c6a1e9d4-2b57-4f38-8d60-7e91b3a5f244", {
        ...{ id: "c6a1e9d4-2b57-4f38-8d60-7e91b3a5f244", serviceId, updatedAt: moment },
        entries: [
          { ...entry, name: "Sale", weekdays: [5], startHourUtc: 8, endHourUtc: 20 },
          { ...entry, name: "Backup", weekdays: [0, 6], startHourUtc: 1, endHourUtc: 4 },
        ],
      });
    },
  },

  /**
   * A part of the simulated world with further tiles of the adoptable dashboard, with number formats and alerts that others
   * have made in the web page.
   */
  boards: {
    furnish({ store, vocabulary }) {
      const isOfProduct = vocabulary.dialect === "clickhouse";
      const board = store.dashboards.get(adoptable.Dashboard);
      const alert = store.alerts.get(adoptable.Alert) as Alert;
      if (!board) return;
      const tiles = ["Latency", "Rows"].map((name, index) => ({
        ...formattedTile(name, idOf("0", 751 + index), 4 + 4 * index, isOfProduct),
      }));
      store.dashboards.set(board.id, { ...board, tiles: [...board.tiles, ...tiles] });
      const { savedSearch: _, ...condition } = alert;
      for (const [index, tile] of [...board.tiles, ...tiles].entries()) {
        const id = idOf("0", 754 + index);
        const onTile = { source: "tile", dashboard: board.id, tileId: tile.id } as const;
        store.alerts.set(id, { ...condition, ...onTile, id, name: `On ${tile.name}` });
      }
    },
  },

  /** A part of the simulated world with objects of the same names that programs give to their own objects. */
  names: {
    furnish({ store, vocabulary }) {
      const isOfProduct = vocabulary.dialect === "clickhouse";
      for (const [index, name] of ["Errors", "Slow queries", "Rows"].entries())
        store.dashboards.set(
          idOf("0", 761 + index),
          dashboardOf(name, idOf("0", 761 + index), idOf("0", 764 + index), isOfProduct),
        );
      const search = store.savedSearches.get(savedSearchId);
      const id = idOf("0", 767);
      if (search) store.savedSearches.set(id, { ...search, id, name: "Errors", where: "by:hand" });
    },
  },

  /** A part of the simulated world with objects of another stack whose contents equal those that programs declare. */
  stacks: {
    furnish({ store, vocabulary }) {
      const alert = store.alerts.get(adoptable.Alert) as Alert;
      for (const [index, interval] of ["1m", "5m", "1h"].entries()) {
        const id = idOf("0", 771 + index);
        const own = { interval, threshold: index + 1, thresholdType: "above" };
        store.alerts.set(id, { ...alert, ...own, id, name: "Errors", message: "Look at it" });
      }
      const board = dashboardOf(
        "Errors",
        idOf("0", 774),
        idOf("0", 775),
        vocabulary.dialect === "clickhouse",
      );
      store.dashboards.set(board.id, { ...board, tags: ["a"] });
    },
  },

  /**
   * A part of the simulated world with a dashboard in whose tiles the web page has left properties that the API shows but
   * refuses in requests.
   */
  leftovers: {
    furnish({ store, vocabulary }) {
      const isOfProduct = vocabulary.dialect === "clickhouse";
      const { id, tilesOf } = leftoverBoard;
      const board = dashboardOf("Left", id, idOf("0", 782), isOfProduct);
      const tiles = (tilesOf(isOfProduct) as unknown as readonly Tile[]).map((tile, index): Tile => {
        const own = { ...tile, id: idOf("0", 783 + index) };
        const { series = [], config } = tile;
        if (!config) return { ...own, series: series.map((each) => ({ ...each, ...formatted })) };
        const select = (config.select as readonly object[]).map((each) => ({ ...each, level: 0.95 }));
        return shownTile({ ...own, config: { ...config, asRatio: true, ...(index > 0 && { select }) } });
      });
      store.dashboards.set(id, { ...board, tiles });
    },
  },
} as const satisfies { readonly [part: string]: Part };

const formatted = { numberFormat: { output: "percent" } };

/** The dashboard in whose tiles the web page has left properties, and its tiles without these properties. */
export const leftoverBoard = {
  id: idOf("0", 781),
  tilesOf(isOfProduct: boolean): readonly Data[] {
    return ["Counts", "Durations"].map((name, index) => {
      const place = { name, x: 0, y: 4 * index, w: 6, h: 4 };
      const own = index === 0 ? { aggFn: "count" } : { aggFn: "max" };
      if (!isOfProduct) return { ...place, series: [{ type: "number", ...own, where: "" }] };
      const series = { ...own, ...(index > 0 && { valueExpression: "Duration" }) };
      return { ...place, config: { displayType: "line", sourceId, select: [series] } };
    });
  },
};

export type WorldPart = keyof typeof worldParts;

/**
 * The parts (groups of objects that others made) that any simulated history may have. The part `leftovers` needs a history of
 * its own.
 */
export const drawnParts = ["endpoint", "schedule", "boards", "names", "stacks"] as const;

export function furnishWith(parts: readonly WorldPart[], model: Model): void {
  for (const part of parts) worldParts[part].furnish(model);
}

export function setByOthers(parts: readonly WorldPart[]): (readonly [string, readonly string[]])[] {
  return parts.flatMap((name) => Object.entries((worldParts[name] as Part).set ?? {}));
}

function formattedTile(name: string, id: string, y: number, isOfProduct: boolean): Tile {
  const { series: _, config: __, ...place } = tileOf(name, id, y, false);
  const own = { type: "number", aggFn: "max", where: "by:hand", field: "Duration", sourceId };
  const tile = { ...place, series: [{ ...own, ...formatted }] };
  return isOfProduct ? shownTile(tile) : tile;
}
