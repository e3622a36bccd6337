import {
  type sourceLinksInputs,
  type sourceLinksOutputs,
  sourceLinksResource,
} from "../../resources/source/sourceLinks";
import { managedResource } from "./managedResource";
import type { InputsOf, OutputsOf } from "./types";

/** Arguments of {@link SourceLinks}. */
export interface SourceLinksArgs extends InputsOf<typeof sourceLinksInputs> {}

export interface SourceLinks extends OutputsOf<typeof sourceLinksInputs, typeof sourceLinksOutputs> {}

/**
 * Links from one data source to others, for sources that refer to each other: each needs the id of the other, so one of them gets
 * its links afterwards. A source has one `SourceLinks` at most, whose `id` is the source's; its `Source` does not declare the same
 * links. Links that are not declared stay as they are. Needs `dialect: clickhouse`.
 *
 * A change of `sourceId`, `organizationId` or `serviceId` replaces the resource, everything else is updated in place. Destroying it
 * gives the source the links back that it had before, unless `onDestroy` is `keep`, or somebody else has changed them since.
 *
 * The API has no request for links: it replaces the whole source. So the provider reads the source immediately before each write,
 * and repeats what it shows. Somebody else's change between that read and the write is lost.
 * @example
 * ```typescript
 * const connection = new pulumi.Config().require("connectionId");
 * const common = { connection, timestampValueExpression: "Timestamp" };
 * const logs = new pipestack.Source("logs", {
 *   ...common,
 *   kind: "log",
 *   from: { databaseName: "otel", tableName: "otel_logs" },
 *   defaultTableSelectExpression: "Timestamp, ServiceName, Body",
 * });
 * const traces = new pipestack.Source("traces", {
 *   ...common,
 *   kind: "trace",
 *   from: { databaseName: "otel", tableName: "otel_traces" },
 *   defaultTableSelectExpression: "Timestamp, ServiceName, SpanName",
 *   durationExpression: "Duration",
 *   traceIdExpression: "TraceId",
 *   spanIdExpression: "SpanId",
 *   parentSpanIdExpression: "ParentSpanId",
 *   spanNameExpression: "SpanName",
 *   spanKindExpression: "SpanKind",
 *   logSourceId: logs.id,
 * });
 * new pipestack.SourceLinks("logs", { sourceId: logs.id, traceSourceId: traces.id });
 * ```
 */
export class SourceLinks extends managedResource<SourceLinksArgs>(sourceLinksResource) {}
