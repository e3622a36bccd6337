import type { ConsoleView } from "../src/console/view";
import { isRange } from "../src/words";
import type { Form } from "./dialog";
import { change } from "./requests";

export type AlertRecord = ConsoleView["alerts"][number];

const intervals = ["1m", "5m", "15m", "30m", "1h", "6h", "12h", "1d"];

/** What can be changed of an alert. */
export function alertForm(alert: AlertRecord, view: ConsoleView): Form {
  const path = `/services/${alert.serviceId}/alerts/${alert.id}`;
  const { threshold, thresholdMax, thresholdType, interval } = alert;
  return {
    title: `Alert ${alert.name ?? "without a name"}`,
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
            ? view.thresholdTypes.filter((type) => !isRange(type))
            : view.thresholdTypes,
      },
      { name: "interval", label: "Looks every", kind: "select", value: interval, options: intervals },
      { name: "message", label: "Message", kind: "text", value: alert.message ?? "" },
    ],
    // The service takes an absent name or message for none.
    save: ({ name, message, ...values }) =>
      change("PUT", path, { ...values, name: name || null, message: message || null }),
    removal: {
      label: "Delete alert",
      question: "Nobody is told any more when its value is out of bounds.",
      run: () => change("DELETE", path),
    },
  };
}
