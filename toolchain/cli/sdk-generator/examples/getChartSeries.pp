errors = invoke("pipestack:index:getChartSeries", {
  series = [{
    sourceId = "66f0c2d8a1b2c3d4e5f60718"
    aggFn    = "count"
    where    = "SeverityText:error"
    groupBy  = ["ServiceName"]
  }]
  startTime   = 1767225600000
  endTime     = 1767312000000
  granularity = "1h"
})
