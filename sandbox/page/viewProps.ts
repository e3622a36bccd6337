import type { ConsoleRequest, ConsoleSnapshot } from "../http/console/snapshot";
import type { Route } from "./route";

/** The props of every view. */
export interface ViewProps {
  snapshot: ConsoleSnapshot;
  /** The selected service. */
  serviceId: string;
  route: Route;
  /** Newest first. */
  requests: ConsoleRequest[];
}
