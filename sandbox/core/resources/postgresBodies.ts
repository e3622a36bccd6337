import { isIPv4 } from "node:net";
import { badRequest } from "../apiError";
import type { Identifiers } from "../identifiers";
import type { PostgresAccess, PostgresParameters, PostgresService } from "./postgresRecords";
import type { Tag } from "./serviceRecords";

export type RuleBody = Omit<PostgresAccess, "id"> & { id?: string };

export interface PatchBody extends Partial<Pick<PostgresService, "name" | "size" | "haType" | "tags">> {
  ipAccessList?: { add?: RuleBody[]; remove?: { id: string }[] };
}

interface Config {
  pgConfig: PostgresParameters;
  pgBouncerConfig: PostgresParameters;
}

/** The parameters that Postgres reads only when it starts. */
const readAtStart = [
  ...["autovacuum_freeze_max_age", "io_method", "max_connections", "max_logical_replication_workers"],
  ...["max_replication_slots", "max_wal_senders", "max_worker_processes", "shared_memory_percent"],
  ...["track_activity_query_size", "wal_buffers"],
];

/** A new host name, which has the name of the Postgres service in it. */
export function hostOf(
  name: string,
  id: string,
  { provider, region }: Pick<PostgresService, "provider" | "region">,
) {
  const label = name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return `${label}.${id.slice(0, 8)}.${region}.${provider}.pg.sandbox.example.com`;
}

/**
 * The rules of access of a new Postgres service. Without rules, all addresses may reach Postgres and PgBouncer.
 * @throws ApiError 400 for an invalid rule
 */
export function accessOf(rules: readonly RuleBody[] | undefined, ids: Identifiers): PostgresAccess[] {
  const all = ["5432", "6432"].map((portRange) => ({ source: "0.0.0.0/0", portRange }));
  return (rules ?? all).map((rule) => ({ ...canonical(rule), id: ids.uuid() }));
}

/**
 * The rules of access after an update, which removes rules before it adds or edits others. Unknown rules to remove are ignored.
 * @throws ApiError 400 for an invalid rule, or an unknown one to edit
 */
export function changedRules(
  rules: readonly PostgresAccess[],
  { add = [], remove = [] }: NonNullable<PatchBody["ipAccessList"]>,
  ids: Identifiers,
): PostgresAccess[] {
  let next = rules.filter(({ id }) => !remove.some((removed) => removed.id === id));
  for (const rule of add) {
    const { id = ids.uuid() } = rule;
    if (rule.id !== undefined && !next.some((other) => other.id === id))
      throw badRequest(`ipAccessList.add: there is no rule ${id}`);
    next = [...next.filter((other) => other.id !== id), { ...canonical(rule), id }];
  }
  return next;
}

/** A rule in the form in which answers show it: an address is a network of one. */
function canonical({ source, portRange, description }: RuleBody): Omit<PostgresAccess, "id"> {
  const [address = "", length = "32"] = source.split("/");
  if (!isIPv4(address) || !/^\d+$/.test(length) || Number(length) > 32)
    throw badRequest("ipAccessList: source must be an IPv4 address or CIDR block");
  const ports = portRange.split("..").map(Number);
  const [first = 0, last = first] = ports;
  if (!/^\d+(\.\.\d+)?$/.test(portRange) || first < 1 || last < first || last > 65535)
    throw badRequest("ipAccessList: portRange must be a port or an inclusive range");
  return { source: `${address}/${length}`, portRange, ...(description && { description }) };
}

/**
 * Checks tags of a request.
 * @throws ApiError 400 if a tag is there twice, is reserved, or lacks its value in an update, which takes none without
 */
export function checkTags(tags: readonly Tag[], needsValues = false): void {
  const keys = tags.map(({ key }) => key);
  const doubled = keys.find((key, index) => keys.indexOf(key) < index);
  if (doubled !== undefined) throw badRequest(`tags: ${doubled} is there twice`);
  const reserved = keys.find((key) => key.startsWith("chc_"));
  if (reserved !== undefined) throw badRequest(`tags: ${reserved} is reserved`);
  if (needsValues && tags.some(({ value }) => !value)) throw badRequest("tags: value is required");
}

/** @throws ApiError 400 for a password that lacks something */
export function checkPassword(password: string | undefined): void {
  if (password !== undefined && ![/[a-z]/, /[A-Z]/, /\d/].every((part) => part.test(password)))
    throw badRequest("password must contain a lowercase letter, an uppercase letter and a digit");
}

/**
 * The parameters of Postgres and PgBouncer after a request, with their values as texts.
 * @throws ApiError 400 if a request for a new service has no parameters where it names them
 */
export function configOf(
  { pgConfig, pgBouncerConfig }: Partial<Config>,
  before: Config,
  isNew: boolean,
): Config {
  for (const [name, parameters] of Object.entries({ pgConfig, pgBouncerConfig }))
    if (isNew && parameters && Object.keys(parameters).length === 0)
      throw badRequest(`${name} must have at least one parameter`);
  const merged = (old: PostgresParameters, parameters: PostgresParameters = {}) => ({
    ...old,
    ...Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)])),
  });
  return {
    pgConfig: merged(before.pgConfig, pgConfig),
    pgBouncerConfig: merged(before.pgBouncerConfig, pgBouncerConfig),
  };
}

/** What the answer to a change of parameters says if some of them take effect only after a restart. */
export function restartMessage(
  { pgConfig: before }: Config,
  { pgConfig: after }: Config,
): string | undefined {
  const changed = readAtStart.filter((name) => before[name] !== after[name]);
  return changed.length > 0
    ? `A restart is required for these parameters to take effect: ${changed.join(", ")}`
    : undefined;
}
