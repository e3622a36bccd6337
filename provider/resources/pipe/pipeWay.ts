import { mayHaveHappened, RefusedRequest } from "../../api/errors";
import type { OperationName } from "../../api/operations";
import { aboutObject } from "../../lifecycle/observe";
import { nextList } from "../../lifecycle/polling";
import {
  ChangedInPart,
  type CreatedObject,
  type Definition,
  type Outcomes,
  Unfinished,
  type Way,
} from "../../lifecycle/resource";
import type { Context } from "../../lifecycle/scope";
import { refuseTwin } from "../../lifecycle/twins";
import { awaitState, minutesFor } from "../../lifecycle/waiting";
import { differences, replacesAt } from "../../values/compare";
import { type Data, isSameId, pick } from "../../values/data";
import { sourceIn } from "./kinds";
import type { PipeChange } from "./pipeChange";
import { endsOf, failed, isCompleted, isOnItsWay, waiting, wishedState } from "./pipeStates";
import { mappingKey, mappingsIn } from "./tableMappings";

/** Creates a pipe exactly once, waits until it runs, and changes it by requests for what differs alone. */
export function wayOfPipe(pipes: Definition, usual: Way): Way {
  return {
    ...usual,

    async create(body, inputs, context) {
      if (inputs.allowSameName !== true) await refuseSameName(pipes, body, context);
      const created = await usual.create(body, inputs, context);
      const isRunning = wishedState(created.object.state) === "running";
      if (created.unfinished || inputs.state !== "stopped" || !isRunning) return created;
      return stopped(pipes, created, inputs, context);
    },

    send: (id, body, context) => changed(pipes, id, body as unknown as PipeChange, context),
  };
}

/** A new pipe that has begun, stopped: one of a database cannot be created so. */
async function stopped(
  pipes: Definition,
  created: CreatedObject,
  inputs: Data,
  context: Context,
): Promise<CreatedObject> {
  try {
    const minutes = minutesFor(waiting, "update", inputs);
    const object = await reach(pipes, created.id, "stopped", minutes, context);
    return { ...created, object: { ...created.object, ...object } };
  } catch (error) {
    const unfinished =
      error instanceof Unfinished
        ? error
        : new Unfinished(
            "update",
            `pipe ${created.id} was created; the next pulumi up stops it: ${(error as Error).message}`,
          );
    return { ...created, unfinished };
  }
}

/** Refuses to create a second pipe of the same name that reads the same, since both would load the same data. */
async function refuseSameName(pipes: Definition, body: Data, { session, scope }: Context): Promise<void> {
  const all: readonly Data[] = await session.lists.read("listPipes", scope, { asOf: "now" });
  const likes = all.filter((pipe) => pipe.name === body.name && mayBecome(pipes, pipe, body));
  const likeness = `is also named ${JSON.stringify(body.name)}, reads the same`;
  refuseTwin(pipes, likes, likeness, session);
}

/** Whether a pipe has all that only a create takes as a create would make it: an update could make it the declared one. */
function mayBecome({ inputs: schema, decode }: Definition, pipe: Data, body: Data): boolean {
  if (sourceIn(pipe)?.kind !== sourceIn(body)?.kind) return false;
  const { inputs } = decode(pipe, body, {});
  const differing = differences(schema, pick(body, ["source", "destination"]), inputs, "left");
  return differing.every(({ keys, right }) => right === undefined || !replacesAt(schema, keys));
}

/**
 * Carries a change out, one request after the other. What is left of it when one fails differs still at the next update.
 *
 * @returns what the service showed of the pipe after each request, and in the end
 */
async function changed(
  pipes: Definition,
  id: string,
  change: PipeChange,
  context: Context,
): Promise<readonly Data[]> {
  const { session, scope } = context;
  const { edits, settings, scaling, goal, minutes, refusal } = change;
  if (refusal) throw new Error(`pipe ${id}: ${refusal}`);
  const place = { ...scope, id };
  for (const warning of change.warnings) session.warnOnce(`pipe ${id} ${warning}`);
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
      // The service starts the pipe again by itself.
      await wait({ ends: [...endsOf("running"), ...endsOf("stopped")], fails: failed });
    }
    // Somebody may have changed the others a moment ago.
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
    // An update that was killed may have had it restart.
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
    // No look tells whether the pipe has these credentials or those from before: the next update sends them again.
    if (change.hasCredentials) throw new Unfinished("update", (error as Error).message);
    throw new ChangedInPart(error as Error);
  } finally {
    session.lists.noteWrite("listPipes", scope, id);
  }
}

const settingsIn = ({ decode }: Definition, live: Data): Data =>
  (decode(live, {}, {}).inputs.settings as Data | undefined) ?? {};

/** Whether a pipe of a database that was changed reads other tables than it was to. */
function hasOtherTables(live: Data, { tables, change, edits }: PipeChange): boolean {
  if (change === undefined && edits.length === 0) return false;
  const now = mappingsIn(sourceIn(live)?.members ?? {}).map(mappingKey);
  return now.length !== tables.length || now.some((key) => !tables.includes(key));
}

/**
 * Brings a streaming pipe to a state in which its source can be changed: one that is on its way gets there, and one that has failed
 * is stopped.
 *
 * @returns whether it was stopped for that
 */
async function makeReady(pipes: Definition, id: string, minutes: number, context: Context): Promise<boolean> {
  const outcomes = { ends: ["Running", ...endsOf("stopped"), ...failed, "Degraded"], fails: [] };
  const { state } = await awaitOutcome(pipes, id, outcomes, minutes, context);
  if (!["Degraded", ...failed].includes(String(state))) return false;
  await reach(pipes, id, "stopped", minutes, context);
  return true;
}

/** Has a pipe run or stop, and waits until it does. */
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
    // A pipe that is about to stop cannot be started before it has.
    if (goal === "running" && isOnItsWay(now.state))
      await awaitOutcome(pipes, id, { ends: endsOf("stopped"), fails: failed }, minutes, context);
    await order(id, goal === "stopped" ? "stop" : "start", context);
    session.lists.noteWrite("listPipes", scope, id);
  } else if (ends.includes(String(now.state))) return now;
  if (!isAwaited) return now;
  const fails = goal === "stopped" ? [] : failed;
  return awaitOutcome(pipes, id, { ends, fails }, minutes, context);
}

/** Orders a pipe to start or to stop. The answer proves nothing: it may show the old state. */
async function order(id: string, command: "start" | "stop", { session, scope }: Context): Promise<void> {
  try {
    await session.call("updatePipeState", { ...scope, id }, { command });
  } catch (error) {
    // The service may have started it by itself meanwhile: the wait tells.
    const isDone = error instanceof RefusedRequest && /already (running|stopped)/.test(error.reason);
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
  if (object === "gone") throw new Error(`pipe ${id} was deleted while this change waited for it`);
  return object;
}

/** Waits until a pipe shows the replicas that it was scaled to: for a while it shows none. */
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
    if (pipe && shown && Object.keys(scaling).every((name) => shown[name] === scaling[name])) return pipe;
    const reason = session.interruption.reason();
    if (reason === undefined && Date.now() - begun < minutes * 60_000) continue;
    throw new Unfinished(
      "update",
      `pipe ${id} does not show its new scaling yet${reason === undefined ? "" : `: ${reason}`}; the next pulumi up goes on waiting`,
    );
  }
}
