import { describeAlert, readDashboards } from "../../../drawing";
import { isRange } from "../../core/vocabulary";
import type { ConsoleSnapshot } from "../../http/console/snapshot";
import { choice, numberField, textField } from "../fields";
import { choicesOf, nameColumn, type RecordView } from "../records";
import { State } from "../table";

export type AlertRecord = ConsoleSnapshot["alerts"][number];

const thresholdField = (value: number) => numberField("threshold", "Threshold", value, { step: "any" });
const typeField = (options: readonly string[], value: string) =>
  choice("thresholdType", "Fires when the value is", options, value);
const intervalField = (value: string) =>
  choice("interval", "Evaluated every", ["30s", "1m", "5m", "15m", "30m", "1h", "6h", "12h", "1d"], value);

const simpleTypes = ({ thresholdTypes }: ConsoleSnapshot) => thresholdTypes.filter((type) => !isRange(type));

export const alerts: RecordView<AlertRecord> = {
  title: "Alerts",
  noun: "alert",
  path: "alerts",
  rows: ({ alerts }) => alerts,
  columns: [
    nameColumn,
    {
      heading: "State",
      cell: ({ state }) => <State tone={state.toLowerCase() === "alert" ? "bad" : "plain"}>{state}</State>,
    },
    {
      heading: "Watches",
      cell(alert, { dashboards, savedSearches }) {
        const dashboard = dashboards.find(({ id }) => id === alert.dashboard);
        const tile = dashboard?.tiles.find(({ id }) => id === alert.tileId);
        const search = savedSearches.find(({ id }) => id === alert.savedSearch);
        const chart = alert.chartConfig && `chart ${alert.chartConfig.name ?? "of its own"}`;
        return dashboard ? (
          <a href={`#/dashboards/${dashboard.id}`} dir="auto">
            {dashboard.name} › {tile?.name ?? "deleted tile"}
          </a>
        ) : (
          <span dir="auto">{chart ?? (search ? `search ${search.name}` : "saved search")}</span>
        );
      },
    },
    { heading: "Fires", cell: conditionOf },
    {
      heading: "Notifies",
      cell: ({ channel, channels = [channel] }, { webhooks }) =>
        channels
          .map(({ type, webhookId }) => webhooks.find(({ id }) => id === webhookId)?.name ?? type)
          .join(", "),
    },
  ],
  empty: (snapshot, serviceId) =>
    tilesWithAlerts(snapshot, serviceId).length > 0
      ? "This service has no alerts. Declare one on a tile of a dashboard."
      : "This service has no alerts. One needs a dashboard with a tile.",
  newFields(snapshot, serviceId) {
    const tiles = tilesWithAlerts(snapshot, serviceId);
    if (tiles.length === 0) return undefined;
    return [
      choice("tile", "Watches", tiles),
      textField("name", "Name", "Too many errors"),
      thresholdField(100),
      typeField(simpleTypes(snapshot), "above"),
      intervalField("5m"),
      choice("webhookId", "Notifies", choicesOf(snapshot.webhooks, serviceId)),
    ];
  },
  fields({ name, threshold, thresholdMax, thresholdType, interval, message }, snapshot) {
    const isSimple = thresholdMax === undefined;
    return [
      textField("name", "Name", name ?? ""),
      thresholdField(threshold),
      ...(isSimple ? [] : [numberField("thresholdMax", "Upper threshold", thresholdMax, { step: "any" })]),
      typeField(isSimple ? simpleTypes(snapshot) : snapshot.thresholdTypes, thresholdType),
      intervalField(interval),
      textField("message", "Message", message ?? ""),
    ];
  },
  bodyOf({ tile, webhookId, ...values }, { search }, alert) {
    const [dashboardId, tileId] = String(tile).split(" ");
    if (!alert)
      return { ...values, source: "tile", dashboardId, tileId, channel: { type: "webhook", webhookId } };
    // An update of an alert clears properties that its body omits, and ClickHouse Cloud even refuses the omission of some. So
    // the console's form also sends the properties that nobody has changed.
    const { source, dashboard, savedSearch, groupBy, note, numConsecutiveWindows, channel, channels } = alert;
    const { chartConfig, displayName, tags } = alert;
    return {
      ...{
        chartConfig,
        displayName,
        tags,
        groupBy,
        note,
        numConsecutiveWindows,
        channel,
        channels,
        tileId: alert.tileId,
      },
      ...{
        dashboardId: dashboard,
        savedSearchId: savedSearch,
        source: source === "search" ? search : source,
      },
      ...values,
      name: values.name || null,
      message: values.message || null,
    };
  },
  question: "Its channels will no longer be notified.",
};

/** Lists the tiles of a service that can have an alert, as the values and labels of a select field. */
function tilesWithAlerts({ dashboards }: ConsoleSnapshot, serviceId: string) {
  const types = ["time", "line", "stacked_bar", "stacked_line", "number"];
  return dashboards
    .filter((dashboard) => dashboard.serviceId === serviceId)
    .flatMap(({ id, name, tiles }) =>
      tiles
        .filter(({ series, config }) => types.includes(String(config?.displayType ?? series?.[0]?.type)))
        .map((tile) => ({ value: `${id} ${tile.id}`, label: `${name} › ${tile.name}` })),
    );
}

/** Describes the condition of an alert in words, as drawn dashboards do. */
function conditionOf(alert: AlertRecord): string {
  const [read] = readDashboards({
    dashboards: [],
    alerts: [{ ...alert, name: undefined, state: undefined }],
  }).alerts;
  return read ? describeAlert({ ...read, subject: undefined }) : "";
}
