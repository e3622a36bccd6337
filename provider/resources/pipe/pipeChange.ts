import { type State, trackingOf } from "../../lifecycle/state";
import { minutesFor } from "../../lifecycle/waiting";
import { equal, equalByDefault } from "../../values/compare";
import { type Data, isObject, pick } from "../../values/data";
import { annotationsOf, schemaAt } from "../../values/schema";
import type { TSchema } from "../../values/schemaBuilders";
import { placed, withAuthentication } from "./credentials";
import { isDatabase, type Source, sourceIn } from "./kinds";
import { pipeInputs, schemaOfSource } from "./pipeInputs";
import { isCompleted, isLoading, needsStop, stateBefore, waiting, wishedState } from "./pipeStates";
import { editsOf, mappingKey, mappingsIn } from "./tableMappings";

/**
 * The requests that change a pipe into what the program declares, in their order. A property is absent if its request is not
 * needed.
 */
export interface PipeChange {
  /** The body that changes the pipe's name, source and columns: one request, since each restarts a running pipe. */
  readonly change?: Data;
  /**
   * Whether the request `change` changes more than the pipe's name. If so, the pipe has to be running or stopped before the
   * request.
   */
  readonly isOfSource: boolean;
  /**
   * The bodies that change the tables of a database pipe. It has to be paused for each, and the service then starts it again.
   */
  readonly edits: readonly Data[];
  /** Why the service cannot carry out the declared change of the pipe; absent if it can. */
  readonly refusal?: string;
  /** The keys of the tables that a database pipe reads after the change. */
  readonly tables: readonly (string | undefined)[];
  readonly settings?: Data;
  /** Whether the service resets those settings of the pipe that a settings request does not name. */
  readonly resetsSettings: boolean;
  readonly scaling?: Data;
  /** Whether the pipe shall run or be stopped after the change; absent if it may do either. */
  readonly goal?: "running" | "stopped";
  /** Whether the last request of the update makes the pipe load its tables anew. */
  readonly isResynced: boolean;
  readonly minutes: number;
  readonly isAwaited: boolean;
  readonly isDatabase: boolean;
  /** Warnings that declared values of the pipe are not sent, or that somebody has paused the pipe. */
  readonly warnings: readonly string[];
}

export function creationOf({ state, credentials, schemaRegistryCredentials, ...body }: Data): Data {
  const source = sourceIn(body);
  if (!source) return body;
  const { kind, members } = withAuthentication(source, credentials);
  const { schemaRegistry } = members;
  const isConfluent = isObject(schemaRegistry) && schemaRegistry.url !== undefined;
  return {
    ...body,
    source: {
      [kind]: {
        ...members,
        ...(isConfluent && {
          schemaRegistry: {
            authentication: "PLAIN",
            ...schemaRegistry,
            ...(schemaRegistryCredentials !== undefined && { credentials: schemaRegistryCredentials }),
          },
        }),
        ...placed(kind, credentials),
      },
    },
    // A pipe that reads a database has to start before it can be stopped, so the create request does not ask for `startPaused`.
    ...(state === "stopped" && !isDatabase(kind) && { startPaused: true }),
  };
}

/** Members of a pipe's source that each update request has to repeat, by the kind of source. */
const repeated: { readonly [kind: string]: readonly string[] } = {
  ...{ pubsub: ["authentication"], mysql: ["host", "port"], mongodb: ["uri", "readPreference"] },
};

const isEmpty = (data: Data) => Object.keys(data).length === 0;

/**
 * The requests that change a pipe into what the program declares.
 *
 * @param desired the members that the pipe shall have
 * @param current the pipe as the service shows it
 * @param state the last known Pulumi state; empty for a pipe that is being adopted
 */
export function changeOf(desired: Data, current: Data, state: State, declared: Data): PipeChange {
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
  return {
    ...(!isEmpty(change) && { change }),
    isOfSource,
    edits: isDone ? [] : (edits ?? []).map((edit) => bodyOf(source, edit)),
    ...(edits === undefined && !isDone && { refusal: onlyTable }),
    tables: isOfDatabase ? (wanted ?? []).map(mappingKey) : [],
    ...(!isEmpty(settings) && { settings }),
    resetsSettings: source?.kind !== "objectStorage",
    ...(!isEmpty(scaling) && { scaling }),
    ...(goal && { goal }),
    isResynced: isTriggered && !isResyncing,
    minutes: minutesFor(waiting, "update", declared),
    isAwaited: declared.awaitRunning !== false,
    isDatabase: isOfDatabase,
    warnings: [
      ...(isLate
        ? ["is Completed, and takes no change of its source: what the program declares was not sent"]
        : []),
      ...(goal && declared.state === undefined ? pauseOf(goal, current) : []),
      ...(isResyncing
        ? [
            `is in the status ${current.status}: it loads its tables anew already, as after a resync of an update that was killed, so none is sent; change resyncTrigger once more to send one`,
          ]
        : []),
    ],
  };
}

/** The members of a pipe's source that an update request changes in place. */
function changedSource(
  { kind, members }: Source,
  desired: Data,
  current: Data,
  sendsCredentials: boolean,
): Data {
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
const bodyOf = ({ kind, members }: Source = { kind: "", members: {} }, changed: Data): Data => ({
  source: { [kind]: { ...pick(members, repeated[kind] ?? []), ...changed } },
});

/**
 * Whether an update has to send the credentials of a pipe: they have changed, or an earlier update that did not finish may not
 * have sent them.
 */
function hasOtherCredentials({ credentials }: Data, state: State): boolean {
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
): Data {
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
function changedColumns(desired: Data, current: Data): Data {
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

const mappingsOf = (data: Data): readonly Data[] => mappingsIn(sourceIn(data)?.members ?? {});

/**
 * Whether the program declares other tables for a database pipe than the Pulumi state has. If so, an update that was killed may
 * have paused the pipe to change its tables.
 */
function hasOtherMappings(declared: Data, state: State): boolean {
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
function hasOtherSource(declared: Data, state: State): boolean {
  const names = ["source", "destination", "fieldMappings", "credentials"].filter((name) => name in declared);
  return names.some((name) => !equal(schemaAt(pipeInputs, name), declared[name], state[name]));
}

/**
 * Whether a pipe shall run or be stopped after an update: as declared; else as it was before an update that has failed, or was
 * killed, stopped it; else, if its tables change, as it was before.
 */
function goalOf(
  { state: wished }: Data,
  current: Data,
  state: State,
  isPaused: boolean,
): "running" | "stopped" | undefined {
  if (isCompleted(current.status)) return undefined;
  if (wished !== undefined) return wished as "running" | "stopped";
  const { goal } = trackingOf(state);
  if (goal === "running" || goal === "stopped") return goal;
  return isPaused ? (stateBefore(state.status) ?? stateBefore(current.status) ?? "running") : undefined;
}

/** The warning about a pipe that is found stopped while its tables or its source change, if the program declares no `state`. */
function pauseOf(goal: PipeChange["goal"], { status }: Data): string[] {
  if (wishedState(status) !== "stopped") return [];
  const before = `is ${status}: somebody, or an update that failed or was killed, has stopped it`;
  return goal === "running"
    ? [`${before}, since it ran when it was last seen; it runs again from now on`]
    : [`${before}, and it stays so; declare state: "running" to have it run`];
}
