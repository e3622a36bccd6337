import type { Surface } from "../listener";
import { ofService } from "../store";

/** The data sources of a service: list. */
export function sourceRoutes({ api, store, envelope }: Surface, path: string): void {
  api.get(path, async (request) =>
    envelope(
      request,
      ofService(store.sources, request.service.id).map(({ serviceId, ...source }) => source),
    ),
  );
}
