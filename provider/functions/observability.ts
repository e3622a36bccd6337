import { alertInputs, alertOutputs } from "../resources/alert/alertInputs";
import { dashboardInputs } from "../resources/dashboard/dashboard";
import { type DashboardTile, dashboardTile } from "../resources/tiles/tile";
import { pick } from "../values/data";
import { Type } from "../values/schemaBuilders";
import { type Answered, answered, answeredObject } from "./answered";
import type { Immutable, ResultOf } from "./definition";
import { listing } from "./listing";

const tileSummarySchema = Type.Object({
  /** Id of the tile. */
  id: Type.String(),
  /** Column of the tile's left edge on the dashboard's grid, 0 to 23. */
  x: Type.Number({ isWhole: true }),
  /** Row of the tile's upper edge on the dashboard's grid, from 0. */
  y: Type.Number({ isWhole: true }),
  /** Width of the tile in columns of the dashboard's grid. */
  w: Type.Number({ isWhole: true }),
  /** Height in rows. */
  h: Type.Number({ isWhole: true }),
});

const { row, ...shownOfTile } = dashboardTile.properties;

/** A tile of a dashboard, as the service answers it. */
export interface TileSummary
  extends ResultOf<typeof tileSummarySchema>,
    Immutable<Omit<DashboardTile, "row" | keyof ResultOf<typeof tileSummarySchema>>> {
  readonly [member: string]: unknown;
}

const dashboardSummarySchema = Type.Object({
  /** Id of the dashboard. */
  id: Type.String(),
  /** Name of the dashboard. */
  name: Type.String(),
  /** The tiles of the dashboard, in the shape that the service answers: `series`, or `config` on newer servers. */
  tiles: Type.Optional(
    Type.Array(Type.Unsafe<TileSummary>(Type.Object({ ...shownOfTile, ...tileSummarySchema.properties }))),
  ),
});

/**
 * A dashboard in the service.
 * @see "Dashboard (observability API)" in the API document
 */
export interface DashboardSummary
  extends ResultOf<typeof dashboardSummarySchema>,
    Answered<typeof dashboardInputs, "defaults" | "name" | "tiles"> {}

const alertSummarySchema = Type.Object({
  /** Id of the alert. */
  id: Type.String(),
  /** Id of the dashboard that has the alert's tile, under the name that some servers use. */
  dashboard: Type.Optional(Type.String()),
  /**
   * Label of the alert in lists: its own label, or else one made of its tile or search. HyperDX shows it from version 2.38 on.
   */
  displayName: Type.Optional(Type.String()),
  /**
   * Tags of the alert: its own tags, or else those of its saved search or dashboard. HyperDX shows them from version 2.38 on.
   */
  tags: Type.Optional(Type.Array(Type.String())),
});

/**
 * An alert in the service.
 * @see "Alert (observability API)" in the API document
 */
export interface AlertSummary
  extends ResultOf<typeof alertSummarySchema>,
    Answered<typeof alertInputs, "chartConfig">,
    Answered<typeof alertOutputs, "url"> {
  readonly [member: string]: unknown;
}

/**
 * The dashboards of a service.
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 * @example
 * ```typescript
 * export const names = pipestack.getDashboards().then((dashboards) => dashboards.map(({ name }) => name));
 * ```
 * @see "Dashboard (observability API)" in the API document
 */
export const getDashboards = listing<DashboardSummary>(
  "getDashboards",
  "listDashboards",
  answeredObject(dashboardSummarySchema, dashboardInputs),
);

// The API's lists of alerts leave out the charts of inline alerts, so the results of `getAlerts` have no `chartConfig`.
const { chartConfig, ...listedInputs } = answered(alertInputs);

/**
 * The alerts of a service.
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 * @example
 * ```typescript
 * export const firing = pipestack.getAlerts().then((alerts) => alerts.filter(({ state }) => state === "ALERT").length);
 * ```
 * @see "Alert (observability API)" in the API document
 */
export const getAlerts = listing<AlertSummary>(
  "getAlerts",
  "listAlerts",
  Type.Object({ ...listedInputs, ...answered(alertOutputs), ...alertSummarySchema.properties }),
  // A server answers the id of an alert's dashboard under one of two names; the function's result has both names.
  ({ dashboardId, dashboard, ...alert }) => ({
    ...alert,
    ...pick({ dashboardId: dashboardId ?? dashboard, dashboard: dashboard ?? dashboardId }, [
      "dashboardId",
      "dashboard",
    ]),
  }),
);
