import {
  type backupBucketInputs,
  type backupBucketOutputs,
  backupBucketResource,
} from "../../resources/backupBucket/backupBucket";
import { managedResource } from "./managedResource";
import type { InputsOf, OutputsOf } from "./types";

/** Arguments of a {@link BackupBucket}. */
export interface BackupBucketArgs extends InputsOf<typeof backupBucketInputs> {}

export interface BackupBucket extends OutputsOf<typeof backupBucketInputs, typeof backupBucketOutputs> {}

/**
 * A bucket of your own in which a service of ClickHouse Cloud puts backups, besides those that ClickHouse Cloud keeps itself. A service
 * has one bucket, so the `id` is the service's, and declaring it takes over the present one. Needs `dialect: clickhouse`, and a plan
 * with this feature; services with HIPAA or PCI compliance are refused.
 *
 * A change of `organizationId`, `serviceId` or `bucketProvider` replaces the resource, everything else is updated in place. Destroying
 * it takes the bucket off the service, and leaves the backups in it; a bucket that was there before stays, or gets its former values
 * with `onDestroy: "restore"`.
 * @example
 * ```typescript
 * new pipestack.BackupBucket("own", {
 *   bucketProvider: "AWS",
 *   bucketPath: "https://acme-backups.s3.amazonaws.com",
 *   iamRoleArn: "arn:aws:iam::123456789012:role/clickhouse-backups",
 * });
 * ```
 */
export class BackupBucket extends managedResource<BackupBucketArgs>(backupBucketResource) {}
