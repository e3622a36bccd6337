resource "officeHours" "pipestack:index:ServiceScalingSchedule" {
  entries = [{
    name         = "Office hours"
    weekdays     = [1, 2, 3, 4, 5]
    startHourUtc = 7
    endHourUtc   = 19
    numReplicas  = 4
  }]
}
