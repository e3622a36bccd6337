import { needsRunningService } from "../../api/errors";
import { nextList } from "../../lifecycle/polling";
import type { Resource } from "../../lifecycle/resource";
import { type Context, contextOf } from "../../lifecycle/scope";
import type { Session } from "../../lifecycle/session";
import { declaredIn, declaresNothing } from "../../lifecycle/state";
import { withCode } from "../../lifecycle/uncompared";
import { isSameId, type PropertyMap } from "../../values/data";
import { order } from "./serviceCommand";
import { failed, stateOf } from "./serviceStates";

const tenMinutes = 10 * 60_000;

/**
 * The lifecycle operations of a resource, such as a pipe, that can be read and changed only while its service runs. While the
 * service is idle or stopped, a refresh keeps the Pulumi state, with a warning. Changes wake an idle service if the input
 * `wakeService` is true, and otherwise fail with an error that names this input.
 */
export function ofRunningService(resource: Resource, objects = "pipes"): Resource {
  const whileRunning = async <Result>(inputs: PropertyMap, session: Session, task: () => Promise<Result>) => {
    try {
      return await task();
    } catch (error) {
      if (!needsRunningService(error)) throw error;
      if (inputs.wakeService !== true)
        throw new Error(
          `${error.message}\nThe service must be running: start it, or set wakeService: true, which wakes an idle service (a running service is billed)`,
        );
      await wake(contextOf(resource, declaredIn(resource, inputs), session), objects);
      return task();
    }
  };
  return {
    ...resource,

    create: (inputs, session) => whileRunning(inputs, session, () => resource.create(inputs, session)),

    async read(id, state, session) {
      try {
        return await resource.read(id, state, session);
      } catch (error) {
        if (!needsRunningService(error) || declaresNothing(resource, state)) throw error;
        const { type } = resource;
        const warning = `${type} ${id}: not compared, since its service does not run, and a service shows its ${objects} only while it runs: ${error.reason}`;
        session.warnOnce(withCode(warning, { reason: "notRunning", type, id }));
        return "unseen";
      }
    },

    update: (id, state, inputs, session) =>
      whileRunning(inputs, session, () => resource.update(id, state, inputs, session)),

    delete: (id, state, session) => whileRunning(state, session, () => resource.delete(id, state, session)),
  };
}

/** Wakes an idle service, and waits until it runs. A service that somebody has stopped stays stopped. */
async function wake({ session, scope }: Context, objects: string): Promise<void> {
  const { organizationId, serviceId = "" } = scope;
  const begun = Date.now();
  let isOrdered = false;
  for (;;) {
    const services = await nextList("listServices", { organizationId }, session);
    const listed = services.find(({ id }) => isSameId(id, serviceId));
    const state = stateOf(listed ?? (await session.call("getService", scope)));
    if (state === "running") return session.lists.forget();
    if (state === "stopped" || state === "stopping")
      throw new Error(`service ${serviceId} is ${state}: start it, wakeService only wakes an idle one`);
    if (failed.includes(state ?? ""))
      throw new Error(`service ${serviceId} is ${state}, so its ${objects} cannot be changed`);
    if (state === "idle" && !isOrdered) {
      session.inform(`service ${serviceId} is idle, and is woken for its ${objects}`);
      await order(serviceId, "awake", { session, scope: { organizationId } });
      isOrdered = true;
    }
    const reason = session.interruption.reason();
    if (reason !== undefined)
      throw new Error(`service ${serviceId} is still ${state}, and the wait for it has ended: ${reason}`);
    if (Date.now() - begun > tenMinutes)
      throw new Error(
        `service ${serviceId} is still ${state} after 10 min, and its ${objects} can only be changed while it runs: run the update again once it does`,
      );
  }
}
