import { mayHaveHappened, RefusedRequest } from "../../api/errors";
import type { OperationName } from "../../api/operations";
import { type Definition, type Outcomes, Unfinished, type Way } from "../../lifecycle/definition";
import { aboutObject } from "../../lifecycle/observe";
import { nextList } from "../../lifecycle/polling";
import { ChangedInPart } from "../../lifecycle/resource";
import type { Context } from "../../lifecycle/scope";
import { refuseTwin } from "../../lifecycle/twins";
import { awaitState, completed, minutesFor } from "../../lifecycle/waiting";
import { differences, replacesAt } from "../../values/compare";
import { type Data, isSameId, pick } from "../../values/data";
import { sourceIn } from "./kinds";
import type { PipeChange } from "./pipeChange";
import { endsOf, failed, isBeingScaled, isCompleted, isOnItsWay, waiting, wishedState } from "./pipeStates";
import { mappingKey, mappingsIn } from "./tableMappings";

/** Creates a pipe exactly once, waits until it runs, and sends requests only for what differs. */
export function wayOfPipe(pipes: Definition, usual: Way): Way {
  return {
    ...usual,

    async create(body, inputs, context) {
      if (inputs.allowSameName !== true) await refuseSameName(pipes, body, context);
      const created = await usual.create(body, inputs, context);
      const isRunning = wishedState(created.object.state) === "running";
      if (created.unfinished || inputs.state !== "stopped" || !isRunning) return created;
      // A pipe that reads a database cannot be created stopped.
      return completed(pipes, created, "stops it", () =>
        reach(pipes, created.id, "stopped", minutesFor(waiting, "update", inputs), context),
      );
    },

    send: (id, body, context) => changed(pipes, id, body as unknown as PipeChange, context),
  };
}

/** Refuses to create a second pipe that has the same name and reads the same source, since both would load the same data. */
async function refuseSameName(pipes: Definition, body: Data, { session, scope }: Context): Promise<void> {
  const all: readonly Data[] = await session.lists.read("listPipes", scope, { asOf: "now" });
  const likes = all.filter((pipe) => pipe.name === body.name && mayBecome(pipes, pipe, body));
  const likeness = `is also named ${JSON.stringify(body.name)}, reads the same`;
  refuseTwin(pipes, likes, likeness, session);
}

/**
 * Whether updates could turn an existing pipe into the declared one. They could if the two only differ in properties that an
 * update can change.
 */
function mayBecome({ inputs: schema, decode }: Definition, pipe: Data, body: Data): boolean {
  if (sourceIn(pipe)?.kind !== sourceIn(body)?.kind) return false;
  const { inputs } = decode(pipe, body, {});
  const differing = differences(schema, pick(body, ["source", "destination"]), inputs, "left");
  return differing.every(({ keys, right }) => right === undefined || !replacesAt(schema, keys));
}

/**
 * Sends the requests that change a pipe, one after the other. If one fails, the next update sends the remaining changes.
 *
 * @returns what the service showed of the pipe after each request, and at the end
 */
async function changed(
  pipes: Definition,
  id: string,
  change: PipeChange,
  context: Context,
): Promise<readonly Data[]> {
  const { session, scope } = context;
  const { edits, settings, scaling, goal, minutes, refusal } = change;
  if (refusal) throw new Error(`pipe ${id} was not changed: ${refusal}`);
  const place = { ...scope, id };
  for (const warning of change.warnings) session.warnOnce(`update of pipe ${id}: the pipe ${warning}`);
  let isBegun = false;
  const call = async (name: OperationName, body: Data): Promise<Data> => {
    const answer = (await session.call(name, place, body).catch((error) => {
      isBegun ||= mayHaveHappened(error);
      throw error;
    })) as Data;
    isBegun = true;
    return answer;
  };
  const look = async () => aboutObject(await session.call("getPipe", place), "getPipe", id, session);
  const wait = (outcomes: Outcomes) => awaitOutcome(pipes, id, outcomes, minutes, context);
  const shown: Data[] = [];
  try {
    let wasStopped = false;
    if (change.change) {
      if (change.isOfSource && !change.isDatabase) wasStopped = await makeReady(pipes, id, minutes, context);
      shown.push(await call("updatePipe", change.change));
    }
    for (const edit of edits) {
      await reach(pipes, id, "stopped", minutes, context);
      await call("updatePipe", edit);
      // The service starts a pipe again by itself after its tables were changed.
      await wait({ ends: [...endsOf("running"), ...endsOf("stopped")], fails: failed });
    }
    // The request replaces all settings of the pipe, so it repeats the undeclared ones. They are read just before, since
    // somebody may have changed them.
    const others = settings && change.resetsSettings ? settingsIn(pipes, await look()) : {};
    if (settings) shown.push({ settings: await call("putPipeSettings", { ...others, ...settings }) });
    if (scaling) {
      await call("updatePipeScaling", scaling);
      shown.push(await awaitScaling(id, scaling, minutes, context));
    }
    const wished = goal ?? (wasStopped ? "running" : undefined);
    const isChanged = change.change !== undefined && change.isOfSource;
    if (wished) await reach(pipes, id, wished, minutes, context, change.isAwaited);
    let live = await look();
    // An earlier update that was killed may have restarted the pipe, so the provider waits until it has started.
    if (!wished && change.isAwaited && (isChanged || isOnItsWay(live.state))) {
      await wait({ ends: [...endsOf("running"), ...endsOf("stopped")], fails: failed });
      live = await look();
    }
    if (hasOtherTables(live, change))
      throw new Unfinished(
        "update",
        `pipe ${id}: the tableMappings of its source differ from those that this update was to bring about: somebody else changed them meanwhile, or the service did not carry out the change; run pulumi up again to go on`,
      );
    if (change.isResynced) await call("updatePipeState", { command: "resync" });
    return [...shown, live];
  } catch (error) {
    if (error instanceof Unfinished || !isBegun) throw error;
    // If the update fails after it has sent credentials, no answer shows whether the pipe has them. So the next update sends
    // them again.
    if (change.hasCredentials) throw new Unfinished("update", (error as Error).message);
    throw new ChangedInPart(error as Error);
  } finally {
    session.lists.noteWrite("listPipes", scope, id);
  }
}

