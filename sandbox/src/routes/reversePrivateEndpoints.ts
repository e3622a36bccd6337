import type { Surface } from "../listener";
import { serves } from "../operations";
import { ofService } from "../store";

/** The reverse private endpoints of a service: list. */
export function reversePrivateEndpointRoutes({ api, store, envelope }: Surface, path: string): void {
  api.get(path, serves("listReversePrivateEndpoints"), async (request) =>
    envelope(request, ofService(store.reversePrivateEndpoints, request.service.id)),
  );
}
