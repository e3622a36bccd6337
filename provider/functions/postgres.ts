import { enums } from "../api/enums.golden";
import { uuid } from "../api/settingsSchema";
import type { Reading } from "../lifecycle/lists";
import { aboutObject } from "../lifecycle/observe";
import { inOrganization, scopeOf } from "../lifecycle/scope";
import { momentIn, type PropertyMap, pick } from "../values/data";
import { openSetOf } from "../values/schema";
import { type Static, type TArray, Type } from "../values/schemaBuilders";
import type { FunctionDefinition, ResultOf } from "./definition";
import { onlyOne } from "./listing";

const listedMembers = {
  /** Id of the Postgres service (uuid). */
  id: Type.String(),
  /** Name of the Postgres service. */
  name: Type.Optional(Type.String()),
  /** Cloud that the Postgres service runs in. */
  provider: Type.Optional(Type.String()),
  /** Region of its cloud. */
  region: Type.Optional(Type.String()),
  /** Size of its machines, such as `r8gd.large`. */
  size: Type.Optional(Type.String()),
  /** Major version of Postgres. */
  postgresVersion: Type.Optional(Type.String()),
  /** Standbys of the Postgres service: `none`, `async` or `sync`. */
  haType: Type.Optional(Type.String()),
  /** State of the Postgres service; `running` when it can be used. */
  state: Type.Optional(openSetOf(enums.postgresServiceState)),
  /** Whether clients can write to it: false for a read replica. */
  isPrimary: Type.Optional(Type.Boolean()),
  /** Tags of the Postgres service. */
  tags: Type.Optional(
    Type.Array(
      Type.Object({
        /** Key of the tag. */
        key: Type.String(),
        /** Value of the tag. */
        value: Type.Optional(Type.String()),
      }),
    ),
  ),
  /** When the Postgres service was created (ISO 8601). */
  createdAt: Type.Optional(Type.String()),
};

const listedSchema = Type.Object(listedMembers);

/** A managed Postgres service, as the list of the organization shows it. */
export interface PostgresServiceEntry extends ResultOf<typeof listedSchema> {}

const serviceSchema = Type.Object({
  ...listedMembers,
  /** Host of the Postgres service, with port 5432 for Postgres and 6432 for PgBouncer. */
  hostname: Type.Optional(Type.String()),
  /** Name of the superuser. */
  username: Type.Optional(Type.String()),
  /** Storage in GiB. */
  storageSize: Type.Optional(Type.Number()),
  /** The earliest time to which a new service can be restored (ISO 8601); absent until the first backup is complete. */
  earliestRestoreTime: Type.Optional(Type.String()),
  /** IPv4 addresses that may connect to the Postgres service. */
  ipAccessList: Type.Optional(
    Type.Array(
      Type.Object({
        /** CIDR range that may connect. */
        source: Type.String(),
        /** Port, or range of ports, that may be reached. */
        portRange: Type.String(),
        /** Description of the CIDR range. */
        description: Type.Optional(Type.String()),
      }),
    ),
  ),
});

/** A managed Postgres service of ClickHouse Cloud. */
export interface PostgresServiceSummary extends ResultOf<typeof serviceSchema> {}

const servicesArguments = inOrganization({
  /** Exact name of the Postgres services to return. */
  name: Type.Optional(Type.String({ minLength: 1 })),
  /** Exact state of the Postgres services to return. */
  state: Type.Optional(openSetOf(enums.postgresServiceState)),
});

const serviceArguments = inOrganization({
  /** Id of the Postgres service (uuid); without it, `name` is required. */
  postgresServiceId: Type.Optional(Type.String(uuid)),
  /** Exact name of the Postgres service. */
  name: Type.Optional(Type.String({ minLength: 1 })),
});

const ofOneArguments = inOrganization({
  /** Id of the Postgres service (uuid). */
  postgresServiceId: Type.String(uuid),
});

const backupSchema = Type.Object({
  /** Name of the backup in its storage. A service is restored to a time, and not from one backup. */
  key: Type.String(),
  /** When the backup was complete (ISO 8601). */
  lastModified: Type.Optional(Type.String()),
  /** Status of the backup; only those that are `ready` are listed. */
  status: Type.Optional(Type.String()),
});

/** A backup of a managed Postgres service. */
export interface PostgresBackup extends ResultOf<typeof backupSchema> {}

const certificatesSchema = Type.Object({
  /** The certificates, in the form PEM. */
  pem: Type.String(),
});

/** The certificates of the authority that signs those of a managed Postgres service. */
export interface PostgresCaCertificates extends ResultOf<typeof certificatesSchema> {}

/**
 * The managed Postgres services of an organization (beta). Needs `dialect: clickhouse`.
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 * @example
 * ```typescript
 * const replicas = pipestack.getPostgresServices().then((all) => all.filter(({ isPrimary }) => isPrimary === false));
 * export const names = replicas.then((all) => all.map(({ name }) => name));
 * ```
 */
export const getPostgresServices: FunctionDefinition<
  typeof servicesArguments,
  TArray<typeof listedSchema>
