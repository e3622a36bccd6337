import type { Service } from "../../api/answers.golden";
import { MissingObject, RefusedRequest } from "../../api/errors";
import type { Definition } from "../../lifecycle/definition";
import { deleteObject } from "../../lifecycle/delete";
import { nextList } from "../../lifecycle/polling";
import { resourceKey } from "../../lifecycle/run";
import { type Context, contextOf } from "../../lifecycle/scope";
import type { Session } from "../../lifecycle/session";
import { declaredIn, type State, trackingOf } from "../../lifecycle/state";
import { awaitDeleted, minutesFor } from "../../lifecycle/waiting";
import { isSameId } from "../../values/data";
import { enumerated } from "../../values/wording";
import { order } from "../serviceState/serviceCommand";
import { dying, stateOf, titleOf, waiting } from "./serviceStates";

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

/**
 * Whether a service is protected from deletion, since it may have data. A service that never ran has none: the update that
 * created it ended before it ran, and it still shows a state from that time.
 *
 * @param now the service as the API shows it; undefined if no list shows it
 */
export function isProtected(state: State, now: Service | undefined): boolean {
  if (state.deletionProtection === false) return false;
  const isUnfinished = trackingOf(state).awaiting === "create";
  return !(isUnfinished && (now === undefined || ["provisioning", "failed"].includes(stateOf(now) ?? "")));
}

/** What to do about a service in whose place the engine has made another one: both have the same URN, and no update reaches it. */
const pendingDeletion =
  'If the engine has made another service in its place, its entry in the state is pending deletion, and no update reaches it: run "pulumi stack export --file state.json", remove the entry with "delete": true there, and run "pulumi stack import --file state.json"';

export const howToUnprotect = "to allow that, first set deletionProtection to false in an update of its own";

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
  const refuse = () => {
    throw new Error(
      `${titleOf(id, state)} is not deleted: it is protected, and its data would be lost; ${howToUnprotect}\n${pendingDeletion}`,
    );
  };
  if (state.deletionProtection !== false && trackingOf(state).awaiting !== "create") refuse();
  const context = contextOf(service, state, session);
  const list = () => session.lists.read("listServices", context.scope, { asOf: "now" });
  let services = await list();
  const own = services.find((candidate) => isSameId(candidate.id, id)) ?? (await lookAt(id, context));
  if (isProtected(state, own)) refuse();
  if (own?.isPrimary) {
    const others = () =>
      services.filter(
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
    for (;;) {
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
      `${(error as Error).message}\n${titleOf(id, state)} was stopped for its deletion, and is not deleted: to start it again, declare desiredState: "running" and run pulumi up --refresh`,
    );
  }
}
