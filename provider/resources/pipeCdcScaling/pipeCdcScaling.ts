import { MissingObject } from "../../api/errors";
import { resourceOf } from "../../lifecycle/lifecycle";
import { seenAfter } from "../../lifecycle/polling";
import type { Resource } from "../../lifecycle/resource";
import { inService } from "../../lifecycle/scope";
import type { At } from "../../lifecycle/steps";
import type { PropertyMap } from "../../values/data";
import { oneOf } from "../../values/schema";
import { Type } from "../../values/schemaBuilders";
import { ofRunningService } from "../serviceState/wake";

/** Gigabytes of memory for each core of database pipes. */
const memoryOfCore = 4;

/**
 * Inputs of the scaling that all database pipes of a service share.
 * @see "Update the ClickPipes CDC scaling" in the documents of ClickHouse Cloud
 */
export const pipeCdcScalingInputs = inService({
  /** CPU that the service's database pipes share, in thousandths of a core: a multiple of 1000 from 1000 to 32000. */
  replicaCpuMillicores: Type.Integer({ minimum: 1000, maximum: 32_000, multipleOf: 1000 }),
  /**
   * Memory that the service's database pipes share, in GB: 4 for each core, so a multiple of 4 from 4 to 128. Default: what
   * fits the cores.
   */
  replicaMemoryGb: Type.Optional(Type.Integer({ minimum: 4, maximum: 128, multipleOf: 4 })),
  /**
   * What destroying the resource does: `keep` (default) leaves the scaling of the database pipes as it is, `restore` puts back
   * the values from before the resource was created.
   */
  onDestroy: Type.Optional(oneOf(["keep", "restore"], { sent: "never" })),
  /** Whether an update may wake an idle service, which is billed while it runs. Default: false. */
  wakeService: Type.Optional(Type.Boolean({ sent: "never" })),
});

export const pipeCdcScalingOutputs = Type.Object({});

export const pipeCdcScalingResource: Resource = ofRunningService(
  resourceOf({
    type: "PipeCdcScaling",
    noun: "scaling of database pipes",
    inputs: pipeCdcScalingInputs,
    outputs: pipeCdcScalingOutputs,
    scope: "service",
    dialect: "clickhouse",
    operations: {
      create: "updatePipeCdcScaling",
      get: "getPipeCdcScaling",
      update: "updatePipeCdcScaling",
    },

    failures: ({ replicaCpuMillicores: cpu, replicaMemoryGb: memory }) =>
      typeof cpu === "number" && typeof memory === "number" && memory !== memoryFor(cpu)
        ? [
            {
              path: "replicaMemoryGb",
              message: `must be ${memoryFor(cpu)}, which is ${memoryOfCore} for each core of replicaCpuMillicores`,
            },
          ]
        : [],

    encode: (body) => ({ replicaMemoryGb: memoryFor(Number(body.replicaCpuMillicores)), ...body }),

    // The API shows the scaling of database pipes only after the first such pipe was created, and shows a change of it late.
    steps: ({ desired }) => [
      {
        operation: "updatePipeCdcScaling",
        body: desired,
        async rescue(error, { id }) {
          // A service has no scaling of database pipes before the first such pipe, which the same update may create. So a preview
          // accepts a missing scaling, and only the write reports it.
          if (!(error instanceof MissingObject)) throw error;
          throw new MissingObject(
            error.site,
            `service ${id} has no ${pipeCdcScalingResource.noun} yet: it comes with the first pipe of a database, once that is provisioned; let this resource depend on that pipe (dependsOn)`,
          );
        },
      },
      { ensure: (at) => shownAfter(desired, at) },
    ],
  }),
);

function memoryFor(replicaCpuMillicores: number): number {
  return (replicaCpuMillicores / 1000) * memoryOfCore;
}

/** Milliseconds between two reads of the scaling of database pipes after a change, which takes the service 2 to 5 minutes. */
const waits = Array<number>(36).fill(15_000);

/** Reads the scaling of database pipes until it shows the values of a request; after too long a wait, returns what it shows. */
async function shownAfter(body: PropertyMap, { id, context: { session, scope } }: At): Promise<PropertyMap> {
  const look = (): Promise<PropertyMap> => session.call("getPipeCdcScaling", scope);
  const isShown = (live: PropertyMap) => Object.entries(body).every(([name, value]) => live[name] === value);
  const soon = await seenAfter(await look(), isShown, look, session);
  if (isShown(soon)) return soon;
  session.inform(`scaling of the database pipes of service ${id} is changing, which takes minutes`);
  return seenAfter(soon, isShown, look, session, waits);
}
