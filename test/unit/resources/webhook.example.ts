import fc from "fast-check";
import { addWebhook, homeWebhook } from "../faults/service";
import { changeOf, type Example, organizationId, serviceId, word } from "./example";

/** Secrets that no message, state or file may show. */
export const webhookSecrets = {
  url: "https://hooks.example.com/services/T0/B0/secret-of-the-url-6d1f",
  header: "Bearer secret-of-a-header-93ab",
  parameter: "secret-of-a-parameter-5c7e",
};

const paging = { name: "paging", service: "generic", url: webhookSecrets.url };

export const webhookExample: Example = {
  valid: {
    organizationId,
    serviceId,
    adoptId: "66f0c2d8a1b2c3d4e5f60711",
    ...paging,
    description: "Pages whoever is on call",
    body: '{"text": "{{title}}"}',
    headers: { Authorization: webhookSecrets.header },
    queryParams: { team: webhookSecrets.parameter },
  },
  programs: () => [paging, { ...paging, description: "Pages whoever is on call" }],
  randomPrograms: () =>
    fc.record(
      {
        name: word,
        service: fc.constantFrom("generic", "incidentio"),
        url: fc.webUrl({ withQueryParameters: true }),
        description: word,
        body: word,
        headers: fc.dictionary(fc.constantFrom("Authorization", "X-Team"), word, { minKeys: 1 }),
        queryParams: fc.dictionary(word, word, { minKeys: 1 }),
      },
      { requiredKeys: ["name", "service", "url"] },
    ),
  outsideChanges: ({ service }) => [
    changeOf("name", (old: string) => `${old} 2`),
    changeOf("service", (old: string) => (old === "generic" ? "incidentio" : "generic")),
    changeOf("url", (old: string) => `${old}2`),
    changeOf("description", (old: string) => `${old} 2`),
    ...(service === "generic" ? [changeOf("body", (old: string) => `${old} 2`)] : []),
  ],
  find: ({ store }, id) => store.webhooks.get(id),
  requests: () => ({
    createWebhook: [{}, paging],
    updateWebhook: [{ id: homeWebhook }, { ...paging, name: "changed" }],
    deleteWebhook: [{ id: homeWebhook }],
  }),
  creatable: {
    operation: "createWebhook",
    list: "listWebhooks",
    id: "bbbbbbbbbbbbbbbbbbbbbbb6",
    add: ({ sandbox }, id) => addWebhook(sandbox, { id, description: "by hand" }),
    hasUniqueName: true,
  },
};
