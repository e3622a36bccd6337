import type { Surface } from "../listener";
import { serves } from "../operations";
import { ofService } from "../store";

/** The webhooks of a service: list. */
export function webhookRoutes({ api, store, envelope }: Surface, path: string): void {
  api.get(path, serves("listWebhooks"), async (request) =>
    envelope(
      request,
      ofService(store.webhooks, request.service.id).map(({ serviceId, ...webhook }) => webhook),
    ),
  );
}
