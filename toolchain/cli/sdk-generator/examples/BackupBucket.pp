resource "own" "pipestack:index:BackupBucket" {
  bucketProvider = "AWS"
  bucketPath     = "https://acme-backups.s3.amazonaws.com"
  iamRoleArn     = "arn:aws:iam::123456789012:role/clickhouse-backups"
}
