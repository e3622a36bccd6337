import { pipeResource } from "../../resources/pipe/pipe";
import type { pipeInputs, pipeOutputs } from "../../resources/pipe/pipeInputs";
import { managedResource } from "./managedResource";
import type { InputsOf, OutputsOf } from "./types";

/** Arguments of a {@link Pipe}. */
export interface PipeArgs extends InputsOf<typeof pipeInputs> {}

export interface Pipe extends OutputsOf<typeof pipeInputs, typeof pipeOutputs> {}

/**
 * A pipe of ClickHouse Cloud (ClickPipe): it loads data from one source into a service. Needs `dialect: clickhouse`, and a
 * service that runs: depend on its `id`. `wakeService` lets an update wake an idle service.
 *
 * A create waits until the pipe runs, or has begun its first load; with `awaitRunning: false` it does not. A pipe that has
 * failed stays in the Pulumi state, and each update fails until it is mended or replaced. A create fails if a pipe with the
 * same name, source and destination exists, whatever its age.
 *
 * The name, columns with their mappings, scaling, settings and the state are updated in place; so are those properties of a
 * source whose description says so, and tables of a database, for which the pipe is paused. A change of anything else replaces
 * the pipe, the old one first, and only with `allowReplacement`, unless the pipe moves to another service: the new one reads
 * anew, and the tables of the old one stay. Destroying a pipe leaves its tables.
 * @example
 * ```typescript
 * const config = new pulumi.Config();
 * const orders = new pipestack.Pipe("orders", {
 *   source: {
 *     kafka: {
 *       type: "kafka",
 *       format: "JSONEachRow",
 *       brokers: "broker.example.com:9092",
 *       topics: "orders",
 *       authentication: "SCRAM-SHA-512",
 *     },
 *   },
 *   credentials: { username: "reader", password: config.requireSecret("kafkaPassword") },
 *   destination: {
 *     database: "default",
 *     table: "orders",
 *     tableDefinition: { engine: { type: "MergeTree" }, sortingKey: ["id"] },
 *     columns: [{ name: "id", type: "UInt64" }],
 *   },
 *   fieldMappings: [{ sourceField: "id", destinationField: "id" }],
 * });
 * ```
 */
export class Pipe extends managedResource<PipeArgs>(pipeResource) {}
