import * as pulumi from "@pulumi/pulumi";
import * as pulumiservice from "@pulumi/pulumiservice";

const config = new pulumi.Config();

// The stack to watch: its program uses pipestack.
const watched = {
  organization: config.require("organization"),
  project: config.require("project"),
  stack: config.require("stack"),
};

// Deployments run with these settings of the provider, which take precedence over the stack's configuration.
const pipestack = new pulumi.Config("pipestack");
const environmentVariables = {
  PIPESTACK_BASE_URL: pipestack.require("baseUrl"),
  PIPESTACK_OBS_BASE_URL: pipestack.require("obsBaseUrl"),
  PIPESTACK_ORGANIZATION_ID: pipestack.require("organizationId"),
  PIPESTACK_SERVICE_ID: pipestack.require("serviceId"),
  PIPESTACK_KEY_ID: pipestack.requireSecret("keyId"),
  PIPESTACK_KEY_SECRET: pipestack.requireSecret("keySecret"),
  PIPESTACK_ACCESS_TOKEN: pipestack.requireSecret("accessToken"),
  // For the issue about drift.
  GITHUB_REPOSITORY: config.require("repository"),
  GITHUB_TOKEN: config.requireSecret("githubToken"),
};

const settings = new pulumiservice.DeploymentSettings("settings", {
  ...watched,
  sourceContext: {
    git: { branch: `refs/heads/${config.require("branch")}`, repoDir: config.require("folder") },
  },
  vcs: {
    provider: "github",
    repository: config.require("repository"),
    previewPullRequests: true,
    deployCommits: true,
  },
  // Each run begins with the check, so that an update does not undo a better dashboard before somebody has seen it.
  operationContext: {
    environmentVariables,
    preRunCommands: ["npm ci", `node reportDrift.mjs ${watched.stack}`],
  },
});

// Pulumi Cloud shows drift in the stack's Drift tab and notifies those who subscribed to it.
const schedule = new pulumiservice.DriftSchedule(
  "every-four-hours",
  { ...watched, scheduleCron: "17 */4 * * *", autoRemediate: false },
  { dependsOn: settings },
);

export const scheduleId = schedule.scheduleId;
