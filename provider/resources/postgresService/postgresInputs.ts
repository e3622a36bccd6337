import { enums } from "../../api/enums.golden";
import { uuid } from "../../api/settingsSchema";
import { adoptableByUuid, inOrganization } from "../../lifecycle/scope";
import { oneOf, openSetOf } from "../../values/schema";
import { Type } from "../../values/schemaBuilders";

/** The form of the addresses that may connect, for messages. */
export const ipv4Rule = "an IPv4 address or a CIDR range, such as 203.0.113.0/24";

const atCreation = { sent: "atCreation", shown: "never" } as const;
const stays = { irremovable: "declare another value to change it" };
const oneRule = "letters, digits, '.', '_' and '-'";

const parameters = (description: string) =>
  Type.Record(
    Type.String(),
    Type.Union([Type.String({ minLength: 1 }), Type.Number()], {
      comparison: "text",
      rule: "a text that is not empty or a number",
    }),
    { reset: {}, rule: `a map of ${description}` },
  );

/**
 * Inputs of a managed Postgres service.
 * @see "Create new Postgres service" and "Update a PostgreSQL service" in the documents of ClickHouse Cloud
 */
export const postgresServiceInputs = inOrganization({
  /**
   * Adopts the existing Postgres service with this id (uuid) instead of creating one; its password stays unknown. Has no effect once
   * the service is in the Pulumi state.
   */
  adoptId: adoptableByUuid,
  /**
   * Name of the Postgres service, 1 to 50 characters. Default: the name of the resource. A change renames the service, which gives
   * it another `hostname` and other certificates.
   */
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 50, rule: "a text of 1 to 50 characters" })),
  /**
   * Cloud that the Postgres service runs in; required unless it is a read replica or restored. A change replaces the service, and
   * loses its data.
   */
  provider: Type.Optional(oneOf(enums.postgresProvider, { replaces: true })),
  /**
   * Region of the cloud, such as `us-east-1`; required unless the Postgres service is a read replica or restored. A change replaces
   * it, and loses its data.
   */
  region: Type.Optional(Type.String({ minLength: 1, replaces: true })),
  /**
   * Size of the Postgres service's machines, such as `r8gd.large`; required unless it is a read replica or restored. A change
   * resizes it in place.
   */
  size: Type.Optional(Type.String({ minLength: 1, ...stays })),
  /**
   * Major version of Postgres. The service's default is the latest. A change replaces the service, and loses its data.
   */
  postgresVersion: Type.Optional(openSetOf(enums.postgresVersion, { replaces: true })),
  /**
   * Standbys of the Postgres service: `none` (the service's default), `async` for one with asynchronous replication, `sync` for two with
   * synchronous replication.
   */
  haType: Type.Optional(oneOf(enums.postgresHaType, stays)),
  /**
   * Creates a read replica of the Postgres service with this id (uuid), which has its provider, region, size, version, access rules
   * and password. Another id replaces the replica; without the line, the replica is promoted to a service of its own, in place. A
   * parent without a backup takes no replica, so the creation waits for the first one.
   */
  readReplicaOf: Type.Optional(Type.String({ ...uuid, ...atCreation, replaces: "declared" })),
  /**
   * Fills the new Postgres service with the data that the service with this id (uuid) had at `restoreTarget`. It has the provider, the
   * region, the version and the password of that one. A later change has no effect.
   */
  restoreOf: Type.Optional(Type.String({ ...uuid, ...atCreation })),
  /**
   * Time (ISO 8601) to which the new Postgres service is restored, between the output `earliestRestoreTime` of `restoreOf` and now.
   * A later change has no effect.
   */
  restoreTarget: Type.Optional(
    Type.String({
      ...atCreation,
      pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?(Z|[+-]\\d\\d:\\d\\d)$",
      rule: "a time such as 2027-03-31T18:17:37Z",
    }),
  ),
  /**
   * IPv4 addresses that may connect to the Postgres service. The program owns only the entries with its `source` and `portRange`: those
   * that others have added stay, unless `keepOtherAddresses` is false. With `[]`, the program allows no address: nobody gets into
   * a new or restored service, and into another one those whom others have allowed. The service's default lets everybody in.
   */
  ipAccessList: Type.Optional(
    Type.Array(
      Type.Object(
        {
          /** An IPv4 address or a CIDR range that may connect to the Postgres service. */
          source: Type.String({ minLength: 1, rule: ipv4Rule, comparison: "network" }),
          /** Port that may be reached, such as `5432` for Postgres and `6432` for PgBouncer, or a range: `5432..6432`. */
          portRange: Type.String({
            pattern: "^\\d{1,5}(\\.\\.\\d{1,5})?$",
            rule: "a port such as 5432 or a range such as 5432..6432",
          }),
          /** Description of the IP address or range that may connect. An empty one means none. */
          description: Type.Optional(Type.String({ comparison: "emptyIsNone" })),
        },
        { additionalProperties: false, identity: ["source", "portRange"] },
      ),
      { comparison: "set", irremovable: "declare the addresses to change them" },
    ),
  ),
  /**
   * Whether the Postgres service keeps IP addresses that other people have added to its list. Default: true. With false the program
   * owns the whole list: other addresses are drift, and the next update removes them.
   */
  keepOtherAddresses: Type.Optional(Type.Boolean({ sent: "never", default: true })),
  /**
   * Tags of the Postgres service, at most 50. The program owns only the tags with its `key` values: tags that others have set stay. A
   * read replica keeps those of its creation, so it gets no default tags.
   */
  tags: Type.Optional(
    Type.Array(
      Type.Object(
        {
          /** Key of the tag: 1 to 128 letters, digits, `.`, `_` and `-`; not beginning with `chc_`. */
          key: Type.String({
            minLength: 1,
            maxLength: 128,
            pattern: "^(?!chc_)[a-zA-Z0-9._-]+$",
            rule: `${oneRule}, not beginning with chc_`,
          }),
          /** Value of the tag: 1 to 256 letters, digits, `.`, `_` and `-`. */
          value: Type.String({ minLength: 1, maxLength: 256, pattern: "^[a-zA-Z0-9._-]+$", rule: oneRule }),
        },
        { additionalProperties: false, identity: ["key"] },
      ),
      {
        ...{ comparison: "set", maxItems: 50, reset: [] },
        ...{ defaultTags: "pairs", noDefaultTagsBeside: "readReplicaOf" },
      },
    ),
  ),
  /**
   * Parameters of Postgres by their names, such as `{ max_connections: 200 }`. The program owns only the parameters that it declares;
   * one that it no longer declares gets Postgres's default.
   */
  pgConfig: Type.Optional(parameters("parameters of Postgres")),
  /** Parameters of PgBouncer by their names, such as `{ default_pool_size: 16 }`, owned as those of `pgConfig`. */
  pgBouncerConfig: Type.Optional(parameters("parameters of PgBouncer")),
  /**
   * Whether an update restarts the Postgres service if the service says that changed parameters need that. Default: false, which warns,
   * and leaves the restart to you.
   */
  restartForConfig: Type.Optional(Type.Boolean({ sent: "never", default: false })),
  /**
   * Password of the superuser `postgres`, kept encrypted in the Pulumi state: at least 12 characters with a lowercase letter, an uppercase
   * letter and a digit. Sent only when it changes. Default: the service makes a password, which is the output `generatedPassword`.
   */
  password: Type.Optional(
    Type.String({
      minLength: 12,
      maxLength: 1024,
      pattern: "^(?=[^]*[a-z])(?=[^]*[A-Z])(?=[^]*[0-9])",
      rule: "a text of 12 to 1024 characters with a lowercase letter, an uppercase letter and a digit",
      secret: true,
      standIn: "Stand-in-12-Stand-in",
      shown: "never",
      irremovable: "change passwordKeepers to have one made",
    }),
  ),
  /**
   * Arbitrary values. Changing one of them sends the `password` again or, without it, has the service make a new `generatedPassword`.
   */
  passwordKeepers: Type.Optional(Type.Record(Type.String(), Type.String(), { sent: "never" })),
  /**
   * Whether the provider refuses to delete or replace the Postgres service, which would lose its data. Default: true. To delete it,
   * first set false in an update of its own. A service that never ran is not protected.
   */
  deletionProtection: Type.Optional(Type.Boolean({ sent: "never", default: true })),
  /**
   * Minutes to wait when the Postgres service is created, changed or deleted, 1 to 1440. Default: 30, or 120 to create a read replica
   * or a restored service. The option `customTimeouts` may end a wait sooner.
   */
  waitMinutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440, sent: "never" })),
  /**
   * Whether to create the Postgres service although another one with the same name, cloud and region exists. Default: false, which
   * refuses that, since an update that was killed may have created the existing one.
   */
  allowSameName: Type.Optional(Type.Boolean({ sent: "never", default: false })),
});

