import { RefusedRequest } from "../../api/errors";
import type { OperationName } from "../../api/operations";
import { type Definition, Unfinished, type Way } from "../../lifecycle/definition";
import { wasCreated } from "../../lifecycle/holdings";
import { aboutObject } from "../../lifecycle/observe";
import { ChangedInPart } from "../../lifecycle/resource";
import type { Context } from "../../lifecycle/scope";
import type { Session } from "../../lifecycle/session";
import { newState, type State } from "../../lifecycle/state";
import { refuseTwin } from "../../lifecycle/twins";
import { awaitState, completed } from "../../lifecycle/waiting";
import type { Data } from "../../values/data";
import { entriesAmong, entriesBeside } from "../../values/entries";
import { scale } from "../serviceScaling/serviceScaling";
import { completionOf, type ServiceChange } from "./serviceChange";
import { entriesIn, listSchema } from "./serviceLists";
import { failed, stateOf, usable } from "./serviceStates";

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

/** Names the failed services of the same name, since only their own deletion ends them. */
function warnOfFailed(
  { type }: Pick<Definition, "type">,
  services: readonly Data[],
  { name }: Data,
  session: Session,
): void {
  const left = services.filter(
    (other) =>
      other.name === name && stateOf(other) === "failed" && !wasCreated({ type }, String(other.id), session),
  );
  for (const { id } of left)
    session.warnOnce(
      `service ${id} is also named ${JSON.stringify(name)}, and has failed: another one is created; unless a resource has the failed one, delete it`,
    );
}

/** Refuses to create a second service of the same name in the same cloud and region, since each service is billed. */
async function refuseSameName(service: Definition, body: Data, { session, scope }: Context): Promise<void> {
  const services: readonly Data[] = await session.lists.read("listServices", scope, { asOf: "now" });
  const likes = services.filter(
    (other) =>
      ["name", "provider", "region"].every((name) => other[name] === body[name]) &&
      // A service that has failed never ran, and `--replace` is the way to another one in its place.
      !failed.includes(stateOf(other) ?? ""),
  );
  warnOfFailed(service, services, body, session);
  const likeness = `in ${body.provider} ${body.region} is also named ${JSON.stringify(body.name)}`;
  refuseTwin(service, likes, likeness, session);
}

/**
 * Reports addresses and tags of other people that a change overwrites or removes.
 *
 * @throws Error if the setting `onConflict` is `fail`
 */
function reportConflicts(id: string, { taken, expelled }: ServiceChange, { session }: Context): void {
  const report = (what: string, remedy: string, outcome: string) => {
    if (session.settings.onConflict === "fail")
      throw new Error(`service ${id}: ${what}, and nothing was written; ${remedy}`);
    session.warnOnce(`service ${id}: ${what}; ${outcome}`);
  };
  if (taken)
    report(
      `${taken.join(", ")} was set outside of this program, with another value`,
      "take that value out of the program, or out of the service",
      "the update overwrites that value, and this program manages it from now on",
    );
  if (expelled)
    report(
      `${expelled.join(", ")} was added outside of this program`,
      "declare it, or take it out of the service",
      "the update removes it, since keepOtherAddresses is false",
    );
}

/** @returns what the service showed after each request, and at the end */
async function changed(
  service: Definition,
  id: string,
  change: ServiceChange,
  state: State,
  context: Context,
): Promise<readonly Data[]> {
  const { changes, scaling, password, command, goal, minutes } = change;
  const { session, scope } = context;
  reportConflicts(id, change, context);
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
    const look = async () => aboutObject(await session.call("getService", place), "getService", id, session);
    let live = await look();
    const lost = lostIn(change, live);
    if (lost.length > 0) {
      shown.push(live, await call("updateService", { ipAccessList: { add: lost } }));
      live = await look();
    }
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

/**
 * The changed addresses that a service lacks. One request removes and adds them, and a service that adds before it removes would
 * lose them.
 */
function lostIn({ changes }: ServiceChange, live: Data): readonly Data[] {
  if (!Array.isArray(live.ipAccessList)) return [];
  return changes.flatMap((body) => {
    const { add, remove = [] } = (body.ipAccessList ?? {}) as ListBody;
    const list = listSchema("ipAccessList");
    return entriesBeside(list, entriesAmong(list, add ?? [], remove), entriesIn(live, "ipAccessList"));
  });
}

/** What a request adds to a list of a service, and removes from it. */
interface ListBody {
  readonly add?: readonly Data[];
  readonly remove?: readonly Data[];
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
