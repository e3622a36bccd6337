import * as pulumi from "@pulumi/pulumi";
import * as pipestack from "pipestack";

const config = new pulumi.Config();

// Billed from its creation on. Until an update of its own sets the protection to false, nothing deletes or replaces it.
const lake = new pipestack.Service("lake", {
  provider: "aws",
  region: config.get("region") ?? "eu-central-1",
  ipAccessList: [{ source: "203.0.113.0/24", description: "office" }],
  minReplicaMemoryGb: 16,
  maxReplicaMemoryGb: 64,
  idleTimeoutMinutes: 15,
  tags: [{ key: "team", value: "data" }],
  deletionProtection: config.getBoolean("protected") ?? true,
});

// All that follows names the id of the service, and so is created once the service runs.
const serviceId = lake.id;

new pipestack.ServiceScalingSchedule("office-hours", {
  serviceId,
  entries: [
    { name: "Office hours", weekdays: [1, 2, 3, 4, 5], startHourUtc: 7, endHourUtc: 19, numReplicas: 4 },
  ],
});

new pipestack.BackupConfiguration("nightly", {
  serviceId,
  backupStartTime: "03:00",
  backupRetentionPeriodInHours: 7 * 24,
});

new pipestack.ServiceSettings("settings", { serviceId, settings: { max_concurrent_queries: 500 } });

const key = new pipestack.ApiKey("reports", { roles: ["query_endpoints"] });

new pipestack.QueryEndpoint("queries", {
  serviceId,
  roles: ["sql_console_read_only"],
  openApiKeys: [key.id],
});

// A tile of text, since a new service has no source of data: it gets some when ClickStack is opened in its console, once it has
// data (docs/services.md).
new pipestack.Dashboard("start", {
  serviceId,
  name: "Start here",
  tiles: [
    {
      name: "What is where",
      w: 12,
      h: 4,
      config: { displayType: "markdown", markdown: "Tables of the data team: see the runbook." },
    },
  ],
});

export const host = lake.endpoints.apply((endpoints) => endpoints?.[0]?.host);
export const password = lake.generatedPassword;