/** Outputs of a managed Postgres service beyond its inputs. */
export const postgresServiceOutputs = Type.Object({
  /**
   * Password of the superuser that the service has made, if the program declares none; a secret. Unknown for a read replica or a
   * restored service, which have that of the other one, and after an import, an adoption, or a creation whose answer was lost: change
   * `passwordKeepers` to have a new one made.
   */
  generatedPassword: Type.Optional(Type.String({ secret: true, shown: "atCreation", renewable: true })),
  /** Host of the Postgres service, with port 5432 for Postgres and 6432 for PgBouncer. It has the service's name in it. */
  hostname: Type.Optional(Type.String()),
  /** Name of the superuser. */
  username: Type.Optional(Type.String()),
  /** Whether clients can write to the Postgres service: false for a read replica. */
  isPrimary: Type.Optional(Type.Boolean()),
  /** State of the Postgres service, such as `running`; it changes by itself and never counts as drift. */
  state: Type.Optional(openSetOf(enums.postgresServiceState, { volatile: true })),
  /** Storage of the Postgres service, in GiB, which follows from its size. */
  storageSize: Type.Optional(Type.Number({ volatile: true })),
  /** The earliest time to which a new service can be restored (ISO 8601); absent until the first backup is complete. */
  earliestRestoreTime: Type.Optional(Type.String({ volatile: true })),
  /**
   * IP addresses and CIDR ranges that may connect to the Postgres service and that the program does not declare. Empty if the program
   * owns the whole list (`keepOtherAddresses: false`).
   */
  otherAddresses: Type.Optional(Type.Array(Type.String(), { volatile: true })),
  /** When the Postgres service was created (ISO 8601). */
  createdAt: Type.Optional(Type.String()),
});
