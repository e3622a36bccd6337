import type { ResultOf } from "../lifecycle/function";
import { pick } from "../values/data";
import { Type } from "../values/schemaBuilders";
import { listing } from "./listing";

const tileSummarySchema = Type.Object({
  /** Id of the tile. */
  id: Type.String(),
  /** Name of the tile. */
  name: Type.String(),
  /** Column of the left edge on the grid. */
  x: Type.Number(),
  /** Row of the upper edge on the grid. */
  y: Type.Number(),
  /** Width in columns. */
  w: Type.Number(),
  /** Height in rows. */
  h: Type.Number(),
});

/** A tile in the service. */
export interface TileSummary extends ResultOf<typeof tileSummarySchema> {
  readonly [member: string]: unknown;
}

const dashboardSummarySchema = Type.Object({
  /** Id of the dashboard. */
  id: Type.String(),
  /** Name of the dashboard. */
  name: Type.String(),
  /** The tiles, in the shape in which the service answers: with `series`, or with `config` on newer servers. */
  tiles: Type.Optional(Type.Array(tileSummarySchema)),
  /** Tags of the dashboard. */
  tags: Type.Optional(Type.Array(Type.String())),
});

/** A dashboard in the service (API document: "Dashboard (observability API)"). */
export interface DashboardSummary extends ResultOf<typeof dashboardSummarySchema> {}

const alertSummarySchema = Type.Object({
  /** Id of the alert. */
  id: Type.String(),
  /** Name of the alert. */
  name: Type.Optional(Type.String()),
  /** Text that the alert sends. */
  message: Type.Optional(Type.String()),
  /** Threshold of the alert. */
  threshold: Type.Optional(Type.Number()),
  /** How often the value is evaluated: a count and a unit, such as `5m`. */
  interval: Type.Optional(Type.String()),
  /** `above` or `below`: on which side of the threshold the alert fires. */
  thresholdType: Type.Optional(Type.String()),
  /** `tile` or `search`: where the value comes from. */
  source: Type.Optional(Type.String()),
  /** State of the alert, as the service reports it. */
  state: Type.Optional(Type.String()),
  /** Where the alert is sent. */
  channel: Type.Optional(
    Type.Object({
      /** Kind of channel, such as `webhook`. */
      type: Type.Optional(Type.String()),
      /** Id of the webhook. */
      webhookId: Type.Optional(Type.String()),
    }),
  ),
  /** The tile, where `source` is `tile`. */
  tileId: Type.Optional(Type.String()),
  /** Id of the tile's dashboard. */
  dashboardId: Type.Optional(Type.String()),
  /** The same id, under the name that some servers use. */
  dashboard: Type.Optional(Type.String()),
});

/** An alert in the service (API document: "Alert (observability API)"). */
export interface AlertSummary extends ResultOf<typeof alertSummarySchema> {
  readonly [member: string]: unknown;
}

export const getDashboards = listing<DashboardSummary>(
  "getDashboards",
  "listDashboards",
  dashboardSummarySchema,
);

// A server has one of the two names, and a program should work with either.
export const getAlerts = listing<AlertSummary>(
  "getAlerts",
  "listAlerts",
  alertSummarySchema,
  ({ dashboardId, dashboard, ...alert }) => ({
    ...alert,
    ...pick({ dashboardId: dashboardId ?? dashboard, dashboard: dashboard ?? dashboardId }, [
      "dashboardId",
      "dashboard",
    ]),
  }),
);
