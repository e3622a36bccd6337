import { isRange } from "../core/vocabulary";
import type { ConsoleSnapshot } from "../http/console/snapshot";
import { type Form, type FormOf, newest } from "./dialog";
import type { Field } from "./fields";
import { change } from "./requests";

export type AlertRecord = ConsoleSnapshot["alerts"][number];

const intervals = ["1m", "5m", "15m", "30m", "1h", "6h", "12h", "1d"];

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

/** The form of an alert that does not exist yet, on one of the tiles. */
export function newAlertForm(snapshot: ConsoleSnapshot, serviceId: string): Form {
  const tiles = tilesWithAlerts(snapshot, serviceId);
  const webhooks = snapshot.webhooks
    .filter((webhook) => webhook.serviceId === serviceId)
    .map(({ id, name }) => ({ value: id, label: name }));
  return {
    title: "New alert",
    fields: [
      { name: "tile", label: "Watches", kind: "select", value: tiles[0]?.value ?? "", options: tiles },
      nameField("Too many errors"),
      { name: "threshold", label: "Threshold", kind: "number", step: "any", value: 100 },
      typeField(
        "above",
        snapshot.thresholdTypes.filter((type) => !isRange(type)),
      ),
      intervalField("5m"),
      {
        name: "webhookId",
        label: "Notifies",
        kind: "select",
        value: webhooks[0]?.value ?? "",
        options: webhooks,
      },
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

function nameField(value: string): Field {
  return { name: "name", label: "Name", kind: "text", value };
}

function typeField(value: string, options: readonly string[]): Field {
  return { name: "thresholdType", label: "Fires when the value is", kind: "select", value, options };
}

function intervalField(value: string): Field {
  return { name: "interval", label: "Evaluated every", kind: "select", value, options: intervals };
}

/** The form of an alert. */
export function alertForm(record: AlertRecord): FormOf {
  return (snapshot) => formOf(newest(snapshot.alerts, record), snapshot);
}

function formOf(alert: AlertRecord, snapshot: ConsoleSnapshot): Form {
  const path = `/services/${alert.serviceId}/alerts/${alert.id}`;
  const { threshold, thresholdMax, thresholdType, interval } = alert;
  return {
    title: `Alert ${alert.name ?? "(unnamed)"}`,
    fields: [
      nameField(alert.name ?? ""),
      { name: "threshold", label: "Threshold", kind: "number", step: "any", value: threshold },
      ...(thresholdMax === undefined
        ? []
        : [
            {
              name: "thresholdMax",
              label: "Upper threshold",
              kind: "number",
              step: "any",
              value: thresholdMax,
            } as const,
          ]),
      typeField(
        thresholdType,
        thresholdMax === undefined
          ? snapshot.thresholdTypes.filter((type) => !isRange(type))
          : snapshot.thresholdTypes,
      ),
      intervalField(interval),
      { name: "message", label: "Message", kind: "text", value: alert.message ?? "" },
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
  const { source, dashboard, tileId, savedSearch, groupBy, note, numConsecutiveWindows, channel } = alert;
  return {
    source: source === "search" ? search : source,
    dashboardId: dashboard,
    tileId,
    savedSearchId: savedSearch,
    groupBy,
    note,
    numConsecutiveWindows,
    channel,
    channels: alert.channels,
  };
}
