import type { Sandbox, Webhook } from "../../../sandbox/index";
import { type Example, placed } from "./example";

/** Secret values of a webhook. No message, Pulumi state or file may contain them. */
export const webhookSecrets = {
  url: "https://hooks.example.com/services/T0/B0/secret-of-the-url-6d1f",
  header: "Bearer secret-of-a-header-93ab",
  parameter: "secret-of-a-parameter-5c7e",
};

const paging = { name: "paging", service: "generic", url: webhookSecrets.url };

const generic = {
  ...{ ...paging, description: "Pages whoever is on call", body: '{"text": "{{title}}"}' },
  headers: { Authorization: webhookSecrets.header },
  queryParams: { team: webhookSecrets.parameter },
};

/** The id of a webhook that another person has created and that no alert uses. */
const homeWebhook = "aaaaaaaaaaaaaaaaaaaaaaa6";

export const webhookExample: Example = {
  valid: placed("66f0c2d8a1b2c3d4e5f60711", generic),
  wholes: {
    generic,
    "of incident.io": { ...paging, name: "incidents", service: "incidentio", body: "{}" },
    "of Slack": { name: "chat", service: "slack", url: "https://hooks.slack.com/services/T0/B0/x" },
  },
  shownAt: (path, { service }) => (path === "body" && service !== "generic" ? undefined : path),
  programs: () => [paging, { ...paging, description: "Pages whoever is on call" }],
  find: ({ store }, id) => store.webhooks.get(id),
  furnish: ({ sandbox }) => addWebhook(sandbox, { id: homeWebhook, name: "of somebody else" }),
  home: homeWebhook,
  creatable: {
    id: "bbbbbbbbbbbbbbbbbbbbbbb6",
    add: ({ sandbox }, id) => addWebhook(sandbox, { id, description: "by hand" }),
    hasUniqueName: true,
  },
};

export function addWebhook({ store, credentials }: Sandbox, changed: Partial<Webhook>): void {
  const now = new Date(0).toISOString();
  const record: Webhook = {
    id: "",
    serviceId: credentials.serviceId,
    name: "paging",
    service: "generic",
    url: "https://hooks.example.com/paging",
    createdAt: now,
    updatedAt: now,
    ...changed,
  };
  store.webhooks.set(record.id, record);
}
