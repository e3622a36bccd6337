import Ajv, { type ValidateFunction } from "ajv/dist/2019";
import addFormats from "ajv-formats";
import { requestOf, resultOf, type Schema, type TableName, tableOf } from "../product/read";

export type Api = "management" | "observability";

const organization = "/v1/organizations/{organizationId}";
const service = `${organization}/services/{serviceId}`;
const postgres = `${organization}/postgres/{postgresId}`;

/** The path of each kind of object in the API documents of ClickHouse Cloud (management) and HyperDX (observability). */
const places: { readonly [noun: string]: { readonly [api in Api]?: string } } = {
  Organization: { management: "/v1/organizations" },
  BackupConfiguration: { management: `${service}/backupConfiguration` },
  BackupBucket: { management: `${service}/backupBucket` },
  UpgradeWindow: { management: `${service}/upgradeWindow` },
  PrivateEndpointConfig: { management: `${service}/privateEndpointConfig` },
  PrivateEndpoint: { management: `${service}/privateEndpoint` },
  ServiceSettings: { management: `${service}/clickhouseSettings` },
  ServiceSettingsSchema: { management: `${service}/clickhouseSettings/schema` },
  ServiceSetting: { management: `${service}/clickhouseSettings` },
  SnapshotConfiguration: { management: `${service}/snapshotConfiguration` },
  ReplicaAwareRouting: { management: `${service}/replicaAwareRouting` },
  Snapshot: { management: `${service}/snapshots` },
  Backup: { management: `${service}/backups` },
  Key: { management: `${organization}/keys` },
  Activity: { management: `${organization}/activities` },
  Role: { management: `${organization}/roles` },
  Member: { management: `${organization}/members` },
  Invitation: { management: `${organization}/invitations` },
  Service: { management: `${organization}/services` },
  ServiceState: { management: `${service}/state` },
  ServicePassword: { management: `${service}/password` },
  Scaling: { management: `${service}/scaling` },
  ReplicaScaling: { management: `${service}/replicaScaling` },
  ScalingSchedule: { management: `${service}/scalingSchedule` },
  QueryEndpoint: { management: `${service}/serviceQueryEndpoint` },
  QueryApiEndpoint: { management: `${service}/query-api-endpoints` },
  SavedQuery: { management: `${service}/saved-queries` },
  Pipe: { management: `${service}/clickpipes` },
  PipeSettings: { management: `${service}/clickpipes/{clickPipeId}/settings` },
  PipeScaling: { management: `${service}/clickpipes/{clickPipeId}/scaling` },
  PipeState: { management: `${service}/clickpipes/{clickPipeId}/state` },
  PipeCdcScaling: { management: `${service}/clickpipesCdcScaling` },
  PipesContext: { management: `${service}/clickpipes/context` },
  ReversePrivateEndpoint: { management: `${service}/clickpipesReversePrivateEndpoints` },
  ClickStackRole: { management: `${service}/clickstack/roles` },
  PostgresService: { management: `${organization}/postgres` },
  PostgresConfig: { management: `${postgres}/config` },
  PostgresPassword: { management: `${postgres}/password` },
  PostgresState: { management: `${postgres}/state` },
  PostgresBackup: { management: `${postgres}/backups` },
  PostgresCertificates: { management: `${postgres}/caCertificates` },
  Udf: { management: `${organization}/udfs` },
  UdfVersion: { management: `${organization}/udfs/{functionName}/versions` },
  UdfAttachment: { management: `${organization}/udfs/{functionName}/attachments` },
  SshTunnel: { management: `${service}/clickpipesSshKeyResources` },
  Connection: { observability: "/api/v2/connections" },
  ...Object.fromEntries(
    Object.entries({
      Alert: "alerts",
      Dashboard: "dashboards",
      Source: "sources",
      Webhook: "webhooks",
      SavedSearch: "saved-searches",
    }).map(([noun, name]) => [
      noun,
      { management: `${service}/clickstack/${name}`, observability: `/api/v2/${name}` },
    ]),
  ),
};

/** The requests of API operations whose path in the API documents does not follow from their name. */
const named: { readonly [operation: string]: { readonly [api in Api]?: string } } = {
  whoami: { management: "GET /v1/whoami" },
  getServiceProfiles: { management: `GET ${organization}/serviceProfiles` },
  getQuotas: { management: `GET ${organization}/quotas` },
  updatePipeTables: { management: `PATCH ${service}/clickpipes/{clickPipeId}` },
  resyncPipe: { management: `PATCH ${service}/clickpipes/{clickPipeId}/state` },
  validateSshTunnel: {
    management: `POST ${service}/clickpipesSshKeyResources/{sshKeyResourceId}/validate`,
  },
  replacePostgresConfig: { management: `POST ${postgres}/config` },
  createPostgresReplica: { management: `POST ${postgres}/readReplica` },
  restorePostgresService: { management: `POST ${postgres}/restoredService` },
  createUdfUpload: { management: `POST ${organization}/udfUploads/url` },
  putUdfAttachment: { management: `PUT ${organization}/udfs/{functionName}/attachments/{serviceId}` },
  discoverPipeSchema: { management: `POST ${service}/clickpipes/schemaDiscovery` },
  validateDashboard: {
    management: `POST ${service}/clickstack/dashboards/validate`,
    observability: "POST /api/v2/dashboards/validate",
  },
  getChartSeries: { observability: "POST /api/v2/charts/series" },
};

