import { type sourceInputs, type sourceOutputs, sourceResource } from "../../resources/source/source";
import type { SourceKind, SourceOfKind } from "../../resources/source/sourceKinds";
import { managedResource } from "./managedResource";
import type { ArgsOf, InputsOf, OutputsOf } from "./types";

/** The arguments of data sources of one kind, with those that all sources have. */
type ArgsOfKind<Kind extends SourceKind> = Pick<
  InputsOf<typeof sourceInputs>,
  "organizationId" | "serviceId" | "adoptId" | "name"
> &
  ArgsOf<SourceOfKind<Kind>>;

/** Arguments of a {@link Source} of logs. */
export interface LogSourceArgs extends ArgsOfKind<"log"> {
  /**
   * The kind of the source's records: `log`, `trace`, `metric`, `session` or `promql`. It decides which properties the source
   * has.
   */
  readonly kind: "log";
}

/** Arguments of a {@link Source} of traces. */
export interface TraceSourceArgs extends ArgsOfKind<"trace"> {
  /** Kind of the data source: its records are spans of traces. */
  readonly kind: "trace";
}

/** Arguments of a {@link Source} of metrics. */
export interface MetricSourceArgs extends ArgsOfKind<"metric"> {
  /** Kind of the data source: its records are metrics. */
  readonly kind: "metric";
}

/** Arguments of a {@link Source} of sessions, which a source of traces belongs to. */
export interface SessionSourceArgs extends ArgsOfKind<"session"> {
  /** Kind of the data source: its records are events of sessions. */
  readonly kind: "session";
}

/** Arguments of a {@link Source} that is queried in PromQL. */
export interface PromqlSourceArgs extends ArgsOfKind<"promql"> {
  /** Kind of the data source: it is queried in PromQL. */
  readonly kind: "promql";
}

/** Arguments of a {@link Source}: its `kind` decides which properties it has. */
export type SourceArgs =
  | LogSourceArgs
  | TraceSourceArgs
  | MetricSourceArgs
  | SessionSourceArgs
  | PromqlSourceArgs;

export interface Source extends OutputsOf<typeof sourceInputs, typeof sourceOutputs> {}

/**
 * A source of data: a table, and the meaning of its columns. Tiles, saved searches and chart series name it by its id.
 *
 * A change of `organizationId` or `serviceId` replaces the source, everything else is updated in place, even its `kind`.
 * Properties that are taken out of the program are cleared. The service deletes a source whatever still uses it: tiles and
 * saved searches on it no longer work, and dashboards with such a tile can no longer be updated. Two sources cannot both
 * refer to each other by their outputs; a reference that is made in the service instead stays.
 * @example
 * ```typescript
 * const config = new pulumi.Config();
 * const logs = new pipestack.Source("logs", {
 *   kind: "log",
 *   connection: config.require("connectionId"),
 *   from: { databaseName: "otel", tableName: "otel_logs" },
 *   timestampValueExpression: "Timestamp",
 *   defaultTableSelectExpression: "Timestamp, ServiceName, Body",
 *   serviceNameExpression: "ServiceName",
 *   bodyExpression: "Body",
 * });
 * new pipestack.SavedSearch("errors", { sourceId: logs.id, where: "SeverityText:error" });
 * ```
 */
export class Source extends managedResource<SourceArgs>(sourceResource) {}
