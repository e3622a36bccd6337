import type { ConsoleRequest, ConsoleSnapshot } from "../http/console/snapshot";
import type { PageRoute } from "./route";

export interface ViewProps {
  snapshot: ConsoleSnapshot;
  /** The selected service. */
  serviceId: string;
  route: PageRoute;
  /** The requests, the newest first. */
  requests: ConsoleRequest[];
}
