import type { ConsoleSnapshot } from "../../http/console/snapshot";
import { type Form, useOpenForm } from "../dialog";
import { change } from "../requests";
import { type Column, Empty, Table } from "../table";
import type { ViewProps } from "../viewProps";

type Webhook = ConsoleSnapshot["webhooks"][number];

/** The webhooks of the service, without their addresses, and the alerts that each receives. */
export function Webhooks({ snapshot, serviceId }: ViewProps) {
  const open = useOpenForm();
  const webhooks = snapshot.webhooks.filter((webhook) => webhook.serviceId === serviceId);
  const alertsOf = ({ id }: Webhook) =>
    snapshot.alerts.filter(({ channel, channels = [channel] }) =>
      channels.some(({ webhookId }) => webhookId === id),
    );
  const columns: Column<Webhook>[] = [
    { heading: "Name", cell: ({ name }) => <strong dir="auto">{name}</strong> },
    { heading: "Service", cell: ({ service }) => service },
    { heading: "Description", cell: ({ description }) => <span dir="auto">{description || "none"}</span> },
    { heading: "Alerts", cell: (webhook) => alertsOf(webhook).length, isNumber: true },
    {
      heading: "",
      cell: (webhook) => (
        <button type="button" onClick={() => open(() => webhookForm(webhook))}>
          Delete<span class="hidden"> webhook {webhook.name}</span>
        </button>
      ),
    },
  ];
  return (
    <>
      <div class="title">
        <h1>Webhooks</h1>
        <button type="button" onClick={() => open(() => newWebhookForm(serviceId))}>
          New webhook
        </button>
      </div>
      <p class="muted">Whoever knows the address of a webhook may send messages there, so it is not shown.</p>
      {webhooks.length === 0 ? (
        <Empty>This service has no webhooks.</Empty>
      ) : (
        <Table label="Webhooks" columns={columns} rows={webhooks} />
      )}
    </>
  );
}

function newWebhookForm(serviceId: string): Form {
  return {
    title: "New webhook",
    fields: [
      { name: "name", label: "Name", kind: "text", value: "", required: true },
      {
        name: "service",
        label: "Service",
        kind: "select",
        value: "generic",
        options: ["slack", "incidentio", "generic"],
      },
      { name: "url", label: "Address", kind: "text", value: "https://", required: true },
    ],
    save: (values) => change("POST", `/services/${serviceId}/webhooks`, values),
  };
}

function webhookForm({ id, serviceId, name }: Webhook): Form {
  return {
    title: `Webhook ${name}`,
    fields: [],
    removal: {
      label: "Delete webhook",
      question: "The service refuses while it is the first channel of an alert.",
      run: () => change("DELETE", `/services/${serviceId}/webhooks/${id}`),
    },
  };
}
