import type * as pulumi from "@pulumi/pulumi";
import {
  type dashboardInputs,
  type dashboardOutputs,
  dashboardResource,
} from "../../resources/dashboard/dashboard";
import { managedResource } from "./managedResource";
import {
  checkedTileIds,
  type DeclaredNames,
  declaredNames,
  type TileReference,
  tileIdOf,
  tileReferences,
  type Watch,
  watchOf,
} from "./tileIds";
import type { InputsOf, OutputsOf } from "./types";

/** Arguments of a {@link Dashboard}. */
export interface DashboardArgs extends InputsOf<typeof dashboardInputs> {}

export interface Dashboard extends OutputsOf<typeof dashboardInputs, typeof dashboardOutputs> {}

/**
 * A dashboard with its tiles.
 *
 * Tiles keep their ids, and so their alerts, through updates: a declared tile is matched with an existing one by its `id`, else
 * by its name, else by its position if both show the same. Any other declared tile is new. If an existing tile is removed, the
 * program's alerts on it are replaced. Overlapping tiles cause a warning.
 *
 * A change of `organizationId` or `serviceId` replaces the dashboard, everything else is updated in place. `tags` that are
 * taken out of the program are cleared. Deleting a dashboard deletes its alerts in the service.
 * @example
 * ```typescript
 * const sourceId = pipestack.getSourceOutput({ kind: "log" }).id;
 * const dashboard = new pipestack.Dashboard("ingestion", {
 *   name: "Ingestion",
 *   tags: ["production"],
 *   tiles: [
 *     { name: "Errors", x: 0, y: 0, w: 12, h: 4, config: { displayType: "line", sourceId, groupBy: "ServiceName", select: [{ aggFn: "count", where: "SeverityText:error" }] } },
 *     { name: "Rows", x: 12, y: 0, w: 6, h: 4, config: { displayType: "number", sourceId, select: [{ aggFn: "count" }] } },
 *   ],
 * });
 * export const errorsTile = dashboard.tileIds["Errors"];
 * ```
 * @see "Dashboard (observability API)", "Update dashboard body" in the API document
 */
export class Dashboard extends managedResource<DashboardArgs>(dashboardResource) {
  readonly #name: string;
  readonly #names: DeclaredNames | undefined;
  readonly #tileIds: Dashboard["tileIds"];
  /**
   * The names of the tiles after this update. If the engine skips the dashboard (`--target`), they are those of the last
   * update.
   */
  readonly #applied: DeclaredNames | undefined;
  readonly #watch: Watch | undefined;

  constructor(name: string, args: DashboardArgs, opts?: pulumi.CustomResourceOptions) {
    const names = args?.tiles === undefined ? undefined : declaredNames(args.tiles);
    super(name, args, opts);
    this.#name = name;
    this.#names = names;
    this.#tileIds = (names && tileReferences(this.urn, names)) ?? this.tileIds;
    this.#applied = names && declaredNames(this.tiles);
    if (!names) return;
    this.#watch = watchOf(name, args.tiles, names);
    const tileIds = checkedTileIds(this.#tileIds, name, names, this.#applied, this.#watch);
    Object.assign(this, { tileIds });
  }

  /**
   * The inputs with which an alert watches the tile of a name: `source`, `dashboardId` and `tileId`.
   * @example
   * ```typescript
   * const dashboard = pipestack.Dashboard.get("ingestion", "66f0c2d8a1b2c3d4e5f60719");
   * new pipestack.Alert("errors", { ...dashboard.tile("Errors"), threshold: 10, thresholdType: "above", interval: "5m" });
   * ```
   * @param name name of one tile of the dashboard. The program fails, in the preview already, if no tile has it, or several
   * @returns outputs, unknown in the preview of a new dashboard
   */
  tile(name: string): TileReference {
    const tileId = tileIdOf(this.#tileIds, this.#name, name, this.#names, this.#applied);
    return { source: "tile", dashboardId: this.id, tileId: this.#watch?.(tileId, name) ?? tileId };
  }
}
