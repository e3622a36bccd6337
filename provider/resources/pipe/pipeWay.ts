import { mayHaveHappened } from "../../api/errors";
import type { OperationName } from "../../api/operations";
import { type Definition, Unfinished, type Way } from "../../lifecycle/definition";
import { ChangedInPart } from "../../lifecycle/resource";
import type { Context } from "../../lifecycle/scope";
import { newState } from "../../lifecycle/state";
import { refuseTwin } from "../../lifecycle/twins";
import { completed, minutesFor } from "../../lifecycle/waiting";
import { differences, replacesAt } from "../../values/compare";
import { type Data, pick } from "../../values/data";
import { sourceIn } from "./kinds";
import {
  awaitOutcome,
  awaitScaling,
  editTables,
  isFailed,
  type LivePipe,
  look,
  reach,
  resync,
} from "./livePipe";
import type { PipeChange } from "./pipeChange";
import { endsOf, failed, isOnItsWay, waiting, wishedState } from "./pipeStates";
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
      const minutes = minutesFor(waiting, "update", inputs);
      const pipe = {
        definition: pipes,
        id: created.id,
        state: newState(created.id, created.object),
        minutes,
        context,
      };
      return completed(pipes, created, "stops it", () => reach(pipe, "stopped"));
    },

    send(id, body, context, state) {
      const change = body as unknown as PipeChange;
      return changed({ definition: pipes, id, state, minutes: change.minutes, context }, change);
    },
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
 * Sends the requests that change a pipe, one after the other.
 *
 * @returns what the service showed of the pipe after each request, and at the end
 * @throws ChangedInPart if a request fails after another may have been carried out; it names the state that the pipe has to get back
 */
async function changed(pipe: LivePipe, change: PipeChange): Promise<readonly Data[]> {
  const { definition, id, context } = pipe;
  const { session, scope } = context;
  const { edits, settings, scaling, refusal } = change;
  if (refusal) throw new Error(`pipe ${id} was not changed: ${refusal}`);
  for (const warning of change.warnings) session.warnOnce(`update of pipe ${id}: the pipe ${warning}`);
  let { goal } = change;
  /** The state that the pipe has to get back, once it may have been stopped so that it can be changed. */
  let owed: typeof goal;
  let isBegun = false;
  const begin = <Result>(request: Promise<Result>): Promise<Result> =>
    request.then(
      (answer) => {
        isBegun = true;
        return answer;
      },
      (error) => {
        isBegun ||= mayHaveHappened(error);
        throw error;
      },
    );
  const call = (name: OperationName, body: Data) =>
    begin(session.call(name, { ...scope, id }, body) as Promise<Data>);
  const shown: Data[] = [];
  try {
    if (change.change) {
      if (change.isOfSource && !change.isDatabase && (await isFailed(pipe))) {
        owed = goal ??= "running";
        await begin(reach(pipe, "stopped"));
      }
      shown.push(await call("updatePipe", change.change));
    }
    for (const edit of edits) {
      owed = goal;
      await begin(reach(pipe, "stopped"));
      await begin(editTables(pipe, edit));
      // The service starts a pipe again by itself after its tables were changed.
      await awaitOutcome(pipe, { ends: [...endsOf("running"), ...endsOf("stopped")], fails: failed });
    }
    // The request replaces all settings of the pipe, so it repeats the undeclared ones. They are read just before, since
    // somebody may have changed them.
    const others = settings && change.resetsSettings ? settingsIn(definition, await look(pipe)) : {};
    if (settings) shown.push({ settings: await call("putPipeSettings", { ...others, ...settings }) });
    if (scaling) {
      await call("updatePipeScaling", scaling);
      shown.push(await awaitScaling(pipe, scaling));
    }
    const isChanged = change.change !== undefined && change.isOfSource;
    if (goal) await begin(reach(pipe, goal, change.isAwaited));
    owed = undefined;
    let live = await look(pipe);
    // An earlier update that was killed may have restarted the pipe, so the provider waits until it has started.
    if (!goal && change.isAwaited && (isChanged || isOnItsWay(live.state))) {
      await awaitOutcome(pipe, { ends: [...endsOf("running"), ...endsOf("stopped")], fails: failed });
      live = await look(pipe);
    }
    if (hasOtherTables(live, change))
      throw new Error(
        `pipe ${id}: the tableMappings of its source differ from those that this update was to bring about: somebody else changed them meanwhile, or the service did not carry out the change; run pulumi up again to go on`,
      );
    if (!change.isResynced) return [...shown, live];
    await begin(resync(pipe, live));
    // A resync starts a pipe that was paused, and the next update takes the status in the state for what the pipe did before.
    return [...shown, await look(pipe).catch(() => live)];
  } catch (error) {
    if (!isBegun && !(error instanceof Unfinished)) throw error;
    throw new ChangedInPart(error as Error, owed);
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
