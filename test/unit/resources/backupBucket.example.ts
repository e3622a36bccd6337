import { type Example, organizationId, serviceId } from "./example";

export const awsBucket = {
  ...{ bucketProvider: "AWS", bucketPath: "https://s3.example.com/backups/lake" },
  iamRoleArn: "arn:aws:iam::123456789012:role/backups",
};
const session = { iamRoleSessionName: "clickhouse", iamRoleExternalId: "external-1" };

export const gcpBucket = {
  ...{ bucketProvider: "GCP", bucketPath: "https://gs.example.com/backups/lake" },
  ...{ accessKeyId: "GOOG1EXAMPLE", secretAccessKey: "the secret of the HMAC key" },
};

export const azureBucket = {
  ...{ bucketProvider: "AZURE", containerName: "backups" },
  connectionString: "AccountName=backups;AccountKey=the-key-of-the-account",
};

export const backupBucketExample: Example = {
  valid: { organizationId, serviceId, ...awsBucket, ...session, onDestroy: "keep" },
  wholes: { "a role of AWS": { ...awsBucket, ...session }, "a key of GCP": gcpBucket, Azure: azureBucket },
  programs: () => [awsBucket, { ...awsBucket, bucketPath: "https://s3.example.com/backups/other" }],
  find: ({ store }, id) => [...store.backupBuckets.values()].find((bucket) => bucket.serviceId === id),
  made: ["id"],
};
