import { RefusedRequest } from "../../api/errors";
import type { OperationName } from "../../api/operations";
import { type Definition, Unfinished, type Way } from "../../lifecycle/definition";
import { aboutObject } from "../../lifecycle/observe";
import { ChangedInPart } from "../../lifecycle/resource";
import type { Context } from "../../lifecycle/scope";
import { newState, type State } from "../../lifecycle/state";
import { refuseTwin } from "../../lifecycle/twins";
import { awaitState, completed } from "../../lifecycle/waiting";
import type { Data } from "../../values/data";
import { scale } from "../serviceScaling/serviceScaling";
import { completionOf, type ServiceChange } from "./serviceChange";
import { dying, failed, stateOf, usable } from "./serviceStates";

/** Creates a service exactly once, waits until it runs, and sends requests only for what differs. */
export function wayOfService(service: Definition, usual: Way): Way {
  return {
    ...usual,

    async create(body, inputs, context) {
      if (inputs.allowSameName !== true) await refuseSameName(service, body, context);
      const created = await usual.create(body, inputs, context);
      if (created.unfinished) return created;
      const { inputs: live, outputs } = service.decode(created.object, {}, {});
      const change = completionOf(inputs, { ...live, ...outputs });
      if (!change.password && !change.command && change.changes.length === 0) return created;
      return completed(service, created, "goes on", async () =>
        (await changed(service, created.id, change, newState(created.id, created.object), context)).at(-1),
      );
    },

    send: (id, body, context, state) =>
      changed(service, id, body as unknown as ServiceChange, state, context),
  };
}

/** Refuses to create a second service of the same name in the same cloud and region, since each service is billed. */
async function refuseSameName(service: Definition, body: Data, { session, scope }: Context): Promise<void> {
  const services: readonly Data[] = await session.lists.read("listServices", scope, { asOf: "now" });
  const likes = services.filter(
    (other) =>
      ["name", "provider", "region"].every((name) => other[name] === body[name]) &&
      !dying.includes(stateOf(other) ?? ""),
  );
  const likeness = `in ${body.provider} ${body.region} is also named ${JSON.stringify(body.name)}`;
  refuseTwin(service, likes, likeness, session);
}

/**
 * Reports addresses and tags of other people that a change overwrites.
 *
 * @throws Error if the setting `onConflict` is `fail`
 */
function reportTaken(id: string, taken: readonly string[], { session }: Context): void {
  const what = `service ${id}: ${taken.join(", ")} was set outside of this program, with another value`;
  if (session.settings.onConflict === "fail")
    throw new Error(
      `${what}, and nothing was written; take that value out of the program, or out of the service`,
    );
  session.warnOnce(`${what}; the update overwrites that value, and this program manages it from now on`);
}

/** @returns what the service showed after each request, and at the end */
async function changed(
  service: Definition,
  id: string,
  { changes, taken, scaling, password, command, goal, minutes }: ServiceChange,
  state: State,
  context: Context,
): Promise<readonly Data[]> {
  const { session, scope } = context;
  if (taken) reportTaken(id, taken, context);
  const place = { ...scope, serviceId: id };
  let isBegun = false;
  const call = async (name: OperationName, body: Data): Promise<Data> => {
    const answer = (await session.call(name, place, body)) as Data;
    isBegun = true;
    return answer;
  };
  const shown: Data[] = [];
  try {
    for (const body of changes) shown.push(await call("updateService", body));
    if (scaling) {
      await scale(scaling, { session, scope: place });
      isBegun = true;
    }
    const answered = password && (await call("updateServicePassword", password));
    if (command) await order(id, command, context);
    if (goal) await awaitGoal(service, id, goal, minutes, state, context);
    const live = aboutObject(await session.call("getService", place), "getService", id, session);
    return [
      ...shown,
      { ...live, ...(typeof answered?.password === "string" && { password: answered.password }) },
    ];
  } catch (error) {
    if (error instanceof Unfinished || !isBegun) throw error;
    throw new ChangedInPart(error as Error);
  } finally {
    session.lists.noteWrite("listServices", scope, id);
  }
}

/** Sends the request that starts, stops or wakes a service. The answer proves nothing, since it may show the former state. */
export async function order(
  id: string,
  command: "start" | "stop" | "awake",
  { session, scope }: Context,
): Promise<void> {
  try {
    await session.call("updateServiceState", { ...scope, serviceId: id }, { command });
  } catch (error) {
    // The service refuses to start or stop again if somebody else has sent the same command meanwhile. The wait that follows
    // shows whether the command takes effect.
    if (!(error instanceof RefusedRequest) || error.site.status !== 409) throw error;
  }
}

async function awaitGoal(
  service: Definition,
  id: string,
  goal: "running" | "stopped",
  minutes: number,
  state: State,
  context: Context,
): Promise<void> {
  const ends = goal === "stopped" ? ["stopped"] : usable;
  const wait = { ends, fails: failed, awaiting: "update", minutes, state } as const;
  const object = await awaitState(service, id, wait, context);
  if (object === "gone")
    throw new Error(
      `service ${id} was deleted while this change waited for it; "pulumi up --refresh" creates an empty one`,
    );
}
