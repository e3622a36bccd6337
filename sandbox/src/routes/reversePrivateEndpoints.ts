import { serves } from "../operations";
import type { RouteContext } from "../routeContext";
import { ofService } from "../store";

/** The reverse private endpoints of a service: list. */
export function reversePrivateEndpointRoutes({ api, store, envelope }: RouteContext, path: string): void {
  api.get(path, serves("listReversePrivateEndpoints"), async (request) =>
    envelope(request, ofService(store.reversePrivateEndpoints, request.service.id)),
  );
}