> = {
  name: "getPostgresServices",
  dialect: "clickhouse",
  arguments: servicesArguments,
  result: Type.Array(listedSchema),
  async run(args, session) {
    const all: readonly PropertyMap[] = await session.lists.read(
      "listPostgresServices",
      scopeOf("organization", args, session),
    );
    return all
      .filter(({ name, state }) => (args.name ?? name) === name && (args.state ?? state) === state)
      .map((each) => pick(each, Object.keys(listedMembers)) as unknown as PostgresServiceEntry);
  },
};

/**
 * One managed Postgres service (beta), by its id or its name, with its host and who may connect. No function returns its password.
 * Needs `dialect: clickhouse`.
 * @throws Error if an argument is invalid, a setting is missing, the service refuses the request, no answer arrives, or there is not
 * exactly one such Postgres service
 * @example
 * ```typescript
 * export const host = pipestack.getPostgresService({ name: "orders" }).then(({ hostname }) => hostname);
 * ```
 */
export const getPostgresService: FunctionDefinition<typeof serviceArguments, typeof serviceSchema> = {
  name: "getPostgresService",
  dialect: "clickhouse",
  arguments: serviceArguments,
  result: serviceSchema,
  failures: ({ postgresServiceId, name }) =>
    postgresServiceId === undefined && name === undefined
      ? [{ path: "name", message: "is required without postgresServiceId" }]
      : [],
  async run(args, session) {
    const scope = scopeOf("organization", args, session);
    const { name } = args;
    let { postgresServiceId: id } = args;
    if (id === undefined || name !== undefined) {
      const all = (reading: Reading) => session.lists.read("listPostgresServices", scope, reading);
      id = (await onlyOne<{ id: string }>(all, "Postgres service", { name, id }, "organization")).id;
    }
    const answer = await session.call("getPostgresService", { ...scope, id });
    const { ipAccessList, ...service }: PropertyMap = aboutObject(answer, "getPostgresService", id, session);
    const rules = Array.isArray(ipAccessList) ? ipAccessList : [];
    return {
      ...pick(service, Object.keys(serviceSchema.properties)),
      ...(Array.isArray(ipAccessList) && {
        ipAccessList: rules.map((rule) => pick(rule, ["source", "portRange", "description"])),
      }),
    } as unknown as PostgresServiceSummary;
  },
};

/**
 * The backups of a managed Postgres service (beta), the newest first. A new service is restored by `restoreOf` and `restoreTarget` of a
 * {@link PostgresService}. Needs `dialect: clickhouse`.
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 * @example
 * ```typescript
 * const postgresServiceId = "4d7a1f36-9b52-4c8e-a0d3-6e2f8b5c7190";
 * const backups = pipestack.getPostgresBackups({ postgresServiceId });
 * export const newest = backups.then(([backup]) => backup?.lastModified);
 * ```
 */
export const getPostgresBackups: FunctionDefinition<typeof ofOneArguments, TArray<typeof backupSchema>> = {
  name: "getPostgresBackups",
  dialect: "clickhouse",
  arguments: ofOneArguments,
  result: Type.Array(backupSchema),
  async run({ postgresServiceId: id, ...args }, session) {
    const scope = { ...scopeOf("organization", args, session), id };
    const backups = await session.lists.read("listPostgresBackups", scope);
    const endOf = ({ lastModified }: PropertyMap) => momentIn(String(lastModified)) || 0;
    return [...backups]
      .sort((left, right) => endOf(right) - endOf(left))
      .map((backup) => pick(backup, Object.keys(backupSchema.properties)) as unknown as PostgresBackup);
  },
};

/**
 * The certificates with which clients verify a managed Postgres service (beta). Needs `dialect: clickhouse`.
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 * @example
 * ```typescript
 * const postgresServiceId = "4d7a1f36-9b52-4c8e-a0d3-6e2f8b5c7190";
 * export const pem = pipestack.getPostgresCaCertificates({ postgresServiceId }).then((certificates) => certificates.pem);
 * ```
 */
export const getPostgresCaCertificates: FunctionDefinition<typeof ofOneArguments, typeof certificatesSchema> =
  {
    name: "getPostgresCaCertificates",
    dialect: "clickhouse",
    arguments: ofOneArguments,
    result: certificatesSchema,
    async run({ postgresServiceId: id, ...args }, session) {
      const scope = { ...scopeOf("organization", args, session), id };
      const { text } = await session.call("getPostgresCertificates", scope);
      return { pem: text };
    },
  };

/** Arguments of {@link getPostgresServices}. */
export interface GetPostgresServicesArgs extends Static<typeof servicesArguments> {}
/** Arguments of {@link getPostgresService}. */
export interface GetPostgresServiceArgs extends Static<typeof serviceArguments> {}
/** Arguments of {@link getPostgresBackups}. */
export interface GetPostgresBackupsArgs extends Static<typeof ofOneArguments> {}
/** Arguments of {@link getPostgresCaCertificates}. */
export interface GetPostgresCaCertificatesArgs extends Static<typeof ofOneArguments> {}
