import type { Definition } from "../../lifecycle/definition";
import { type State, trackingOf } from "../../lifecycle/state";
import { type Aim, type At, type Step, silently, when } from "../../lifecycle/steps";
import { minutesFor } from "../../lifecycle/waiting";
import { equal, equalByDefault } from "../../values/compare";
import { isObject, type PropertyMap, pick } from "../../values/data";
import { annotationsOf, schemaAt } from "../../values/schema";
import type { TSchema } from "../../values/schemaBuilders";
import { placed, withAuthentication } from "./credentials";
import { isDatabase, type Source, sourceIn } from "./kinds";
import {
  awaitScaling,
  editTables,
  type Goal,
  isFailed,
  type LivePipe,
  look,
  reach,
  resync,
  settingsIn,
  settle,
} from "./livePipe";
import { pipeInputs, schemaOfSource } from "./pipeInputs";
import {
  isCompleted,
  isLoading,
  isOnItsWay,
  needsStop,
  stateBefore,
  waiting,
  wishedState,
} from "./pipeStates";
import { editsOf, mappingKey, mappingsIn } from "./tableMappings";

/** Members of a pipe's source that each update request has to repeat, by the kind of source. */
const repeated: { readonly [kind: string]: readonly string[] } = {
  ...{ pubsub: ["authentication"], mysql: ["host", "port"], mongodb: ["uri", "readPreference"] },
};

const isEmpty = (data: PropertyMap) => Object.keys(data).length === 0;

/** The steps that change a pipe into what the program declares. */
export function stepsOf(
  definition: Definition,
  { desired, live: current, state, declared }: Aim,
): readonly Step[] {
  const differs = (name: string) =>
    name in desired && !equal(schemaAt(pipeInputs, name), desired[name], current[name]);
  const declaredSource = sourceIn(desired);
  const { authentication } = sourceIn(current)?.members ?? {};
  const source = declaredSource && withAuthentication(declaredSource, desired.credentials, authentication);
  const isOfDatabase = isDatabase(source?.kind ?? "");
  const sendsCredentials = hasOtherCredentials(desired, state);
  const changed = source ? changedSource(source, desired, current, sendsCredentials) : {};
  const columns = changedColumns(desired, current);
  const isDone = isCompleted(current.status);
  const [wanted, live, before] = [desired, current, state].map((data) => mappingsOf(data));
  const edits =
    isOfDatabase && source && source.kind !== "bigquery"
      ? editsOf(source.kind, wanted ?? [], live ?? [], before ?? [])
      : [];
  const isOfSource = !isEmpty(changed) || !isEmpty(columns);
  const isLate = isDone && (isOfSource || edits?.length !== 0);
  const change = {
    ...(differs("name") && { name: desired.name }),
    ...(!isEmpty(changed) && !isDone && bodyOf(source, changed)),
    ...(!isDone && columns),
  };
  const settings = differencesIn(schemaAt(pipeInputs, "settings"), desired.settings, current.settings);
  const scaling = differencesIn(schemaAt(pipeInputs, "scaling"), desired.scaling, current.scaling);
  const isPaused = isOfDatabase
    ? edits?.length !== 0 || hasOtherMappings(declared, state)
    : wishedState(current.status) === "stopped" &&
      (isOfSource || needsStop(state.status) || hasOtherSource(declared, state));
  const goal = goalOf(declared, current, state, isPaused);
  const isKnown = !isEmpty(state);
  const isTriggered =
    isKnown && declared.resyncTrigger !== undefined && declared.resyncTrigger !== state.resyncTrigger;
  const isResyncing = isTriggered && isLoading(current.status);
  const isChanged = !isEmpty(change);
  const isAwaited = declared.awaitRunning !== false;
  const tableEdits = isDone ? [] : (edits ?? []);
  const warnings = [
    ...(isLate
      ? ["is Completed, and takes no change of its source: what the program declares was not sent"]
      : []),
    ...(goal && declared.state === undefined ? pauseOf(goal, current) : []),
    ...(isResyncing
      ? [
          `is in the status ${current.status}: it loads its tables anew already, as after a resync of an update that was killed, so none is sent; change resyncTrigger once more to send one`,
        ]
      : []),
  ];
  if (edits === undefined && !isDone)
    return [
      silently(({ id }) => {
        throw new Error(`pipe ${id} was not changed: ${onlyTable}`);
      }),
    ];
  const minutes = minutesFor(waiting, "update", declared);
  const pipeAt = (at: At): LivePipe => ({ ...at, definition, state: isKnown ? state : current, minutes });
  // Only while the steps run is it known whether the pipe had to be stopped, so that its source could be changed.
  let end = goal;
  let seen: PropertyMap = {};
  return [
    silently(({ id, context }) => {
      for (const warning of warnings) context.session.warnOnce(`update of pipe ${id}: the pipe ${warning}`);
    }),
    ...when(
      isChanged && isOfSource && !isOfDatabase,
      silently(async (at) => {
        if (!(await isFailed(pipeAt(at)))) return;
        end ??= "running";
        at.owe({ goal: end });
        await reach(pipeAt(at), "stopped");
      }),
    ),
    ...when(isChanged, { operation: "updatePipe", body: change, shown: (answer) => answer }),
    ...tableEdits.map((edit) =>
      silently(async (at) => {
        at.owe({ goal: end });
        await reach(pipeAt(at), "stopped");
        await editTables(pipeAt(at), bodyOf(source, edit));
        // The service starts a pipe again by itself after its tables were changed.
        await settle(pipeAt(at));
      }),
    ),
    ...when(!isEmpty(settings), {
      operation: "putPipeSettings",
      // The request replaces all settings of the pipe, so it repeats the undeclared ones. They are read just before, since somebody
      // may have changed them.
      body: async (at) => ({
        ...(source?.kind !== "objectStorage" && settingsIn(definition, await look(at))),
        ...settings,
      }),
      repeatsLook: true,
      shown: (answer) => ({ settings: answer }),
    }),
    ...when(!isEmpty(scaling), {
      operation: "updatePipeScaling",
      body: scaling,
      shown: (_answer, at) => awaitScaling(pipeAt(at), scaling),
    }),
    {
      async ensure(at) {
        if (end) await reach(pipeAt(at), end, isAwaited);
        at.owe({ goal: undefined });
        seen = await look(at);
        // An earlier update that was killed may have restarted the pipe, so the provider waits until it has started.
        if (!end && isAwaited && ((isChanged && isOfSource) || isOnItsWay(seen.state))) {
          await settle(pipeAt(at));
          seen = await look(at);
        }
        if (isOfDatabase && (isChanged || tableEdits.length > 0)) refuseOtherTables(at, seen, wanted ?? []);
        return seen;
      },
    },
    ...when(isTriggered && !isResyncing, {
      async ensure(at) {
        await resync(pipeAt(at), seen);
        // A resync starts a pipe that was paused, and the next update takes the status in the state for what the pipe did before.
        return look(at).catch(() => undefined);
      },
    }),
  ];
}

