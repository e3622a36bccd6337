import type * as pulumi from "@pulumi/pulumi";
import type { DataSource, GetSourceArgs } from "../../../functions/sources";
import * as functions from "../../../functions/sources";
import { call, callOutput, type FunctionOptions } from "../functionCall";
import type { InputsOf } from "../types";
import type { ServiceArgs, ServiceOutputArgs } from "./serviceArguments";

/** Arguments of {@link getSourceOutput}. */
export interface GetSourceOutputArgs extends InputsOf<typeof functions.getSource.arguments> {}

/**
 * The data sources of a service, for tiles, saved searches and chart series.
 *
 * @throws Error if an argument is invalid (before any request), a setting is missing, the service refuses the request, or
 *   no answer arrives
 *
 * @example
 * ```typescript
 * const names = (await pipestack.getSources()).map((source) => source.name);
 * ```
 */
export function getSources(args: ServiceArgs = {}, opts?: FunctionOptions): Promise<DataSource[]> {
  return call(functions.getSources, args, opts);
}

/**
 * Same as {@link getSources}, but accepts outputs and returns one.
 *
 * @example
 * ```typescript
 * export const sources = pipestack.getSourcesOutput({ serviceId: scaling.id });
 * ```
 */
export function getSourcesOutput(
  args: ServiceOutputArgs = {},
  opts?: FunctionOptions,
): pulumi.Output<DataSource[]> {
  return callOutput(functions.getSources, args, opts);
}

/**
 * The source of a service that has this name, this kind, or both. Fails unless there is exactly one, and names those that
 * there are.
 *
 * @throws Error if an argument is invalid (before any request), a setting is missing, the service refuses the request, no
 *   answer arrives, or there is not exactly one such source
 *
 * @example
 * ```typescript
 * const logs = await pipestack.getSource({ name: "Logs" });
 * ```
 */
export function getSource(args: GetSourceArgs, opts?: FunctionOptions): Promise<DataSource> {
  return call(functions.getSource, args, opts);
}

/**
 * Same as {@link getSource}, but accepts outputs and returns one.
 *
 * @example
 * ```typescript
 * const sourceId = pipestack.getSourceOutput({ kind: "log" }).id;
 * ```
 */
export function getSourceOutput(
  args: GetSourceOutputArgs,
  opts?: FunctionOptions,
): pulumi.Output<DataSource> {
  return callOutput(functions.getSource, args, opts);
}
