import type { ConsoleRequest, ConsoleSnapshot } from "../http/console/snapshot";
import type { PageRoute } from "./route";

export interface ViewProps {
  snapshot: ConsoleSnapshot;
  /** The id of the service that is selected in the console. */
  serviceId: string;
  route: PageRoute;
  /** The requests to the sandbox, the newest first. */
  requests: ConsoleRequest[];
}
