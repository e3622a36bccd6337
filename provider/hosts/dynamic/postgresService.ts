import type {
  postgresServiceInputs,
  postgresServiceOutputs,
} from "../../resources/postgresService/postgresInputs";
import { postgresServiceResource } from "../../resources/postgresService/postgresService";
import { managedResource } from "./managedResource";
import type { InputsOf, OutputsOf } from "./types";

/** Arguments of a {@link PostgresService}. */
export interface PostgresServiceArgs extends InputsOf<typeof postgresServiceInputs> {}

export interface PostgresService
  extends OutputsOf<typeof postgresServiceInputs, typeof postgresServiceOutputs> {}

/**
 * A managed Postgres service of ClickHouse Cloud, alone, as a read replica of another one, or restored to a time in the past. A create
 * waits until the service runs, and `deletionProtection` protects its data. Needs `dialect: clickhouse`. The product calls its API for
 * Postgres beta: it may change in future versions.
 *
 * A Postgres service is billed from its creation on. An update that fails while it waits keeps the service, and the next update goes on
 * waiting.
 *
 * A change of `provider`, `region`, `postgresVersion`, or of the id in `readReplicaOf` replaces the service by another one;
 * `deletionProtection` refuses that, and the deletion, until an update of its own sets it to false. Everything else is updated in
 * place. A new `name` gives it another host name. Addresses, tags and parameters that others have set stay.
 *
 * `PostgresService.get` reads a service whose password stays unknown.
 * @example
 * ```typescript
 * const orders = new pipestack.PostgresService("orders", {
 *   provider: "aws",
 *   region: "us-east-1",
 *   size: "r8gd.large",
 *   haType: "async",
 *   ipAccessList: [{ source: "203.0.113.0/24", portRange: "5432" }],
 *   pgConfig: { max_connections: 200 },
 * });
 * const reports = new pipestack.PostgresService("reports", { readReplicaOf: orders.id });
 * export const host = orders.hostname;
 * export const password = orders.generatedPassword;
 * ```
 */
export class PostgresService extends managedResource<PostgresServiceArgs>(postgresServiceResource) {}