const settingsIn = ({ decode }: Definition, live: Data): Data =>
  (decode(live, {}, {}).inputs.settings as Data | undefined) ?? {};

/** Whether, at the end of an update, a database pipe reads other tables than the update should have set. */
function hasOtherTables(live: Data, { tables, change, edits }: PipeChange): boolean {
  if (change === undefined && edits.length === 0) return false;
  const now = mappingsIn(sourceIn(live)?.members ?? {}).map(mappingKey);
  return now.length !== tables.length || now.some((key) => !tables.includes(key));
}

/**
 * Brings a streaming pipe to a status in which its source can be changed: waits for the end of a transition, and stops a failed
 * pipe.
 *
 * @returns whether the pipe was stopped for that
 */
async function makeReady(pipes: Definition, id: string, minutes: number, context: Context): Promise<boolean> {
  const outcomes = { ends: ["Running", ...endsOf("stopped"), ...failed, "Degraded"], fails: [] };
  const { state } = await awaitOutcome(pipes, id, outcomes, minutes, context);
  if (!["Degraded", ...failed].includes(String(state))) return false;
  await reach(pipes, id, "stopped", minutes, context);
  return true;
}

async function reach(
  pipes: Definition,
  id: string,
  goal: "running" | "stopped",
  minutes: number,
  context: Context,
  isAwaited = true,
): Promise<Data> {
  const { session, scope } = context;
  const place = { ...scope, id };
  const now = aboutObject(await session.call("getPipe", place), "getPipe", id, session);
  const ends = endsOf(goal);
  if (isCompleted(now.state)) return now;
  if (wishedState(now.state) !== goal) {
    // A pipe that is stopping cannot be started, so the provider first waits until it has stopped.
    if (goal === "running" && isOnItsWay(now.state))
      await awaitOutcome(pipes, id, { ends: endsOf("stopped"), fails: failed }, minutes, context);
    await order(id, goal === "stopped" ? "stop" : "start", context);
    session.lists.noteWrite("listPipes", scope, id);
  } else if (ends.includes(String(now.state))) return now;
  if (!isAwaited) return now;
  const fails = goal === "stopped" ? [] : failed;
  return awaitOutcome(pipes, id, { ends, fails }, minutes, context);
}

/** Sends the request that starts or stops a pipe. The answer proves nothing, since it may show the former status. */
async function order(id: string, command: "start" | "stop", { session, scope }: Context): Promise<void> {
  try {
    await session.call("updatePipeState", { ...scope, id }, { command });
  } catch (error) {
    // The service refuses to start a running pipe and to stop a stopped one. The pipe then is as wanted, which the wait that
    // follows confirms.
    const isDone = error instanceof RefusedRequest && error.says(/already (running|stopped)/);
    if (!isDone) throw error;
  }
}

async function awaitOutcome(
  pipes: Definition,
  id: string,
  outcomes: Outcomes,
  minutes: number,
  context: Context,
): Promise<Data> {
  const object = await awaitState(pipes, id, { ...outcomes, awaiting: "update", minutes }, context);
  if (object === "gone")
    throw new Error(
      `pipe ${id} was deleted while this change waited for it; "pulumi up --refresh" creates it again`,
    );
  return object;
}

/** Waits until the service shows the number and size of replicas that a pipe was scaled to. */
async function awaitScaling(
  id: string,
  scaling: Data,
  minutes: number,
  { session, scope }: Context,
): Promise<Data> {
  const begun = Date.now();
  for (;;) {
    const list: readonly Data[] = await nextList("listPipes", scope, session);
    const pipe = list.find((other) => isSameId(other.id, id));
    const shown = pipe?.scaling as Data | undefined;
    const isShown = shown && Object.entries(scaling).every(([name, value]) => shown[name] === value);
    if (pipe && isShown && !isBeingScaled(shown)) return pipe;
    const reason = session.interruption.reason();
    if (reason === undefined && Date.now() - begun < minutes * 60_000) continue;
    throw new Unfinished(
      "update",
      `pipe ${id} does not show its new scaling yet${reason === undefined ? "" : `: ${reason}`}; the next pulumi up goes on waiting`,
    );
  }
}
