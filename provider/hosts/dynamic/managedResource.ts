import * as pulumi from "@pulumi/pulumi";
import { withDefaultName } from "../../lifecycle/check";
import type { Contract } from "../../lifecycle/resource";
import { limitStackTraces } from "./stackTraces";

/** Where an existing object is, for `static get`. */
export interface ScopeArgs {
  /** Organization (uuid). Default: the setting `organizationId`. */
  readonly organizationId?: pulumi.Input<string>;
  /** Service (uuid). Default: the setting `serviceId`. */
  readonly serviceId?: pulumi.Input<string>;
}

/**
 * The base of every resource class. The engine's dynamic host runs what `__provider` says, on refresh and destroy too,
 * from state that may be years old. So it is a constant: it names the type in this package's `host` module, which is
 * installed beside the program, and an upgrade of the package upgrades every resource. The string and the type token
 * are frozen.
 */
export abstract class ManagedResource extends pulumi.CustomResource {
  constructor(
    resource: Pick<Contract, "type" | "inputs" | "outputs" | "secrets" | "namedBy">,
    name: string,
    args: object,
    opts: pulumi.CustomResourceOptions = {},
  ) {
    const names = [...Object.keys(resource.inputs.properties), ...Object.keys(resource.outputs.properties)];
    // The engine only fills in outputs that are there from the start.
    const undefinedOutputs = Object.fromEntries(names.map((output) => [output, undefined]));
    // Marking an output as secret leaves the input of the same name readable in state.
    // A program in plain JavaScript may pass no arguments; check then reports what is missing.
    const declared: object = opts.id ? { ...args } : withDefaultName(resource, name, { ...args });
    const secretInputs = Object.entries(declared)
      .filter(([input, value]) => resource.secrets?.includes(input) && value !== undefined)
      .map(([input, value]) => [input, pulumi.secret(value)]);
    const restoreStackTraces = limitStackTraces();
    try {
      super(
        `pulumi-nodejs:dynamic/pipestack:${resource.type}`,
        name,
        {
          ...undefinedOutputs,
          ...declared,
          ...Object.fromEntries(secretInputs),
          __provider: providerString(resource.type),
        },
        pulumi.mergeOptions(opts, { additionalSecretOutputs: [...(resource.secrets ?? [])] }),
      );
    } finally {
      restoreStackTraces();
    }
  }
}

/** What the state holds as the code of a resource. */
export function providerString(type: string): string {
  return `exports.handler=()=>require("pipestack/host").${type}`;
}

/** Arguments that only say where an existing object is. */
export function existing<Args>(place: ScopeArgs | undefined): Args {
  return { ...place } as Args;
}
