import { describeAlert, readDashboards } from "../../../drawing";
import { type AlertRecord, alertForm } from "../alertForm";
import type { ViewProps } from "../app";
import { useOpenForm } from "../dialog";
import { type Column, Empty, State, Table } from "../table";

/** The alerts of the service: what each watches, when it fires, whom it tells. */
export function Alerts({ view, serviceId }: ViewProps) {
  const open = useOpenForm();
  const alerts = view.alerts.filter((alert) => alert.serviceId === serviceId);
  const dashboardOf = (alert: AlertRecord) => view.dashboards.find(({ id }) => id === alert.dashboard);
  const columns: Column<AlertRecord>[] = [
    { heading: "Name", cell: ({ name }) => <strong dir="auto">{name ?? "(no name)"}</strong> },
    {
      heading: "State",
      cell: ({ state }) => <State tone={state.toLowerCase() === "alert" ? "bad" : "plain"}>{state}</State>,
    },
    {
      heading: "Watches",
      cell: (alert) => {
        const dashboard = dashboardOf(alert);
        const tile = dashboard?.tiles.find(({ id }) => id === alert.tileId);
        return dashboard ? (
          <a href={`#/dashboards/${dashboard.id}`} dir="auto">
            {dashboard.name} › {tile?.name ?? "a tile that is gone"}
          </a>
        ) : (
          "a saved search"
        );
      },
    },
    { heading: "Fires", cell: conditionOf },
    {
      heading: "Tells",
      cell: ({ channel, channels = [channel] }) =>
        channels
          .map(({ type, webhookId }) => view.webhooks.find(({ id }) => id === webhookId)?.name ?? type)
          .join(", "),
    },
    {
      heading: "",
      cell: (alert) => (
        <button type="button" onClick={() => open(alertForm(alert, view))}>
          Change<span class="hidden"> alert {alert.name}</span>
        </button>
      ),
    },
  ];
  return (
    <>
      <h1>Alerts</h1>
      {alerts.length === 0 ? (
        <Empty>This service has no alerts. A program declares one on a tile of a dashboard.</Empty>
      ) : (
        <Table label="Alerts" columns={columns} rows={alerts} />
      )}
    </>
  );
}

/** When it fires, in the words of the drawings. */
function conditionOf(alert: AlertRecord): string {
  const [read] = readDashboards({
    dashboards: [],
    alerts: [{ ...alert, name: undefined, state: undefined }],
  }).alerts;
  return read ? describeAlert({ ...read, subject: undefined }) : "";
}
