import { serves } from "../operations";
import type { RouteContext } from "../routeContext";
import { ofService } from "../store";

/** The data sources of a service: list. */
export function sourceRoutes({ api, store, envelope }: RouteContext, path: string): void {
  api.get(path, serves("listSources"), async (request) =>
    envelope(
      request,
      ofService(store.sources, request.service.id).map(({ serviceId, ...source }) => source),
    ),
  );
}
