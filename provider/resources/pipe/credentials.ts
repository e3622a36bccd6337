import { isObject, type PropertyMap, pick } from "../../values/data";
import { Type } from "../../values/schemaBuilders";
import type { Failure } from "../../values/validate";
import { type Source, sourceIn } from "./kinds";
import { text } from "./streamSources";

const secret = { secret: true, shown: "never" } as const;

export const credentialsSchema = Type.Object(
  {
    /** User name for the pipe's source, a database or Kafka; with a `password`. */
    username: Type.Optional(Type.String({ ...text, secret: false })),
    /** Password of the user for the pipe's source. */
    password: Type.Optional(Type.String(text)),
    /** Id of the AWS access key with which the pipe reads its source; with a `secretKey`. */
    accessKeyId: Type.Optional(Type.String({ ...text, secret: false })),
    /** Secret of the AWS access key with which the pipe reads its source. */
    secretKey: Type.Optional(Type.String(text)),
    /** Azure connection string of the pipe's source: of Event Hubs or of a storage account. */
    connectionString: Type.Optional(Type.String(text)),
    /** Client certificate (PEM) with which the pipe authenticates to its source by `MUTUAL_TLS`; with a `privateKey`. */
    certificate: Type.Optional(Type.String(text)),
    /** Private key (PEM) of the client certificate with which the pipe authenticates. */
    privateKey: Type.Optional(Type.String(text)),
    /**
     * Key of the Google Cloud service account with which the pipe reads its source: the content of the key file, in JSON or in
     * base64.
     */
    serviceAccountKey: Type.Optional(Type.String(text)),
  },
  { additionalProperties: false, ...secret, irremovable: "a pipe keeps them" },
);

export const schemaRegistryCredentialsSchema = Type.Object(
  {
    /** User name with which the pipe reads the schema registry. */
    username: Type.String({ ...text, secret: false }),
    /** Password with which the pipe reads the schema registry. */
    password: Type.String(text),
  },
  { additionalProperties: false, ...secret, sent: "atCreation", replaces: true },
);

const login = ["username", "password"] as const;
const accessKey = ["accessKeyId", "secretKey"] as const;

/** The credentials that a pipe needs for each kind of authentication: one of the listed combinations of properties. */
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

/** The combinations of credentials of which a pipe's source needs one; undefined if a preview does not know the source. */
function combinationsOf(declared: PropertyMap): readonly (readonly string[])[] | undefined {
  const source = sourceIn(declared);
  if (!source) return undefined;
  const authentication = authenticationOf(source, declared.credentials);
  if (authentication === undefined) return [];
  if (source.members.type === "azureeventhub" && authentication === "PLAIN")
    return [login, ["connectionString"]];
  return combinations[String(authentication)];
}

const defaultAuthentication: { readonly [kind: string]: string } = {
  ...{ postgres: "basic", mysql: "basic", mongodb: "basic", bigquery: "SERVICE_ACCOUNT" },
};

/** For kinds of source that may have no credentials: the authentication that credentials stand for, by one of their members. */
const authenticationBy: { readonly [kind: string]: { readonly [member: string]: string } } = {
  kafka: {
    ...{ username: "PLAIN", password: "PLAIN", connectionString: "PLAIN" },
    ...{
      accessKeyId: "IAM_USER",
      secretKey: "IAM_USER",
      certificate: "MUTUAL_TLS",
      privateKey: "MUTUAL_TLS",
    },
  },
  objectStorage: {
    ...{ accessKeyId: "IAM_USER", secretKey: "IAM_USER", connectionString: "CONNECTION_STRING" },
    serviceAccountKey: "SERVICE_ACCOUNT",
  },
};

/**
 * The authentication of a pipe's source: as declared or, without a declaration, the one that the credentials stand for, so that
 * no pipe with credentials reads its source without them.
 */
function authenticationOf({ kind, members }: Source, credentials: unknown): unknown {
  if (members.authentication !== undefined) return members.authentication;
  const [first = ""] = isObject(credentials) ? Object.keys(credentials) : [];
  return authenticationBy[kind]?.[first] ?? defaultAuthentication[kind];
}

/**
 * A source with the authentication that its credentials stand for, where the program declares none.
 *
 * @param live the authentication of the pipe that is updated, which stays if it takes these credentials
 */
export function withAuthentication(source: Source, credentials: unknown, live?: unknown): Source {
  const given = isObject(credentials) ? Object.keys(credentials) : [];
  const isTaken = combinations[String(live)]?.some((members) =>
    given.every((name) => members.includes(name)),
  );
  if (!authenticationBy[source.kind] || isTaken) return source;
  const authentication = authenticationOf(source, credentials);
  return authentication === undefined
    ? source
    : { ...source, members: { ...source.members, authentication } };
}

/** The failures for a pipe whose declared credentials do not fit the authentication of its source. */
export function credentialFailures(declared: PropertyMap): Failure[] {
  const { credentials } = declared;
  const taken = combinationsOf(declared);
  if (!isObject(credentials) || !taken) return [];
  const given = Object.keys(credentials);
  if (taken.some((names) => names.length === given.length && names.every((name) => given.includes(name))))
    return [];
  return [{ path: "credentials", message: `must be ${credentialsIn(taken)}` }];
}

/** The failures for a pipe to be created whose program lacks the credentials that its source needs. */
export function missingCredentials(declared: PropertyMap): Failure[] {
  const taken = combinationsOf(declared) ?? [];
  const { schemaRegistry } = sourceIn(declared)?.members ?? {};
  const needsRegistry =
    isObject(schemaRegistry) &&
    (schemaRegistry.type ?? "confluent") === "confluent" &&
    declared.schemaRegistryCredentials === undefined;
  return [
    ...(taken.length > 0 && declared.credentials === undefined
      ? [{ path: "credentials", message: `is missing: the source needs ${credentialsIn(taken)}` }]
      : []),
    ...(needsRegistry
      ? [{ path: "schemaRegistryCredentials", message: "is missing: source.kafka.schemaRegistry needs it" }]
      : []),
  ];
}

function credentialsIn(taken: readonly (readonly string[])[]): string {
  if (taken.length === 0) return "left out: the source takes none with this authentication";
  return taken.map((names) => names.join(" and ")).join(", or ");
}

/**
 * The credentials of a pipe's source in the form of a request: some kinds of source have other names for them than programs
 * use.
 */
export function placed(kind: string, credentials: unknown): PropertyMap {
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