/** Fails if, at the end of an update, a database pipe reads other tables than the update should have set. */
function refuseOtherTables({ id }: At, live: PropertyMap, wanted: readonly PropertyMap[]): void {
  const tables = wanted.map(mappingKey);
  const now = mappingsOf(live).map(mappingKey);
  if (now.length === tables.length && now.every((key) => tables.includes(key))) return;
  throw new Error(
    `pipe ${id}: the tableMappings of its source differ from those that this update was to bring about: somebody else changed them meanwhile, or the service did not carry out the change; run pulumi up again to go on`,
  );
}

/** The members of a pipe's source that an update request changes in place. */
function changedSource(
  { kind, members }: Source,
  desired: PropertyMap,
  current: PropertyMap,
  sendsCredentials: boolean,
): PropertyMap {
  const schema = schemaOfSource(kind);
  const live = sourceIn(current)?.members ?? {};
  const { tableMappings: _mappings, ...own } = differencesIn(schema, members, live);
  const settings = differencesIn(schemaAt(schema, "settings"), members.settings, live.settings, true);
  const changed = { ...own, ...(!isEmpty(settings) && { settings }) };
  // If the host, port and database of the source all change, the service requires the password in the same request.
  const isWhole = ["host", "port", "database"].every((name) => name in changed);
  const credentials = isWhole || sendsCredentials ? desired.credentials : undefined;
  return { ...changed, ...(kind !== "bigquery" && placed(kind, credentials)) };
}

/**
 * The body of an update request that changes some members of a pipe's source, and repeats those that the service always
 * requires.
 */
const bodyOf = (
  { kind, members }: Source = { kind: "", members: {} },
  changed: PropertyMap,
): PropertyMap => ({
  source: { [kind]: { ...pick(members, repeated[kind] ?? []), ...changed } },
});

