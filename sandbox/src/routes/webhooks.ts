import { serves } from "../operations";
import type { RouteContext } from "../routeContext";
import { ofService } from "../store";

/** The webhooks of a service: list. */
export function webhookRoutes({ api, store, envelope }: RouteContext, path: string): void {
  api.get(path, serves("listWebhooks"), async (request) =>
    envelope(
      request,
      ofService(store.webhooks, request.service.id).map(({ serviceId, ...webhook }) => webhook),
    ),
  );
}
