import { describeAlert, readDashboards } from "../../../drawing";
import type { Row } from "../../core/kinds";
import type { ConsoleSnapshot } from "../../http/console/snapshot";
import { KindList, kindNamed, stateColumn } from "../kinds";
import type { Column } from "../table";
import type { ViewProps } from "../viewProps";

export type AlertRecord = ConsoleSnapshot["alerts"][number];

const columns: readonly Column<AlertRecord>[] = [
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
];

export function Alerts({ snapshot, serviceId }: ViewProps) {
  return (
    <KindList
      kind={kindNamed(snapshot, "alerts")}
      columns={[stateColumn, ...(columns as unknown as readonly Column<Row>[])]}
      sample={newAlert(snapshot, serviceId)}
      {...{ snapshot, serviceId }}
    />
  );
}

/** Makes the JSON of a new alert on the first tile of a service that can have one; undefined without such a tile. */
function newAlert({ dashboards, webhooks }: ConsoleSnapshot, serviceId: string) {
  const types = ["time", "line", "stacked_bar", "stacked_line", "number"];
  const isHere = (record: { readonly serviceId: string }) => record.serviceId === serviceId;
  const [watched] = dashboards
    .filter(isHere)
    .flatMap(({ id: dashboardId, tiles }) =>
      tiles
        .filter(({ series, config }) => types.includes(String(config?.displayType ?? series?.[0]?.type)))
        .map((tile) => ({ dashboardId, tileId: tile.id })),
    );
  if (!watched) return undefined;
  return {
    ...{ name: "Too many errors", source: "tile", ...watched },
    ...{ threshold: 100, thresholdType: "above", interval: "5m" },
    channel: { type: "webhook", webhookId: webhooks.find(isHere)?.id },
  };
}

/** Describes the condition of an alert in words, as drawn dashboards do. */
function conditionOf(alert: AlertRecord): string {
  const [read] = readDashboards({
    dashboards: [],
    alerts: [{ ...alert, name: undefined, state: undefined }],
  }).alerts;
  return read ? describeAlert({ ...read, subject: undefined }) : "";
}
