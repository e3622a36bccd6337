import { ApiError } from "../../api/errors";
import { nextList } from "../../lifecycle/polling";
import { passedOver } from "../../lifecycle/read";
import type { Definition } from "../../lifecycle/resource";
import type { Context } from "../../lifecycle/scope";
import type { Session } from "../../lifecycle/session";
import { declaredIn, type State, sentPart } from "../../lifecycle/state";
import type { Data } from "../../values/data";
import { isSameId } from "../../values/data";
import { order } from "../service/serviceWay";

const tenMinutes = 10 * 60_000;

/** Whether a request failed because the service does not run: it then answers nothing about its pipes, reads included. */
const needsService = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.site.status === 424;

/**
 * Does something for which the service has to run.
 *
 * @param wakes whether it may be woken for that
 * @throws Error that says how, if it may not
 */
export async function whileServiceRuns<Result>(
  wakes: boolean,
  context: Context,
  task: () => Promise<Result>,
): Promise<Result> {
  try {
    return await task();
  } catch (error) {
    if (!needsService(error)) throw error;
    if (!wakes)
      throw new Error(
        `${error.message}\nThe service has to run for that; with wakeService: true an idle one is woken, and billed`,
      );
    await wake(context);
    return task();
  }
}

/**
 * Reads something that a service shows only while it runs. While it does not, the known state of the object stays, with a warning.
 *
 * @throws ApiError if there is no known state: an import
 */
export async function readWhileServiceRuns<Inputs extends object, Live>(
  resource: Definition<Inputs>,
  id: string,
  state: State,
  session: Session,
  task: () => Promise<Live>,
): Promise<Live | "unseen"> {
  try {
    return await task();
  } catch (error) {
    const isKnown = Object.keys(sentPart(resource, declaredIn(resource, state))).length > 0;
    if (!needsService(error) || !isKnown) throw error;
    session.warnOnce(
      `${resource.type} ${id}: ${passedOver}, since its service does not run, and then shows no pipes: ${error.reason}`,
    );
    return "unseen";
  }
}

/** Wakes an idle service, and waits until it runs. One that is stopped stays so. */
async function wake({ session, scope }: Context): Promise<void> {
  const { organizationId, serviceId = "" } = scope;
  const begun = Date.now();
  let isOrdered = false;
  for (;;) {
    const services: readonly Data[] = await nextList("listServices", { organizationId }, session);
    const state = services.find(({ id }) => isSameId(id, serviceId))?.state;
    if (state === "running") return;
    if (state === "stopped" || state === "stopping")
      throw new Error(`service ${serviceId} is ${state}: start it, wakeService only wakes an idle one`);
    if (state === "idle" && !isOrdered) {
      session.inform(`service ${serviceId} is idle, and is woken for its pipes`);
      await order(serviceId, "awake", { session, scope: { organizationId } });
      isOrdered = true;
    }
    const reason = session.interruption.reason();
    if (reason !== undefined) throw new Error(`service ${serviceId} is ${state}: ${reason}`);
    if (Date.now() - begun > tenMinutes)
      throw new Error(`service ${serviceId} is still ${state} after 10 min, and its pipes need it to run`);
  }
}
