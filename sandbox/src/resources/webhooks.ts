import { seededAt, seededCredentials } from "../credentials";
import type { RouteContext } from "../routeContext";
import { type Resource, serves } from "./resource";

/** A webhook of a service; answers omit `serviceId`. */
export interface Webhook {
  id: string;
  serviceId: string;
  name: string;
  service: string;
  url: string;
  description: string;
  createdAt: string;
  updatedAt: string;
}

/** The webhooks of a service: list. */
export const webhooks = {
  place: "stack",
  operations: ["listWebhooks"],
  path: () => "webhooks",

  seed: (): Webhook[] => [
    {
      id: "65f1c0a2b3d4e5f607182921",
      serviceId: seededCredentials.serviceId,
      name: "on-call",
      service: "generic",
      url: "https://hooks.example.com/on-call",
      description: "Pages whoever is on call",
      createdAt: seededAt,
      updatedAt: seededAt,
    },
  ],

  onConsole: ({ id, serviceId, name }: Webhook) => ({ id, serviceId, name }),

  routes({ api, store, list }: RouteContext, path: string): void {
    api.get(path, serves("listWebhooks"), async (request, reply) =>
      list(
        request,
        reply,
        store.ofService(webhooks, request.service.id),
        ({ serviceId, ...webhook }) => webhook,
      ),
    );
  },
} as const satisfies Resource;
