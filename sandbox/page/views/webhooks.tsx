import type { ConsoleSnapshot } from "../../http/console/snapshot";
import { choice, textField } from "../fields";
import { nameColumn, type RecordView } from "../records";
import { change } from "../requests";

/** The webhooks of the service, without their addresses, and the alerts that each receives. */
export const webhooks: RecordView<ConsoleSnapshot["webhooks"][number]> = {
  title: "Webhooks",
  noun: "webhook",
  note: "Whoever knows the address of a webhook may send messages there, so it is not shown.",
  rows: ({ webhooks }) => webhooks,
  columns: [
    nameColumn,
    { heading: "Service", cell: ({ service }) => service },
    { heading: "Description", cell: ({ description }) => <span dir="auto">{description || "none"}</span> },
    {
      heading: "Alerts",
      isNumber: true,
      cell: ({ id }, { alerts }) =>
        alerts.filter(({ channel, channels = [channel] }) => channels.some((one) => one.webhookId === id))
          .length,
    },
  ],
  create: (_snapshot, serviceId) => ({
    title: "New webhook",
    fields: [
      textField("name", "Name", "", { required: true }),
      choice("service", "Service", ["slack", "incidentio", "generic"], "generic"),
      textField("url", "Address", "https://", { required: true }),
    ],
    save: (values) => change("POST", `/services/${serviceId}/webhooks`, values),
  }),
  form: ({ id, serviceId, name }) => ({
    title: `Webhook ${name}`,
    fields: [],
    removal: {
      label: "Delete webhook",
      question: "The service refuses while it is the first channel of an alert.",
      run: () => change("DELETE", `/services/${serviceId}/webhooks/${id}`),
    },
  }),
};
