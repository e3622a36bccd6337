resource "sundayNight" "pipestack:index:UpgradeWindow" {
  weekday      = 0
  startHourUtc = 0
}
