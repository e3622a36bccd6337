import type { ConsoleSnapshot } from "../../http/console/snapshot";
import { choice, textField } from "../fields";
import { nameColumn, type RecordView, usersColumn } from "../records";

export const webhooks: RecordView<ConsoleSnapshot["webhooks"][number]> = {
  title: "Webhooks",
  noun: "webhook",
  note: "Whoever knows the address of a webhook may send messages there, so it is not shown.",
  path: "webhooks",
  rows: ({ webhooks }) => webhooks,
  columns: [
    nameColumn,
    "service",
    "description",
    usersColumn(
      "Alerts",
      ({ alerts }) => alerts,
      ({ channel, channels = [channel] }, { id }) => channels.some(({ webhookId }) => webhookId === id),
    ),
  ],
  newFields: () => [
    textField("name", "Name", "", { required: true }),
    choice("service", "Service", ["slack", "incidentio", "generic"], "generic"),
    textField("url", "Address", "https://", { required: true }),
  ],
  question: "The service refuses while it is the first channel of an alert.",
};
