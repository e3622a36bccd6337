import type { DataSource, GetSourceArgs } from "../../../functions/sources";
import * as functions from "../../../functions/sources";
import { plain, withOutputs } from "../functionCall";
import type { InputsOf } from "../types";
import type { OfServiceArgs, OfServiceOutputArgs } from "./serviceArguments";

/** Arguments of {@link getSourceOutput}. */
export interface GetSourceOutputArgs extends InputsOf<typeof functions.getSource.arguments> {}

/**
 * The data sources of a service, for tiles, saved searches and chart series.
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 * @example
 * ```typescript
 * export const names = pipestack.getSources().then((sources) => sources.map(({ name }) => name));
 * ```
 */
export const getSources = plain<OfServiceArgs, DataSource[]>(functions.getSources);

/**
 * Same as {@link getSources}, but accepts outputs and returns an output.
 * @example
 * ```typescript
 * const reporting = pipestack.getServiceOutput({ name: "reporting" });
 * export const sources = pipestack.getSourcesOutput({ serviceId: reporting.id });
 * ```
 */
export const getSourcesOutput = withOutputs<OfServiceOutputArgs, DataSource[]>(functions.getSources);

/**
 * The source of a service that has this name, this kind, or both. Fails unless exactly one exists; the error names all
 * that exist.
 * @throws Error if an argument is invalid, a setting is missing, the service refuses the request, no
 *   answer arrives, or there is not exactly one such source
 * @example
 * ```typescript
 * export const kind = pipestack.getSource({ name: "Logs" }).then((source) => source.kind);
 * ```
 */
export const getSource = plain<GetSourceArgs, DataSource>(functions.getSource);

/**
 * Same as {@link getSource}, but accepts outputs and returns an output.
 * @example
 * ```typescript
 * export const sourceId = pipestack.getSourceOutput({ kind: "log" }).id;
 * ```
 */
export const getSourceOutput = withOutputs<GetSourceOutputArgs, DataSource>(functions.getSource);
