import { ApiError, badRequest } from "../apiError";
import type { BodyError } from "../bodyCheck";
import { databases } from "./pipeStates";
import { kinds, type SourceMembers, shownMapping, sourceOf } from "./productPipes";

export interface PipeBody {
  readonly name?: string;
  readonly source?: object;
  readonly destination?: {
    readonly database?: string;
    readonly table?: string;
    readonly columns?: readonly { readonly name: string; readonly type: string }[];
    readonly tableDefinition?: { readonly engine?: { readonly type?: string } };
    readonly roles?: readonly string[];
  };
  readonly fieldMappings?: readonly { readonly sourceField: string; readonly destinationField: string }[];
  readonly settings?: SourceMembers;
  readonly scaling?: SourceMembers;
  readonly startPaused?: boolean;
}

/** The mapping of a table in a source database to a table of the service. */
type Mapping = SourceMembers;

export function checkNewPipe({ source = {}, destination = {}, scaling, ...body }: PipeBody): void {
  const { kind, members } = reachedSource(source);
  if (kind in databases) {
    if (destination.tableDefinition || destination.table || destination.columns)
      throw badRequest(`destination.table is not supported for ${databases[kind]} ClickPipes`);
    if (scaling) throw badRequest(`scaling is not supported for ${databases[kind]} ClickPipes`);
    if (body.startPaused) throw badRequest(`startPaused is not supported for ${databases[kind]} ClickPipes`);
    checkMappings(mappingsIn(members));
    return;
  }
  if (!destination.table || !destination.columns?.length)
    throw badRequest("destination.table and destination.columns are required");
  const sizes = ["replicas", "replicaCpuMillicores", "replicaMemoryGb"];
  if (scaling && !sizes.every((name) => name in scaling))
    throw badRequest(`scaling requires ${sizes.join(", ")}`);
  checkReadCommitted(kind, body.settings);
}

/**
 * Returns the only source in a request body about a pipe. ClickHouse Cloud connects to the source before it accepts the
 * request.
 * @throws ApiError if the body has no source or several, or the source cannot be reached
 */
export function reachedSource(source: object): { readonly kind: string; readonly members: SourceMembers } {
  const given = kinds.filter((kind) => (source as SourceMembers)[kind]);
  if (given.length !== 1) throw badRequest("Exactly one source must be provided");
  const { kind, members } = sourceOf({ source });
  checkTexts(members);
  checkConnection(members);
  return { kind, members };
}

/**
 * Whether a rule that a request body breaks is only about the null that the product's own command line sends in place of
 * credentials that nobody has given. The service takes it, although the document does not say so.
 */
export function isNullCredentials({ instancePath }: BodyError["failures"][number], body: PipeBody): boolean {
  const [, kind] = /^\/source\/(\w+)\/credentials$/.exec(instancePath) ?? [];
  const source = body.source as { readonly [kind: string]: SourceMembers } | undefined;
  return kind !== undefined && source?.[kind]?.credentials === null;
}

/** A request body without the credentials that are null. */
export function withoutNullCredentials(body: PipeBody): PipeBody {
  if (!body.source) return body;
  const members = Object.entries(body.source).map(([kind, source]) => {
    const { credentials, ...others } = (source ?? {}) as SourceMembers;
    return [kind, source && credentials === null ? others : source];
  });
  return { ...body, source: Object.fromEntries(members) };
}

/**
 * Removes from the request body that changes a pipe those properties of the source that the API document lacks, since
 * ClickHouse Cloud ignores them.
 */
export function knownPart(body: PipeBody, failures: BodyError["failures"] = []): PipeBody {
  const known = structuredClone(body);
  for (const { instancePath, params } of failures) {
    const names = instancePath.split("/").slice(1);
    const owner = names.reduce<Record<string, unknown>>(
      (object, name) => object[name] as Record<string, unknown>,
      known as Record<string, unknown>,
    );
    delete owner[params.additionalProperty];
  }
  return known;
}

