import { type State, trackingOf } from "../../lifecycle/state";
import { minutesFor } from "../../lifecycle/waiting";
import { equal } from "../../values/compare";
import { type Data, isObject, pick } from "../../values/data";
import { annotationsOf, schemaAt } from "../../values/schema";
import type { TSchema } from "../../values/schemaBuilders";
import { placed } from "./credentials";
import { isDatabase, type Source, sourceIn } from "./kinds";
import { pipeInputs } from "./pipeInputs";
import { isCompleted, waiting, wishedState } from "./pipeStates";
import { editsOf, mappingKey, mappingsIn } from "./tableMappings";

/** The requests that bring a pipe to what a program declares, in their order; each is absent where nothing is to be done. */
export interface PipeChange {
  /** The name, the source, and columns with their mappings: one request, since a running pipe restarts with each. */
  readonly change?: Data;
  /** Whether that is about more than the name, so that a pipe has to run or to be stopped for it. */
  readonly isOfSource: boolean;
  /** Whether that has credentials, which no answer shows. */
  readonly hasCredentials: boolean;
  /** Changes of the tables of a database. Each is made while the pipe is paused, which the service ends by itself. */
  readonly edits: readonly Data[];
  /** Why nothing can be changed; absent where it can. */
  readonly refusal?: string;
  /** What the mappings of a database read in the end, by their keys. */
  readonly tables: readonly (string | undefined)[];
  readonly settings?: Data;
  /** Whether the service resets the settings that a request does not name. */
  readonly resetsSettings: boolean;
  readonly scaling?: Data;
  /** The state to bring about, or to bring back; absent where the pipe may be in any. */
  readonly goal?: "running" | "stopped";
  /** Whether the tables are loaded anew, which comes last. */
  readonly isResynced: boolean;
  /** For how long each state is waited for. */
  readonly minutes: number;
  readonly isAwaited: boolean;
  readonly isDatabase: boolean;
  /** What the program declares and no request can bring about. */
  readonly warnings: readonly string[];
}

/** The body that creates a pipe. */
export function creationOf({ state, credentials, schemaRegistryCredentials, ...body }: Data): Data {
  const source = sourceIn(body);
  if (!source) return body;
  const { kind, members } = source;
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
    // A pipe of a database has to begin before it can be stopped.
    ...(state === "stopped" && !isDatabase(kind) && { startPaused: true }),
  };
}

/** What a change of a source has to repeat. */
const repeated: { readonly [kind: string]: readonly string[] } = {
  ...{ pubsub: ["authentication"], mysql: ["host", "port"], mongodb: ["uri", "readPreference"] },
};

const isEmpty = (data: Data) => Object.keys(data).length === 0;

/**
 * The requests that an update takes.
 *
 * @param desired the members that are to be
 * @param current the pipe as it is
 * @param state the last known state; empty for a pipe that is taken over
 */
export function changeOf(desired: Data, current: Data, state: State, declared: Data): PipeChange {
  const differs = (name: string) =>
    name in desired && !equal(schemaAt(pipeInputs, name), desired[name], current[name]);
  const source = sourceIn(desired);
  const isOfDatabase = isDatabase(source?.kind ?? "");
  const sendsCredentials = hasOtherCredentials(desired, state);
  const changed = source ? changedSource(source, desired, current, sendsCredentials) : {};
  const columns = changedColumns(desired, current);
  const isDone = isCompleted(current.status);
  const [wanted, live, before] = [desired, current, state].map((data) => mappingsOf(data));
  const edits =
    isOfDatabase && source?.kind !== "bigquery" ? editsOf(wanted ?? [], live ?? [], before ?? []) : [];
  const isOfSource = !isEmpty(changed) || !isEmpty(columns);
  const isLate = isDone && (isOfSource || edits?.length !== 0);
  const change = {
    ...(differs("name") && { name: desired.name }),
    ...(!isEmpty(changed) && !isDone && bodyOf(source, changed)),
    ...(!isDone && columns),
  };
  const settings = differencesIn(schemaAt(pipeInputs, "settings"), desired.settings, current.settings);
  const scaling = differencesIn(schemaAt(pipeInputs, "scaling"), desired.scaling, current.scaling);
  const isPaused = edits?.length !== 0 || hasOtherMappings(declared, state);
  const goal = goalOf(declared, current, state, isPaused);
  const isKnown = !isEmpty(state);
  return {
    ...(!isEmpty(change) && { change }),
    isOfSource,
    hasCredentials: sendsCredentials,
    edits: isDone ? [] : (edits ?? []).map((edit) => bodyOf(source, edit)),
    ...(edits === undefined && !isDone && { refusal: onlyTable }),
    tables: isOfDatabase ? (wanted ?? []).map(mappingKey) : [],
    ...(!isEmpty(settings) && { settings }),
    resetsSettings: source?.kind !== "objectStorage",
    ...(!isEmpty(scaling) && { scaling }),
    ...(goal && { goal }),
    isResynced:
      isKnown && declared.resyncTrigger !== undefined && declared.resyncTrigger !== state.resyncTrigger,
    minutes: minutesFor(waiting, "update", declared),
    isAwaited: declared.awaitRunning !== false,
    isDatabase: isOfDatabase,
    warnings: [
      ...(isLate
        ? ["is Completed, and takes no change of its source: what the program declares was not sent"]
        : []),
      ...(isPaused && declared.state === undefined && !isDone ? pauseOf(goal, current) : []),
      ...(isKnown ? unsendable(declared, state) : []),
    ],
  };
}

