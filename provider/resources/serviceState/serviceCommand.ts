import { RefusedRequest } from "../../api/errors";
import { type Context, namesOf } from "../../lifecycle/scope";

/**
 * Sends the request that starts, stops or wakes a service. The answer proves nothing, since it may show the former state.
 * @returns whether the service takes the command; one that is on its way to another state refuses it
 */
export async function order(
  id: string,
  command: "start" | "stop" | "awake",
  { session, scope }: Context,
): Promise<boolean> {
  try {
    await session.call("updateServiceState", { ...scope, ...namesOf(id, scope) }, { command });
    return true;
  } catch (error) {
    // The service refuses to start or stop again if somebody else has sent the same command meanwhile. The wait that follows
    // shows whether the command takes effect.
    if (!(error instanceof RefusedRequest) || error.site.status !== 409) throw error;
    return false;
  }
}
