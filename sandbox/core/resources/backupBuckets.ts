import { ApiError, badRequest, notFound } from "../apiError";
import type { Records } from "../records";
import { type Call, documentedRoute, type Route, type RouteContext } from "../routes";
import type { Resource } from "./resource";
import { services } from "./services";

/** The bucket of a user's own in which a service puts backups besides its own ones. No answer shows the bucket's secret. */
export interface BackupBucket {
  id: string;
  serviceId: string;
  bucketProvider: "AWS" | "GCP" | "AZURE";
  bucketPath?: string;
  iamRoleArn?: string;
  iamRoleSessionName?: string;
  iamRoleExternalId?: string;
  accessKeyId?: string;
  secretAccessKey?: string;
  containerName?: string;
  connectionString?: string;
}

type Body = { bucketProvider: BackupBucket["bucketProvider"] } & {
  [Member in keyof Omit<BackupBucket, "id" | "serviceId" | "bucketProvider">]?: string | null;
};

/** What each kind of bucket needs at its creation, and the secret that each request about it needs. */
const members: {
  readonly [Provider in BackupBucket["bucketProvider"]]: {
    readonly needed: readonly (keyof BackupBucket)[];
    readonly secret?: keyof Body;
  };
} = {
  AWS: { needed: ["bucketPath", "iamRoleArn"] },
  GCP: { needed: ["bucketPath", "accessKeyId"], secret: "secretAccessKey" },
  AZURE: { needed: ["containerName"], secret: "connectionString" },
};

/** The bucket for backups of a service in the sandbox, of which a service has one at most. */
export const backupBuckets = {
  place: "service",
  dialect: "clickhouse",
  operations: ["getBackupBucket", "createBackupBucket", "updateBackupBucket", "deleteBackupBucket"],
  path: () => "backupBucket",

  seed: (): BackupBucket[] => [],
  columns: ["bucketProvider", "bucketPath", "containerName"],

  routes({ store, ids }: RouteContext): Route[] {
    const of = ({ service }: Pick<Call, "service">) => store.ofService(backupBuckets, service.id)[0];
    const find = (call: Pick<Call, "service">) => {
      const bucket = of(call);
      if (!bucket) throw notFound("the service has no backup bucket");
      return bucket;
    };
    return [
      { operation: "getBackupBucket", method: "GET", path: "", run: (call) => shown(find(call)) },
      documentedRoute<Body>({
        operation: "updateBackupBucket",
        method: "PATCH",
        path: "",
        run(call) {
          const bucket = find(call);
          if (call.body.bucketProvider !== bucket.bucketProvider)
            throw badRequest(
              "bucketProvider cannot be changed: delete the backup bucket, and create another",
            );
          const changed = changedBucket(bucket, call.body);
          store.write(backupBuckets, changed);
          return shown(changed);
        },
      }),
      documentedRoute<Body>({
        operation: "createBackupBucket",
        method: "POST",
        path: "",
        run(call) {
          const { service, body } = call;
          checkService(store, service.id);
          if (of(call)) throw new ApiError(409, "the service has a backup bucket already");
          const { bucketProvider } = body;
          const bucket = changedBucket({ id: ids.uuid(), serviceId: service.id, bucketProvider }, body);
          store.write(backupBuckets, bucket);
          return shown(bucket);
        },
      }),
      {
        operation: "deleteBackupBucket",
        method: "DELETE",
        path: "",
        run: (call) => store.remove(backupBuckets, find(call).id),
      },
    ];
  },
} as const satisfies Resource;

/** Services with regulated data keep their backups in ClickHouse Cloud alone. */
function checkService(store: Records, id: string): void {
  const { complianceType } = store.of(services).get(id) ?? {};
  if (complianceType) throw badRequest(`a service with complianceType ${complianceType} takes no bucket`);
}

/** The bucket after a request. A member that is null is cleared. */
function changedBucket(before: BackupBucket, body: Body): BackupBucket {
  const { needed, secret } = members[before.bucketProvider];
  if (secret !== undefined && !body[secret]) throw badRequest(`${secret} is required`);
  const given = Object.entries({ ...before, ...body }).filter(([, value]) => value !== null);
  const bucket = Object.fromEntries(given) as unknown as BackupBucket;
  const missing = needed.find((name) => !bucket[name]);
  if (missing !== undefined) throw badRequest(`${missing} is required`);
  return bucket;
}

const shown = ({ serviceId: _, secretAccessKey: _key, connectionString: _text, ...bucket }: BackupBucket) =>
  bucket;
