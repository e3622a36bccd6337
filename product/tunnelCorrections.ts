import type { Correction } from "./correction";
import type { Operation, Schema } from "./schema";

const seen =
  "ClickHouse/terraform-provider-clickhouse pull request 669 (August 2026): internal/api/clickpipe_ssh_key.go, docs/resources/clickpipes_ssh_key.md";

const collection = "/v1/organizations/{organizationId}/services/{serviceId}/clickpipesSshKeyResources";
const one = `${collection}/{sshKeyResourceId}`;

const uuid: Schema = { type: "string", format: "uuid" };
const time: Schema = { type: "string", format: "date-time" };
const text: Schema = { type: "string" };
const port: Schema = { type: "integer", minimum: 1, maximum: 65535 };

const tunnel: Schema = {
  properties: {
    id: uuid,
    serviceId: uuid,
    name: text,
    description: { type: ["string", "null"] },
    host: text,
    port,
    username: text,
    publicKey: text,
    status: { type: "string", enum: ["active", "failed", "pending"] },
    statusMessage: { type: ["string", "null"] },
    lastValidatedAt: { type: ["string", "null"], format: "date-time" },
    createdAt: time,
    updatedAt: time,
  },
};

const creation: Schema = {
  required: ["host", "name", "username"],
  properties: {
    name: { type: "string", minLength: 1 },
    description: { type: "string", maxLength: 255 },
    host: { type: "string", minLength: 1 },
    port,
    username: { type: "string", minLength: 1 },
  },
};

const answers = (result?: Schema): Operation["answers"] => ({
  "200": { type: "object", properties: result ? { result } : {} },
});

// No source names the permissions and the statuses of failures: they are those of reverse private endpoints.
const usual = { permissions: ["control-plane:service:manage-clickpipes"], errors: [400, 500] };
const below = { organizationId: uuid, serviceId: uuid };
const named = { ...below, sshKeyResourceId: uuid };

const operations: { readonly [request: string]: Operation } = {
  [`GET ${collection}`]: {
    ...{ id: "clickPipesSshKeyResourceGetList", path: below },
    ...{ ...usual, answers: answers({ type: "array", items: tunnel }) },
  },
  [`POST ${collection}`]: {
    ...{ id: "clickPipesSshKeyResourceCreate", path: below },
    ...{ ...usual, request: creation, answers: answers(tunnel) },
  },
  [`GET ${one}`]: {
    ...{ id: "clickPipesSshKeyResourceGet", path: named },
    ...{ ...usual, answers: answers(tunnel) },
  },
  [`DELETE ${one}`]: {
    ...{ id: "clickPipesSshKeyResourceDelete", path: named },
    ...{ ...usual, answers: answers() },
  },
  [`POST ${one}/validate`]: {
    ...{ id: "clickPipesSshKeyResourceValidate", path: named },
    ...{ ...usual, request: { type: "object", properties: {} }, answers: answers(tunnel) },
  },
};

/** SSH tunnels of pipes, which the product calls SSH key resources. No API document has them. */
export const tunnelCorrections: readonly Correction[] = [
  ...Object.entries(operations).map(
    ([at, adds]): Correction => ({
      ...{ table: "cloud", at, adds, seen },
      because: "Pipes reach brokers and databases through an SSH host, whose key the service makes.",
    }),
  ),
  {
    table: "cloud",
    at: ["PostKafka", "MutatePostgres", "MutateMySQL", "MutateMongoDB"].map(
      (kind) => `ClickPipe${kind}Source.sshKeyResourceId`,
    ),
    is: uuid,
    because: "A new pipe names its SSH tunnel; no update takes it.",
    seen,
  },
  {
    table: "cloud",
    at: ["Kafka", "Postgres", "MySQL", "MongoDB"].map((kind) => `ClickPipe${kind}Source.sshKeyResourceId`),
    is: { type: ["string", "null"], format: "uuid" },
    because: "Answers may show the SSH tunnel of a pipe, or leave it out.",
    seen,
  },
];
