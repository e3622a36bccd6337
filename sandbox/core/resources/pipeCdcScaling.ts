import { badRequest, notFound } from "../apiError";
import type { Records } from "../records";
import { type Call, documentedRoute, type Route, type RouteContext } from "../routes";
import { databases } from "./pipeStates";
import { pipes } from "./pipes";
import { sourceOf } from "./productPipes";
import type { Resource } from "./resource";
import { mustRun } from "./serviceStates";
import { services } from "./services";

/** The CPU and memory that all pipes from databases of a service share. */
export interface CdcScaling {
  replicaCpuMillicores: number;
  replicaMemoryGb: number;
}

export interface CdcScalingRecord extends CdcScaling {
  id: string;
  serviceId: string;
  /**
   * The former CPU and memory of the pipes, which reads still show until a time (in milliseconds since 1970), since a change
   * takes minutes.
   */
  former?: CdcScaling & { readonly until: number };
}

/** The scaling that a service gets with its first pipe from a database. */
const first: CdcScaling = { replicaCpuMillicores: 2000, replicaMemoryGb: 8 };

/** Makes reads show the new CPU and memory of a service's pipes once their change is due. */
export function settleCdcScalings(store: Records, now: number): void {
  for (const { former, ...scaling } of [...store.of(pipeCdcScaling).values()])
    if (former && former.until <= now) store.write<CdcScalingRecord>(pipeCdcScaling, scaling);
}

/**
 * The scaling in the sandbox that all pipes from databases of a service share. A service gets it with its first pipe from a
 * database, and keeps it for ever.
 */
export const pipeCdcScaling = {
  place: "service",
  dialect: "clickhouse",
  operations: ["getPipeCdcScaling", "updatePipeCdcScaling"],
  path: () => "clickpipesCdcScaling",

  seed: (): CdcScalingRecord[] => [],

  routes({ store, stateMilliseconds }: RouteContext): Route[] {
    const find = ({ service }: Pick<Call, "service">): CdcScalingRecord => {
      mustRun(store.of(services).get(service.id));
      const scaling = store.of(pipeCdcScaling).get(service.id);
      if (scaling) return scaling;
      const isProvisioned = store
        .ofService(pipes, service.id)
        .some((pipe) => sourceOf(pipe).kind in databases && pipe.state !== "Provisioning");
      const { tablesOfPipes = {} } = store.organization;
      const hadOne = (tablesOfPipes[service.id] ?? []).length > 0;
      if (!isProvisioned && !hadOne) throw notFound("the service has no scaling of CDC pipes");
      return { id: service.id, serviceId: service.id, ...first };
    };
    const shown = ({ former, ...scaling }: CdcScalingRecord, now: number): CdcScaling => {
      const { replicaCpuMillicores, replicaMemoryGb } = former && now < former.until ? former : scaling;
      return { replicaCpuMillicores, replicaMemoryGb };
    };
    return [
      {
        operation: "getPipeCdcScaling",
        method: "GET",
        path: "",
        run: (call) => shown(find(call as Call<never>), call.now),
      },
      documentedRoute<Partial<CdcScaling>>({
        operation: "updatePipeCdcScaling",
        method: "PATCH",
        path: "",
        run(call) {
          const scaling = find(call);
          const before = shown(scaling, call.now);
          const { replicaCpuMillicores, replicaMemoryGb } = { ...before, ...call.body };
          if (replicaMemoryGb * 1000 !== replicaCpuMillicores * 4)
            throw badRequest("replicaMemoryGb must be 4 times the cores of replicaCpuMillicores");
          const former = { ...before, until: call.now + stateMilliseconds };
          store.write(pipeCdcScaling, { ...scaling, replicaCpuMillicores, replicaMemoryGb, former });
          return { replicaCpuMillicores, replicaMemoryGb };
        },
      }),
    ];
  },
} as const satisfies Resource;
