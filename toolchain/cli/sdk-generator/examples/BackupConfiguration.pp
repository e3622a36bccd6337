resource "nightly" "pipestack:index:BackupConfiguration" {
  backupStartTime              = "03:00"
  backupRetentionPeriodInHours = 168
}
