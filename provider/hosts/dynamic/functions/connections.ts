import type { ConnectionSummary, GetConnectionArgs } from "../../../functions/connections";
import * as functions from "../../../functions/connections";
import { plain, withOutputs } from "../functionCall";
import type { InputsOf } from "../types";
import type { OfServiceArgs, OfServiceOutputArgs } from "./serviceArguments";

/** Arguments of {@link getConnectionOutput}. */
export interface GetConnectionOutputArgs extends InputsOf<typeof functions.getConnection.arguments> {}

/**
 * The connections of a self-hosted server to databases: sources and tiles of SQL name them by their ids. ClickHouse Cloud
 * shows none.
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 * @example
 * ```typescript
 * export const hosts = pipestack.getConnections().then((connections) => connections.map(({ host }) => host));
 * ```
 */
export const getConnections = plain<OfServiceArgs, ConnectionSummary[]>(functions.getConnections);

/**
 * Same as {@link getConnections}, but accepts outputs and returns an output.
 * @example
 * ```typescript
 * const reporting = pipestack.getServiceOutput({ name: "reporting" });
 * export const connections = pipestack.getConnectionsOutput({ serviceId: reporting.id });
 * ```
 */
export const getConnectionsOutput = withOutputs<OfServiceOutputArgs, ConnectionSummary[]>(
  functions.getConnections,
);

/**
 * The connection of a self-hosted server that has this name. Fails unless exactly one exists; the error names all that
 * exist.
 * @throws Error if an argument is invalid, a setting is missing, the service refuses the request, no
 *   answer arrives, or there is not exactly one such connection
 * @example
 * ```typescript
 * export const host = pipestack.getConnection({ name: "Default" }).then((connection) => connection.host);
 * ```
 */
export const getConnection = plain<GetConnectionArgs, ConnectionSummary>(functions.getConnection);

/**
 * Same as {@link getConnection}, but accepts outputs and returns an output.
 * @example
 * ```typescript
 * export const connectionId = pipestack.getConnectionOutput({ name: "Default" }).id;
 * ```
 */
export const getConnectionOutput = withOutputs<GetConnectionOutputArgs, ConnectionSummary>(
  functions.getConnection,
);