/**
 * Whether an update has to send the credentials of a pipe: they have changed, or an earlier update that did not finish may not
 * have sent them.
 */
function hasOtherCredentials({ credentials }: PropertyMap, state: State): boolean {
  if (credentials === undefined) return false;
  const isDoubtful = trackingOf(state).awaiting !== undefined;
  return isDoubtful || !equal(schemaAt(pipeInputs, "credentials"), credentials, state.credentials);
}

/**
 * The declared members of a pipe that are updated in place, and that differ from what the service shows.
 *
 * @param isFixed whether only a create takes members without an annotation of their own
 */
function differencesIn(
  schema: TSchema,
  declared: unknown,
  live: unknown,
  isFixed = annotationsOf(schema).replaces === true,
): PropertyMap {
  if (!isObject(declared)) return {};
  const now = isObject(live) ? live : {};
  const names = Object.keys(declared).filter((name) => {
    const member = schemaAt(schema, name);
    const { replaces = isFixed } = annotationsOf(member);
    return !replaces && !equalByDefault(member, declared[name], now[name]);
  });
  return Object.fromEntries(names.map((name) => [name, declared[name]]));
}

/** The columns and field mappings of a pipe, which the service accepts only together. */
function changedColumns(desired: PropertyMap, current: PropertyMap): PropertyMap {
  const { destination, fieldMappings } = desired;
  if (!isObject(destination) || destination.columns === undefined) return {};
  const live = isObject(current.destination) ? current.destination : {};
  const columns = schemaAt(schemaAt(pipeInputs, "destination"), "columns");
  const isSame = equal(columns, destination.columns, live.columns);
  const areSame =
    fieldMappings === undefined ||
    equal(schemaAt(pipeInputs, "fieldMappings"), fieldMappings, current.fieldMappings);
  if (isSame && areSame) return {};
  return {
    destination: { columns: destination.columns },
    ...(fieldMappings !== undefined && { fieldMappings }),
  };
}

const onlyTable =
  "its only table mapping cannot be changed in place, because the service does not remove the last one of a pipe: declare a second mapping, run pulumi up, and then make this change";

const mappingsOf = (data: PropertyMap): readonly PropertyMap[] => mappingsIn(sourceIn(data)?.members ?? {});

/**
 * Whether the program declares other tables for a database pipe than the Pulumi state has. If so, an update that was killed may
 * have paused the pipe to change its tables.
 */
function hasOtherMappings(declared: PropertyMap, state: State): boolean {
  const [now, before] = [sourceIn(declared), sourceIn(state)];
  return (
    before !== undefined &&
    now?.kind === before.kind &&
    !equal(
      schemaAt(schemaOfSource(before.kind), "tableMappings"),
      now.members.tableMappings,
      before.members.tableMappings,
    )
  );
}

/**
 * Whether the program declares another source, columns or credentials for a streaming pipe than the Pulumi state has. If so, an
 * update that was killed may have stopped the pipe, if it had failed, to change its source.
 */
function hasOtherSource(declared: PropertyMap, state: State): boolean {
  const names = ["source", "destination", "fieldMappings", "credentials"].filter((name) => name in declared);
  return names.some((name) => !equal(schemaAt(pipeInputs, name), declared[name], state[name]));
}

/**
 * Whether a pipe shall run or be stopped after an update: as declared; else as it was before an update that has failed, or was
 * killed, stopped it; else, if its tables change, as it was before.
 */
function goalOf(
  { state: wished }: PropertyMap,
  current: PropertyMap,
  state: State,
  isPaused: boolean,
): Goal | undefined {
  if (isCompleted(current.status)) return undefined;
  if (wished !== undefined) return wished as Goal;
  const { goal } = trackingOf(state);
  if (goal === "running" || goal === "stopped") return goal;
  return isPaused ? (stateBefore(state.status) ?? stateBefore(current.status) ?? "running") : undefined;
}

/** The warning about a pipe that is found stopped while its tables or its source change, if the program declares no `state`. */
function pauseOf(goal: Goal, { status }: PropertyMap): string[] {
  if (wishedState(status) !== "stopped") return [];
  const before = `is ${status}: somebody, or an update that failed or was killed, has stopped it`;
  return goal === "running"
    ? [`${before}, since it ran when it was last seen; it runs again from now on`]
    : [`${before}, and it stays so; declare state: "running" to have it run`];
}
