import { describeAlert, readDashboards } from "../../../drawing";
import { type AlertRecord, alertForm, newAlertForm, tilesWithAlerts } from "../alertForm";
import { useOpenForm } from "../dialog";
import { type Column, Empty, State, Table } from "../table";
import type { ViewProps } from "../viewProps";

/** The alerts of the service: what each watches, when it fires, whom it notifies. */
export function Alerts({ snapshot, serviceId }: ViewProps) {
  const open = useOpenForm();
  const alerts = snapshot.alerts.filter((alert) => alert.serviceId === serviceId);
  const dashboardOf = (alert: AlertRecord) => snapshot.dashboards.find(({ id }) => id === alert.dashboard);
  const columns: Column<AlertRecord>[] = [
    { heading: "Name", cell: ({ name }) => <strong dir="auto">{name ?? "(unnamed)"}</strong> },
    {
      heading: "State",
      cell: ({ state }) => <State tone={state.toLowerCase() === "alert" ? "bad" : "plain"}>{state}</State>,
    },
    {
      heading: "Watches",
      cell: (alert) => {
        const dashboard = dashboardOf(alert);
        const tile = dashboard?.tiles.find(({ id }) => id === alert.tileId);
        const search = snapshot.savedSearches.find(({ id }) => id === alert.savedSearch);
        return dashboard ? (
          <a href={`#/dashboards/${dashboard.id}`} dir="auto">
            {dashboard.name} › {tile?.name ?? "deleted tile"}
          </a>
        ) : (
          <span dir="auto">{search ? `search ${search.name}` : "saved search"}</span>
        );
      },
    },
    { heading: "Fires", cell: conditionOf },
    {
      heading: "Notifies",
      cell: ({ channel, channels = [channel] }) =>
        channels
          .map(({ type, webhookId }) => snapshot.webhooks.find(({ id }) => id === webhookId)?.name ?? type)
          .join(", "),
    },
    {
      heading: "",
      cell: (alert) => (
        <button type="button" onClick={() => open(alertForm(alert))}>
          Edit<span class="hidden"> alert {alert.name}</span>
        </button>
      ),
    },
  ];
  const canHaveAlerts = tilesWithAlerts(snapshot, serviceId).length > 0;
  return (
    <>
      <div class="title">
        <h1>Alerts</h1>
        {canHaveAlerts && (
          <button type="button" onClick={() => open((now) => newAlertForm(now, serviceId))}>
            New alert
          </button>
        )}
      </div>
      {alerts.length === 0 ? (
        <Empty>
          This service has no alerts.{" "}
          {canHaveAlerts ? "Declare one on a tile of a dashboard." : "One needs a dashboard with a tile."}
        </Empty>
      ) : (
        <Table label="Alerts" columns={columns} rows={alerts} />
      )}
    </>
  );
}

/** When it fires, as drawings describe it. */
function conditionOf(alert: AlertRecord): string {
  const [read] = readDashboards({
    dashboards: [],
    alerts: [{ ...alert, name: undefined, state: undefined }],
  }).alerts;
  return read ? describeAlert({ ...read, subject: undefined }) : "";
}
