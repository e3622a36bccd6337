import type { Records } from "../records";
import { settleCdcScalings } from "./pipeCdcScaling";
import { settlePipes } from "./pipeChanges";
import { pipes } from "./pipes";
import { settlePostgres } from "./postgresServices";
import { settleEndpoints } from "./reversePrivateEndpoints";
import { services } from "./services";
import { settleAttachments } from "./udfAttachments";
import { settleUdfs } from "./udfs";

export function settle(store: Records, now: number): void {
  settleServices(store, now);
  settleEndpoints(store, now);
  settlePipes(pipes, store, now);
  settleCdcScalings(store, now);
  settlePostgres(store, now);
  settleUdfs(store, now);
  settleAttachments(store, now);
}

function settleServices(store: Records, now: number): void {
  for (const service of [...store.of(services).values()]) {
    const due = (service.steps ?? []).filter(({ at }) => at <= now);
    const latest = due.at(-1);
    if (!latest) continue;
    if (latest.state === "terminated") {
      store.organization.deletedServiceIds = [...(store.organization.deletedServiceIds ?? []), service.id];
      store.removeAllOf(service.id);
      store.remove(services, service.id);
      continue;
    }
    const { steps = [], ...members } = service;
    const left = steps.slice(due.length);
    store.write(services, {
      ...members,
      state: latest.state,
      since: latest.at,
      ...(left.length > 0 && { steps: left }),
    });
  }
}