/** The HTTP methods that write singletons. A singleton has no id, so the requests use its path alone. */
const writers: { readonly [noun: string]: string } = {
  BackupBucket: "PATCH",
  ...{ Scaling: "PATCH", ReplicaScaling: "PATCH", Key: "PATCH", Role: "PATCH", Member: "PATCH" },
  ...{ Organization: "PATCH", ServiceSettings: "PATCH" },
  ...{ SnapshotConfiguration: "PATCH", ReplicaAwareRouting: "PATCH" },
  ...{ BackupConfiguration: "PATCH", Service: "PATCH", ServiceState: "PATCH", ServicePassword: "PATCH" },
  ReversePrivateEndpoint: "PATCH",
  ...{ PostgresService: "PATCH", PostgresConfig: "PATCH" },
  ...{ PostgresPassword: "PATCH", PostgresState: "PATCH" },
  ...{ Pipe: "PATCH", PipeScaling: "PATCH", PipeState: "PATCH", PipeCdcScaling: "PATCH" },
  ...{ ScalingSchedule: "POST", QueryEndpoint: "POST", PipeSettings: "PUT" },
};
const singletons = [
  "BackupBucket",
  ...["PostgresConfig", "PostgresPassword", "PostgresState", "PostgresCertificates"],
  "ServiceState",
  "ServicePassword",
  "BackupConfiguration",
  "SnapshotConfiguration",
  "ReplicaAwareRouting",
  "UpgradeWindow",
  "PrivateEndpointConfig",
  "ServiceSettings",
  "ServiceSettingsSchema",
  "Scaling",
  "ReplicaScaling",
  "ScalingSchedule",
  "QueryEndpoint",
  "PipeSettings",
  "PipeScaling",
  "PipeState",
  "PipeCdcScaling",
  "PipesContext",
];

/** Finds the table of facts from the API documents for an operation, and the operation's method and path in it. */
function placeOf(api: Api, operation: string): readonly [TableName, string] {
  const request = requestOfOperation(api, operation);
  return [request.includes(" /api/v2/") ? "server" : "cloud", request];
}

/**
 * Returns the path that an API's document has for an operation, or the path on the other API if only that one has the
 * operation.
 */
const on = (paths: { readonly [api in Api]?: string } = {}, api: Api) =>
  paths[api] ?? paths.management ?? paths.observability;

export function requestOfOperation(api: Api, operation: string): string {
  const known = on(named[operation], api);
  if (known) return known;
  const [, verb = "", plural = ""] = /^(list|create|get|update|put|delete)(\w+)$/.exec(operation) ?? [];
  const noun = verb === "list" ? plural.replace(/ies$/, "y").replace(/(?<=h)es$|s$/, "") : plural;
  const place = on(places[noun], api);
  if (place === undefined) throw new Error(`the documents do not have ${operation}`);
  const writer = writers[noun] ?? "PUT";
  const method = { list: "GET", create: "POST", get: "GET", update: writer, put: writer, delete: "DELETE" }[
    verb
  ];
  const isOne = ["get", "update", "delete"].includes(verb) && !singletons.includes(noun);
  return `${method} ${place}${isOne ? `/${idBelow(place)}` : ""}`;
}

function idBelow(place: string): string {
  const { operations } = tableOf(place.startsWith("/api/") ? "server" : "cloud");
  const found = Object.keys(operations).map((request) => request.match(/ (.*)\/(\{\w+\})$/));
  return found.find((match) => match?.[1] === place)?.[2] ?? "{id}";
}

/**
 * Operations whose requests exist to validate a body. Clients send invalid bodies to them on purpose, so the judge (an
 * independent check against the API documents) does not refuse these.
 */
const unjudged = ["validateDashboard"];

const schemas = new Map<string, Schema | undefined>();

/**
 * Caches the schemas of request bodies and answers, since building one from the tables of the API documents takes longer than a
 * hundred validations.
 */
function schemaFor(key: string, read: () => Schema | undefined): Schema | undefined {
  if (!schemas.has(key)) schemas.set(key, read());
  return schemas.get(key);
}

export function documentedBody(api: Api, operation: string): Schema | undefined {
  const read = () => requestOf(...placeOf(api, operation), { closed: true });
  return schemaFor(`body ${api} ${operation}`, read);
}

// A process judges few values of each kind, so quickly compiled validators are worth more than fast ones.
const ajv = addFormats(new Ajv({ strict: false, validateSchema: false, code: { optimize: false } }));
const checks = new Map<string, ValidateFunction>();

function failureIn(key: string, schema: Schema, value: unknown): string | undefined {
  const check = checks.get(key) ?? ajv.compile(schema);
  checks.set(key, check);
  return check(value) ? undefined : ajv.errorsText(check.errors);
}

/**
 * Judges requests and answers of the sandbox by the API documents of ClickHouse Cloud and HyperDX, independently of the
 * sandbox's code.
 */
export const judge = {
  requestFailure(api: Api, operation: string, body: unknown): string | undefined {
    if (unjudged.includes(operation)) return undefined;
    const schema = documentedBody(api, operation);
    if (schema) return failureIn(`body ${api} ${operation}`, schema, body);
    return body === undefined ? undefined : `${operation} has no body`;
  },
  answerFailure(api: Api, operation: string, result: unknown): string | undefined {
    if (operation.startsWith("delete")) return result === undefined ? undefined : "a deletion shows nothing";
    // Responses about data sources may have properties that no API document contains, if a newer server has created the source.
    // So the judge (an independent check against the API documents) accepts such properties. The documents describe no property
    // of the dashboard that a validation returns.
    const asked = { closed: !/Sources?$|^validateDashboard$/.test(operation) };
    const key = `answer ${api} ${operation}`;
    const schema = schemaFor(key, () => resultOf(...placeOf(api, operation), asked)) ?? {};
    // JSON has no undefined values, so the conversion removes properties with undefined values.
    const plain = result === undefined ? undefined : JSON.parse(JSON.stringify(result));
    return failureIn(key, schema, plain);
  },
};
