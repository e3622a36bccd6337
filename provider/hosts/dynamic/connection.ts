import {
  type connectionInputs,
  type connectionOutputs,
  connectionResource,
} from "../../resources/connection/connection";
import { managedResource } from "./managedResource";
import type { InputsOf, OutputsOf } from "./types";

/** Arguments of a {@link Connection}. */
export interface ConnectionArgs extends InputsOf<typeof connectionInputs> {}

export interface Connection extends OutputsOf<typeof connectionInputs, typeof connectionOutputs> {}

/**
 * A connection of a self-hosted server to a database, which sources name by its id. The management API has no connections: a
 * service of ClickHouse Cloud is connected to its own database.
 *
 * `password` is kept encrypted in the Pulumi state, and never appears in logs or errors. A change of `organizationId` or
 * `serviceId` replaces the connection, everything else is updated in place. Properties that are taken out of the program are
 * reset, except for `password`, which the server keeps. The server deletes a connection whatever still uses it: its sources no
 * longer work.
 * @example
 * ```typescript
 * const config = new pulumi.Config();
 * const warehouse = new pipestack.Connection("warehouse", {
 *   host: "https://warehouse.example.com:8443",
 *   username: "observability",
 *   password: config.requireSecret("databasePassword"),
 * });
 * new pipestack.Source("logs", {
 *   kind: "log",
 *   connection: warehouse.id,
 *   from: { databaseName: "otel", tableName: "otel_logs" },
 *   timestampValueExpression: "Timestamp",
 *   defaultTableSelectExpression: "Timestamp, ServiceName, Body",
 * });
 * ```
 */
export class Connection extends managedResource<ConnectionArgs>(connectionResource) {}
