import { isRange } from "../core/vocabulary";
import type { ConsoleSnapshot } from "../http/console/snapshot";
import { type Form, type FormOf, newest } from "./dialog";
import { choice, numberField, textField } from "./fields";
import { choicesOf } from "./records";
import { change } from "./requests";

export type AlertRecord = ConsoleSnapshot["alerts"][number];

const nameField = (value: string) => textField("name", "Name", value);
const thresholdField = (value: number) => numberField("threshold", "Threshold", value, { step: "any" });
const typeField = (options: readonly string[], value: string) =>
  choice("thresholdType", "Fires when the value is", options, value);
const intervalField = (value: string) =>
  choice("interval", "Evaluated every", ["1m", "5m", "15m", "30m", "1h", "6h", "12h", "1d"], value);

/** The threshold types with one bound. */
const simpleTypes = ({ thresholdTypes }: ConsoleSnapshot) => thresholdTypes.filter((type) => !isRange(type));

/** The tiles of a service that can have an alert, as the values and labels of a select. */
export function tilesWithAlerts({ dashboards }: ConsoleSnapshot, serviceId: string) {
  return dashboards
    .filter((dashboard) => dashboard.serviceId === serviceId)
    .flatMap(({ id, name, tiles }) =>
      tiles
        .filter(({ series, config }) =>
          ["time", "line", "stacked_bar", "number"].includes(
            String(config?.displayType ?? series?.[0]?.type),
          ),
        )
        .map((tile) => ({ value: `${id} ${tile.id}`, label: `${name} › ${tile.name}` })),
    );
}

/** The form of an alert that does not exist yet, on one of the tiles; undefined if there is none. */
export function newAlertForm(snapshot: ConsoleSnapshot, serviceId: string): Form | undefined {
  const tiles = tilesWithAlerts(snapshot, serviceId);
  if (tiles.length === 0) return undefined;
  return {
    title: "New alert",
    fields: [
      choice("tile", "Watches", tiles),
      nameField("Too many errors"),
      thresholdField(100),
      typeField(simpleTypes(snapshot), "above"),
      intervalField("5m"),
      choice("webhookId", "Notifies", choicesOf(snapshot.webhooks, serviceId)),
    ],
    save({ tile, webhookId, ...values }) {
      const [dashboardId, tileId] = String(tile).split(" ");
      const channel = { type: "webhook", webhookId };
      return change("POST", `/services/${serviceId}/alerts`, {
        ...values,
        ...{ source: "tile", dashboardId, tileId, channel },
      });
    },
  };
}

/** The form of an alert that is shown elsewhere. */
export function alertForm(record: AlertRecord): FormOf {
  return (snapshot) => formOfAlert(newest(snapshot.alerts, record), snapshot);
}

export function formOfAlert(alert: AlertRecord, snapshot: ConsoleSnapshot): Form {
  const path = `/services/${alert.serviceId}/alerts/${alert.id}`;
  const { threshold, thresholdMax, thresholdType, interval } = alert;
  const isSimple = thresholdMax === undefined;
  return {
    title: `Alert ${alert.name ?? "(unnamed)"}`,
    fields: [
      nameField(alert.name ?? ""),
      thresholdField(threshold),
      ...(isSimple ? [] : [numberField("thresholdMax", "Upper threshold", thresholdMax, { step: "any" })]),
      typeField(isSimple ? simpleTypes(snapshot) : snapshot.thresholdTypes, thresholdType),
      intervalField(interval),
      textField("message", "Message", alert.message ?? ""),
    ],
    // An update without a name or message removes it.
    save: ({ name, message, ...values }) =>
      change("PUT", path, {
        ...keptMembers(alert, snapshot.search),
        ...values,
        name: name || null,
        message: message || null,
      }),
    removal: {
      label: "Delete alert",
      question: "Its channels will no longer be notified.",
      run: () => change("DELETE", path),
    },
  };
}

/** What an update of the product removes or refuses if it is omitted. */
function keptMembers(alert: AlertRecord, search: string): object {
  const { source, tileId, groupBy, note, numConsecutiveWindows, channel, channels } = alert;
  return {
    ...{ tileId, groupBy, note, numConsecutiveWindows, channel, channels },
    source: source === "search" ? search : source,
    dashboardId: alert.dashboard,
    savedSearchId: alert.savedSearch,
  };
}