export function changedSource(kind: string, before: SourceMembers, source: object): SourceMembers {
  const given = Object.keys(source).filter((name) => (source as SourceMembers)[name]);
  if (given.some((name) => name !== kind))
    throw badRequest(`The source of a ${kind} ClickPipe cannot be changed to ${given.join(", ")}`);
  const change = (source as { [name: string]: SourceMembers })[kind] ?? {};
  if (kind === "bigquery") throw badRequest("BigQuery ClickPipes cannot be updated");
  if ((change.schemaRegistry as SourceMembers | undefined)?.credentials)
    throw badRequest("schemaRegistry.credentials cannot be updated");
  checkTexts(change);
  checkConnection(change);
  const { password, username } = (change.credentials ?? {}) as SourceMembers;
  const isWholeConnection = ["host", "port", "database"].every((name) => name in change);
  if (kind in databases && (isWholeConnection || username !== undefined) && password === undefined)
    throw badRequest("credentials.password is required");
  const { settings, tableMappingsToAdd: _added, tableMappingsToRemove: _removed, ...members } = change;
  return {
    ...before,
    ...members,
    ...(kind in databases && {
      settings: { ...(before.settings as object), ...(settings as object | undefined) },
      tableMappings: changedMappings(kind, before, change),
    }),
  };
}

export const mappingsIn = (members: SourceMembers, name = "tableMappings"): readonly Mapping[] =>
  (members[name] as Mapping[] | undefined) ?? [];

const keyOf = (mapping: Mapping) =>
  ["sourceSchemaName", "sourceDatabaseName", "sourceDatasetName", "sourceTable", "sourceCollection"]
    .map((name) => mapping[name] ?? "")
    .join(" ");

function changedMappings(kind: string, before: SourceMembers, change: SourceMembers): readonly Mapping[] {
  const added = mappingsIn(change, "tableMappingsToAdd");
  const removed = mappingsIn(change, "tableMappingsToRemove").map(keyOf);
  if (added.some((mapping) => removed.includes(keyOf(mapping))))
    throw badRequest("A table cannot be added and removed in one request");
  const now = mappingsIn(before);
  const known = now.map(keyOf);
  if (removed.some((key) => !known.includes(key))) throw badRequest("Table mapping does not exist");
  const left = now.filter((mapping) => !removed.includes(keyOf(mapping)));
  const mappings = [...left, ...added.map((mapping) => shownMapping(kind, mapping))];
  checkMappings(mappings);
  return mappings;
}

function checkMappings(mappings: readonly Mapping[]): void {
  if (mappings.length === 0) throw badRequest("At least one table mapping is required");
  for (const name of ["targetTable", keyOf] as const) {
    const texts = mappings.map((mapping) => (typeof name === "string" ? mapping[name] : name(mapping)));
    if (new Set(texts).size < texts.length)
      throw badRequest(
        typeof name === "string" ? "Target tables must be unique" : "Source tables must be unique",
      );
  }
}

/** ClickHouse Cloud refuses empty texts for optional properties of a pipe's source. */
function checkTexts(members: SourceMembers): void {
  for (const [name, value] of Object.entries(members))
    if (value === "") throw badRequest(`${name} must not be empty`);
}

/**
 * Imitates ClickHouse Cloud's attempt to connect to a pipe's source. In the sandbox, the attempt fails for addresses that
 * contain the word `unreachable`.
 */
function checkConnection({ brokers, host, uri, url, caCertificate }: SourceMembers): void {
  if ([brokers, host, uri, url].some((text) => typeof text === "string" && text.includes("unreachable")))
    throw badRequest("failed to establish connection to the source");
  if (typeof caCertificate === "string" && !caCertificate.includes("-----BEGIN CERTIFICATE-----"))
    throw badRequest("caCertificate is not in valid PEM format");
}

export function checkReadCommitted(kind: string, settings: SourceMembers = {}): void {
  if ("kafka_read_committed" in settings && kind !== "kafka")
    throw badRequest("kafka_read_committed is only supported for Kafka ClickPipes");
}

export function checkColumns({ destination, fieldMappings }: PipeBody): void {
  if (destination && Object.keys(destination).length === 0) throw badRequest("destination must not be empty");
  if (fieldMappings && !destination?.columns)
    throw badRequest("Columns are required if field mappings are provided");
}

/**
 * Checks a change of a pipe's scaling: ClickHouse Cloud responds to an empty change with 500.
 * @throws ApiError 500 for an empty change
 */
export function checkScaling(kind: string, scaling: SourceMembers): void {
  if (kind in databases) throw badRequest(`Scaling is not supported for ${databases[kind]} ClickPipes`);
  if (Object.keys(scaling).length === 0) throw new ApiError(500, "Internal error");
}
