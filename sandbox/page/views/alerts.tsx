import { describeAlert, readDashboards } from "../../../drawing";
import { type AlertRecord, formOfAlert, newAlertForm, tilesWithAlerts } from "../alertForm";
import { nameColumn, type RecordView } from "../records";
import { State } from "../table";

/** The alerts of the service: what each watches, when it fires, whom it notifies. */
export const alerts: RecordView<AlertRecord> = {
  title: "Alerts",
  noun: "alert",
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
  create: newAlertForm,
  form: formOfAlert,
};

/** When it fires, as drawings describe it. */
function conditionOf(alert: AlertRecord): string {
  const [read] = readDashboards({
    dashboards: [],
    alerts: [{ ...alert, name: undefined, state: undefined }],
  }).alerts;
  return read ? describeAlert({ ...read, subject: undefined }) : "";
}