/** The members of a source that a request changes in place. */
function changedSource(
  { kind, members }: Source,
  desired: Data,
  current: Data,
  sendsCredentials: boolean,
): Data {
  const schema = schemaAt(schemaAt(pipeInputs, "source"), kind);
  const live = sourceIn(current)?.members ?? {};
  const { tableMappings: _mappings, ...own } = differencesIn(schema, members, live);
  const settings = differencesIn(schemaAt(schema, "settings"), members.settings, live.settings);
  const changed = { ...own, ...(!isEmpty(settings) && { settings }) };
  // The service wants the password beside a whole address.
  const isWhole = ["host", "port", "database"].every((name) => name in changed);
  const credentials = isWhole || sendsCredentials ? desired.credentials : undefined;
  return { ...changed, ...(kind !== "bigquery" && placed(kind, credentials)) };
}

/** The body that changes members of a source. */
const bodyOf = ({ kind, members }: Source = { kind: "", members: {} }, changed: Data): Data => ({
  source: { [kind]: { ...pick(members, repeated[kind] ?? []), ...changed } },
});

/** Whether credentials have changed, or may not have been sent by an update that did not end. */
function hasOtherCredentials({ credentials }: Data, state: State): boolean {
  if (credentials === undefined) return false;
  const isDoubtful = trackingOf(state).awaiting !== undefined;
  return isDoubtful || !equal(schemaAt(pipeInputs, "credentials"), credentials, state.credentials);
}

/** The declared members that are updated in place, and that differ from the live ones. */
function differencesIn(schema: TSchema, declared: unknown, live: unknown): Data {
  if (!isObject(declared)) return {};
  const now = isObject(live) ? live : {};
  const isFixed = annotationsOf(schema).replaces === true;
  const names = Object.keys(declared).filter((name) => {
    const member = schemaAt(schema, name);
    const { replaces = isFixed } = annotationsOf(member);
    return !replaces && !equal(member, declared[name], now[name]);
  });
  return Object.fromEntries(names.map((name) => [name, declared[name]]));
}

/** Columns and the mappings of fields, which the service takes together. */
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

/** Whether a program declares other tables than the state has: an update that was killed may have paused the pipe for them. */
function hasOtherMappings(declared: Data, state: State): boolean {
  const [now, before] = [sourceIn(declared), sourceIn(state)];
  return (
    before !== undefined &&
    now?.kind === before.kind &&
    JSON.stringify(now.members.tableMappings) !== JSON.stringify(before.members.tableMappings)
  );
}

/** The state to bring about: the declared one or, where tables change, the one from before. */
function goalOf(
  { state: wished }: Data,
  current: Data,
  state: State,
  isPaused: boolean,
): "running" | "stopped" | undefined {
  if (isCompleted(current.status)) return undefined;
  if (wished !== undefined) return wished as "running" | "stopped";
  return isPaused ? (wishedState(state.status) ?? wishedState(current.status) ?? "running") : undefined;
}

/** What becomes of a pipe that is paused as its tables change, and of which the program does not say whether it runs. */
function pauseOf(goal: PipeChange["goal"], { status }: Data): string[] {
  if (wishedState(status) !== "stopped") return [];
  const before = `is ${status}: somebody, or an update that was killed, has paused it`;
  return goal === "running"
    ? [`${before}, since it ran when it was last seen; it runs again from now on`]
    : [`${before}, and it stays so; declare state: "running" to have it run`];
}

/** What only a create takes, and a program declares of a pipe whose state does not have it: an import does not know it. */
function unsendable(declared: Data, state: State): string[] {
  const [now, before] = [createdWith(declared), createdWith(state)];
  return Object.keys(now)
    .filter((name) => now[name] !== undefined && before[name] === undefined)
    .map(
      (name) =>
        `is assumed to have been created with the declared ${name}, which only a create takes and no answer shows`,
    );
}

/** The members that only a create takes, and that no answer shows, by their paths. */
export function createdWith(inputs: Data): Data {
  const { kind = "", members = {} } = sourceIn(inputs) ?? {};
  const { destination, schemaRegistryCredentials, credentials } = inputs;
  return {
    [`source.${kind}.protobufSchema`]: members.protobufSchema,
    "destination.roles": isObject(destination) ? destination.roles : undefined,
    schemaRegistryCredentials,
    ...(kind === "bigquery" && { credentials }),
  };
}
