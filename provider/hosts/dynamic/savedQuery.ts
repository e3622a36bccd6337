import {
  type savedQueryInputs,
  type savedQueryOutputs,
  savedQueryResource,
} from "../../resources/savedQuery/savedQuery";
import { managedResource } from "./managedResource";
import type { InputsOf, OutputsOf } from "./types";

/** Arguments of a {@link SavedQuery}. */
export interface SavedQueryArgs extends InputsOf<typeof savedQueryInputs, "sql"> {}

export interface SavedQuery extends OutputsOf<typeof savedQueryInputs, typeof savedQueryOutputs> {}

/**
 * A query that people open in the SQL console of a service. No other query of the service has its name.
 *
 * A change of `organizationId` or `serviceId` replaces the query, everything else is updated in place. Parameters that are
 * taken out of the program are removed.
 * @example
 * ```typescript
 * new pipestack.SavedQuery("slow", {
 *   name: "Slow queries",
 *   database: "system",
 *   sql: "SELECT query FROM query_log WHERE query_duration_ms > {least:UInt32}",
 *   parameters: { least: "1000" },
 * });
 * ```
 */
export class SavedQuery extends managedResource<SavedQueryArgs>(savedQueryResource) {}
