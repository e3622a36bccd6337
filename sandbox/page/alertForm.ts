import type { ConsoleSnapshot } from "../src/console/snapshot";
import { isRange } from "../src/vocabulary";
import type { Form } from "./dialog";
import { change } from "./requests";

export type AlertRecord = ConsoleSnapshot["alerts"][number];

const intervals = ["1m", "5m", "15m", "30m", "1h", "6h", "12h", "1d"];

/** The form of an alert. */
export function alertForm(alert: AlertRecord, snapshot: ConsoleSnapshot): Form {
  const path = `/services/${alert.serviceId}/alerts/${alert.id}`;
  const { threshold, thresholdMax, thresholdType, interval } = alert;
  return {
    title: `Alert ${alert.name ?? "(unnamed)"}`,
    fields: [
      { name: "name", label: "Name", kind: "text", value: alert.name ?? "" },
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
      {
        name: "thresholdType",
        label: "Fires when the value is",
        kind: "select",
        value: thresholdType,
        options:
          thresholdMax === undefined
            ? snapshot.thresholdTypes.filter((type) => !isRange(type))
            : snapshot.thresholdTypes,
      },
      { name: "interval", label: "Evaluated every", kind: "select", value: interval, options: intervals },
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
