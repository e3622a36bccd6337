import { enums } from "../../api/enums.golden";
import { MissingObject } from "../../api/errors";
import { deleteObject } from "../../lifecycle/delete";
import { resourceOf } from "../../lifecycle/lifecycle";
import type { Resource } from "../../lifecycle/resource";
import { inService } from "../../lifecycle/scope";
import { trackingOf } from "../../lifecycle/state";
import { updateOf } from "../../lifecycle/write";
import { differences } from "../../values/compare";
import { isSameId, type PropertyMap } from "../../values/data";
import { oneOf } from "../../values/schema";
import { Type } from "../../values/schemaBuilders";
import type { Failure } from "../../values/validate";

const text = { minLength: 1 } as const;

/** A secret that each request about a bucket carries. */
const secret = { minLength: 1, secret: true, shown: "never" } as const;

/** Inputs of the bucket for backups of a service. */
export const backupBucketInputs = inService({
  /**
   * The cloud provider of the bucket. A change replaces the resource: the old bucket is taken off the service first, whatever
   * `onDestroy` says.
   */
  bucketProvider: oneOf(enums.backupBucketProvider, { replaces: true }),
  /** With `AWS` and `GCP`: address of the bucket, such as `https://backups.s3.amazonaws.com`. */
  bucketPath: Type.Optional(Type.String(text)),
  /** With `AWS`: ARN of the role with which the service writes into the bucket. */
  iamRoleArn: Type.Optional(Type.String(text)),
  /** With `AWS`: name of the sessions in which the service has the role. A program that drops it clears it. */
  iamRoleSessionName: Type.Optional(Type.String({ ...text, reset: null })),
  /** With `AWS`: external id that the role's trust policy asks for. A program that drops it clears it. */
  iamRoleExternalId: Type.Optional(Type.String({ ...text, reset: null })),
  /** With `GCP`: id of the HMAC key with which the service writes into the bucket. */
  accessKeyId: Type.Optional(Type.String(text)),
  /** With `GCP`: secret of the HMAC key. No answer shows it, so a change by somebody else is not seen. */
  secretAccessKey: Type.Optional(Type.String(secret)),
  /** With `AZURE`: name of the container. */
  containerName: Type.Optional(Type.String(text)),
  /**
   * With `AZURE`: connection string of the storage account. No answer shows it, so a change by somebody else is not seen.
   */
  connectionString: Type.Optional(Type.String(secret)),
  /**
   * What destroying the resource does if the service had a bucket before the resource: `keep` (default) leaves the bucket as it
   * is, `restore` puts back the former values, with `AWS` alone. A bucket that the resource has set is taken off the service, unless
   * `keep` is declared.
   */
  onDestroy: Type.Optional(oneOf(["keep", "restore"], { sent: "never" })),
});

export const backupBucketOutputs = Type.Object({});

/** The members of a bucket of each provider: those that it needs, those that it may have, and the secret of each request. */
const membersOf: {
  readonly [provider: string]: {
    readonly needed: readonly string[];
    readonly further: readonly string[];
    readonly secret?: string;
  };
} = {
  AWS: { needed: ["bucketPath", "iamRoleArn"], further: ["iamRoleSessionName", "iamRoleExternalId"] },
  GCP: { needed: ["bucketPath", "accessKeyId"], further: ["secretAccessKey"], secret: "secretAccessKey" },
  AZURE: { needed: ["containerName"], further: ["connectionString"], secret: "connectionString" },
};

export const backupBucketResource: Resource = resourceOf({
  type: "BackupBucket",
  noun: "backup bucket",
  inputs: backupBucketInputs,
  outputs: backupBucketOutputs,
  scope: "service",
  dialect: "clickhouse",
  isNoOrphan: true,
  operations: {
    create: "createBackupBucket",
    get: "getBackupBucket",
    update: "updateBackupBucket",
    delete: "deleteBackupBucket",
  },

  failures,

  isDeletedFirst,

  // Where the service has no bucket, or none any more, an update makes it.
  steps({ desired, live }) {
    const created = Object.fromEntries(Object.entries(desired).filter(([, value]) => value !== null));
    const creation = { ...updateOf(backupBucketResource, created), operation: "createBackupBucket" } as const;
    if (Object.keys(live).length === 0) return [creation];
    // Each request needs the secret, which the program of an imported bucket may lack until it changes the bucket.
    const { secret } = membersOf[String(desired.bucketProvider)] ?? {};
    const isSame = differences(backupBucketInputs, desired, live, "left").length === 0;
    if (secret !== undefined && !(secret in desired) && isSame) return [{ ensure: async () => live }];
    return [
      {
        ...updateOf(backupBucketResource, desired),
        rescue(error, at) {
          if (error instanceof MissingObject) return at.call(creation.operation, created);
          throw error;
        },
      },
    ];
  },

  around: {
    async diff(usual, id, state, inputs, session) {
      const changes = await usual(id, state, inputs, session);
      const isReplaced = changes.some(({ replaces }) => replaces) && isDeletedFirst(state, inputs);
      if (isReplaced) session.run.noteReplaced(backupBucketResource, id);
      return changes;
    },

    // A service has one bucket at most, so the old one has to go before the one of another provider is made.
    async delete(usual, id, state, session) {
      if (!session.run.isReplaced(backupBucketResource, id)) return usual(id, state, session);
      const { previous = {} } = trackingOf(state);
      if (state.onDestroy === "restore" && Object.keys(previous).length > 0)
        session.warnOnce(
          `BackupBucket: the bucket of another provider takes the place of that of service ${id}; destroying it will not restore the previous values ${JSON.stringify(previous)}`,
        );
      await deleteObject(backupBucketResource, id, state, session);
    },
  },
});

/** Whether the replacement is the bucket of the same service, which has one. */
function isDeletedFirst(state: PropertyMap, { serviceId }: PropertyMap): boolean {
  return isSameId(state.serviceId, serviceId);
}

function failures(inputs: PropertyMap, olds: PropertyMap | undefined): Failure[] {
  const { bucketProvider: provider, onDestroy } = inputs;
  const members = membersOf[String(provider)];
  if (!members) return [];
  const { needed, further, secret } = members;
  const own = [...needed, ...further];
  const missing = needed.filter((name) => inputs[name] === undefined);
  const foreign = Object.values(membersOf)
    .flatMap((other) => [...other.needed, ...other.further])
    .filter((name) => !own.includes(name) && inputs[name] !== undefined);
  // The state of an imported bucket lacks the secret. The program may lack it, too, until it changes the bucket.
  const isSent = !olds || [...own, "bucketProvider"].some((name) => inputs[name] !== olds[name]);
  const lacksSecret = secret !== undefined && inputs[secret] === undefined && isSent;
  return [
    ...missing.map((path) => ({ path, message: `is missing: a bucket of ${provider} needs it` })),
    ...[...new Set(foreign)].map((path) => ({ path, message: `does not go with a bucket of ${provider}` })),
    ...(lacksSecret
      ? [{ path: secret, message: `is missing: each request about a bucket of ${provider} needs it` }]
      : []),
    ...(secret !== undefined && onDestroy === "restore"
      ? [
          {
            path: "onDestroy",
            message: `must be keep with ${provider}, since no answer shows the former ${secret}`,
          },
        ]
      : []),
  ];
}
