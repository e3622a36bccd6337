// The types of @pulumi/pulumiservice 1.3.0 that examples/drift/deployments uses, since the tests do not install that package.
import type { CustomResource, CustomResourceOptions, Input, Output } from "@pulumi/pulumi";

interface Stack {
  organization: Input<string>;
  project: Input<string>;
  stack: Input<string>;
}

interface DeploymentSettingsArgs extends Stack {
  operationContext?: Input<{
    environmentVariables?: Input<{ [key: string]: Input<string> }>;
    preRunCommands?: Input<Input<string>[]>;
  }>;
  sourceContext?: Input<{ git?: Input<{ branch?: Input<string>; repoDir?: Input<string> }> }>;
  vcs?: Input<{
    provider: Input<string>;
    repository?: Input<string>;
    previewPullRequests?: Input<boolean>;
    deployCommits?: Input<boolean>;
  }>;
}

interface DriftScheduleArgs extends Stack {
  autoRemediate?: Input<boolean>;
  scheduleCron: Input<string>;
}

export declare class DeploymentSettings extends CustomResource {
  constructor(name: string, args: DeploymentSettingsArgs, options?: CustomResourceOptions);
}

export declare class DriftSchedule extends CustomResource {
  readonly scheduleId: Output<string>;
  constructor(name: string, args: DriftScheduleArgs, options?: CustomResourceOptions);
}
