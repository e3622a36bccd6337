import type { ConsoleRequest, ConsoleSnapshot } from "../http/console/snapshot";
import type { PageRoute } from "./route";

export interface ViewProps {
  snapshot: ConsoleSnapshot;
  serviceId: string;
  route: PageRoute;
  requests: ConsoleRequest[];
}
