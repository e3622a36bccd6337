import type { Service } from "../../api/answers.golden";
import { MissingObject, RefusedRequest } from "../../api/errors";
import type { Answer } from "../../api/operations";
import type { Definition } from "../../lifecycle/definition";
import { deleteObject } from "../../lifecycle/delete";
import { nextList } from "../../lifecycle/polling";
import { resourceKey } from "../../lifecycle/run";
import { type Context, contextOf } from "../../lifecycle/scope";
import type { Session } from "../../lifecycle/session";
import { declaredIn, type State } from "../../lifecycle/state";
import { awaitDeleted, minutesFor } from "../../lifecycle/waiting";
import { isSameId } from "../../values/data";
import { enumerated } from "../../values/wording";
import { Protection, titleOf } from "../protection/protection";
import { order } from "../serviceState/serviceCommand";
import { dying, stateOf, waiting } from "../serviceState/serviceStates";
import { serviceInputs, serviceOutputs } from "./serviceInputs";

async function lookAt(id: string, { session, scope }: Context): Promise<Service | undefined> {
  try {
    return await session.call("getService", { ...scope, serviceId: id });
  } catch (error) {
    if (error instanceof MissingObject) return undefined;
    throw error;
  }
}

/**
 * Milliseconds to wait after the API has refused to delete a service, before the provider reads the service and tries again.
 */
const settlingMilliseconds = 5000;

export const serviceProtection = new Protection(
  { type: "Service", noun: "service", inputs: serviceInputs, outputs: serviceOutputs },
  ["provisioning", "failed"],
);

/**
 * Deletes a service: stops it if it runs, deletes it, repeats that while the API refuses, and waits until the service is gone.
 *
 * @throws Error if the service is protected, or if other services share its data
 */
export async function deleteService(
  service: Definition,
  id: string,
  state: State,
  session: Session,
): Promise<void> {
  const context = contextOf(service, state, session);
  const list = () => session.lists.read("listServices", context.scope, { asOf: "now" });
  let services: Answer<"listServices"> | undefined;
  const look = async () => {
    services ??= await list();
    return services.find((candidate) => isSameId(candidate.id, id)) ?? lookAt(id, context);
  };
  const shownState = async () => {
    const shown = await look();
    return shown && (stateOf(shown) ?? "");
  };
  await serviceProtection.refuseDeletion({ id, state, shownState });
  const own = await look();
  if (own?.isPrimary) {
    const others = () =>
      (services ?? []).filter(
        (other) =>
          !isSameId(other.id, id) &&
          other.dataWarehouseId === own.dataWarehouseId &&
          !dying.includes(stateOf(other) ?? ""),
      );
    if (others().length > 0) {
      await session.run.untilDeleted(others().map((other) => resourceKey(service, String(other.id))));
      services = await list();
    }
    if (others().length > 0)
      throw new Error(
        `service ${id} is not deleted: it holds the data of its warehouse, which ${enumerated(others(), ["name", "id"])} share; delete these first`,
      );
  }
  await stopAndDelete(service, id, state, own && stateOf(own), context);
  await awaitDeleted(service, id, state, context, ["terminated", "softdeleted"]);
}

/**
 * Stops a service if it runs, and deletes it, repeatedly while the API refuses.
 *
 * @throws Error if the service is not deleted; the message says how to start it if it was stopped for that
 */
async function stopAndDelete(
  service: Definition,
  id: string,
  state: State,
  current: string | undefined,
  context: Context,
): Promise<void> {
  const { session, scope } = context;
  const { interruption } = session;
  const until = Date.now() + minutesFor(waiting, "delete", declaredIn(service, state)) * 60_000;
  let shown = current;
  let wasStopped = false;
  try {
    // The service refuses to delete what somebody has deleted, which lists may show for a while.
    while (!dying.includes(shown ?? "")) {
      const runs = shown === "running" || shown === "partially_running";
      wasStopped ||= runs;
      if (runs) await order(id, "stop", context);
      // The wait for the service to stop also ends if somebody else deletes the service meanwhile.
      if (runs || shown === "stopping")
        await awaitDeleted(service, id, state, context, ["stopped", "idle", ...dying]);
      try {
        return await deleteObject(service, id, state, session);
      } catch (error) {
        const isRefused = error instanceof RefusedRequest && error.site.status === 409;
        if (!isRefused || Date.now() >= until || interruption.reason() !== undefined) throw error;
      }
      // After a refused deletion, the service is read again: the API may refuse although the service already shows `stopped`, or
      // somebody may have started the service again.
      await interruption.pause(settlingMilliseconds);
      const next = await nextList("listServices", scope, session);
      const now = next.find((candidate) => isSameId(candidate.id, id));
      shown = now && stateOf(now);
    }
  } catch (error) {
    if (!wasStopped) throw error;
    throw new Error(
      `${(error as Error).message}\n${titleOf({ noun: "service" }, id, state)} was stopped for its deletion, and is not deleted: to start it again, declare desiredState: "running" and run pulumi up --refresh`,
    );
  }
}
