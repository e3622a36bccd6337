import { type Data, isObject, pick } from "../../values/data";
import { Type } from "../../values/schemaBuilders";
import type { Failure } from "../../values/validate";
import { sourceIn } from "./kinds";
import { text } from "./streamSources";

const secret = { secret: true, shown: "never" } as const;

export const credentialsSchema = Type.Object(
  {
    /** User of a database or of Kafka; with a `password`. */
    username: Type.Optional(Type.String(text)),
    /** Password of that user. */
    password: Type.Optional(Type.String(text)),
    /** Id of a key of AWS; with a `secretKey`. */
    accessKeyId: Type.Optional(Type.String(text)),
    /** Secret of that key. */
    secretKey: Type.Optional(Type.String(text)),
    /** Connection string of Azure: of Event Hubs or of a storage account. */
    connectionString: Type.Optional(Type.String(text)),
    /** Certificate (PEM) of the client, for the authentication `MUTUAL_TLS`; with a `privateKey`. */
    certificate: Type.Optional(Type.String(text)),
    /** Private key (PEM) of that certificate. */
    privateKey: Type.Optional(Type.String(text)),
    /** Key of a service account of Google Cloud: the content of its file in JSON, or that in base64, as the service takes it. */
    serviceAccountKey: Type.Optional(Type.String(text)),
  },
  { additionalProperties: false, ...secret, irremovable: "a pipe keeps them" },
);

export const schemaRegistryCredentialsSchema = Type.Object(
  {
    /** User of the registry. */
    username: Type.String(text),
    /** Password of that user. */
    password: Type.String(text),
  },
  { additionalProperties: false, ...secret, sent: "atCreation", replaces: true },
);

const login = ["username", "password"] as const;
const accessKey = ["accessKeyId", "secretKey"] as const;

/** The credentials that each authentication takes: one of these combinations. */
const combinations: { readonly [authentication: string]: readonly (readonly string[])[] } = {
  PLAIN: [login],
  "SCRAM-SHA-256": [login],
  "SCRAM-SHA-512": [login],
  basic: [login],
  IAM_USER: [accessKey],
  MUTUAL_TLS: [["certificate", "privateKey"]],
  CONNECTION_STRING: [["connectionString"]],
  SERVICE_ACCOUNT: [["serviceAccountKey"]],
  IAM_ROLE: [],
  SERVICE_ACCOUNT_WORKLOAD_IDENTITY: [],
};

/** The combinations of credentials of which a source takes one; undefined where that is not known yet. */
function combinationsOf(declared: Data): readonly (readonly string[])[] | undefined {
  const source = sourceIn(declared);
  if (!source) return undefined;
  const { kind, members } = source;
  const { authentication = defaultAuthentication[kind], type } = members;
  if (authentication === undefined) return [];
  if (type === "azureeventhub" && authentication === "PLAIN") return [login, ["connectionString"]];
  return combinations[String(authentication)];
}

const defaultAuthentication: { readonly [kind: string]: string } = {
  ...{ postgres: "basic", mysql: "basic", mongodb: "basic" },
};

/** The violations of what the credentials of a pipe are to be. */
export function credentialFailures(declared: Data): Failure[] {
  const { credentials } = declared;
  const taken = combinationsOf(declared);
  if (!isObject(credentials) || !taken) return [];
  const given = Object.keys(credentials);
  if (taken.some((names) => names.length === given.length && names.every((name) => given.includes(name))))
    return [];
  return [{ path: "credentials", message: `must be ${wordsOf(taken)}` }];
}

/** The failure of a pipe that has to be created, and for which a program declares no credentials. */
export function missingCredentials(declared: Data): Failure[] {
  const taken = combinationsOf(declared) ?? [];
  const { schemaRegistry } = sourceIn(declared)?.members ?? {};
  const needsRegistry =
    isObject(schemaRegistry) &&
    (schemaRegistry.type ?? "confluent") === "confluent" &&
    declared.schemaRegistryCredentials === undefined;
  return [
    ...(taken.length > 0 && declared.credentials === undefined
      ? [{ path: "credentials", message: `is missing: the source needs ${wordsOf(taken)}` }]
      : []),
    ...(needsRegistry
      ? [{ path: "schemaRegistryCredentials", message: "is missing: source.kafka.schemaRegistry needs it" }]
      : []),
  ];
}

function wordsOf(taken: readonly (readonly string[])[]): string {
  if (taken.length === 0) return "left out: the source takes none with this authentication";
  return taken.map((names) => names.join(" and ")).join(", or ");
}

/** Where a request has the credentials of a source: some among its own members. */
export function placed(kind: string, credentials: unknown): Data {
  if (!isObject(credentials)) return {};
  const { serviceAccountKey } = credentials;
  switch (kind) {
    case "kinesis":
      return { accessKey: credentials };
    case "objectStorage":
      return "accessKeyId" in credentials
        ? { accessKey: pick(credentials, accessKey) }
        : pick(credentials, ["connectionString", "serviceAccountKey"]);
    case "pubsub":
      return { serviceAccountKey: { serviceAccountFile: serviceAccountKey } };
    case "bigquery":
      return { credentials: { serviceAccountFile: serviceAccountKey } };
    default:
      return { credentials };
  }
}
