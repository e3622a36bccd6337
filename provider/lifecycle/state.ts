import type { ApiError } from "../api/errors";
import { isNew, stampOf } from "../values/age";
import { isEmpty } from "../values/compare";
import { isObject, type PropertyMap } from "../values/data";
import { annotationsOf, schemaAt } from "../values/schema";
import type { TObject } from "../values/schemaBuilders";
import { liveRecords } from "./liveRecords";
import type { Judgements } from "./merge";
import type { Entries, Records } from "./records";

/** The Pulumi state of an object: declared inputs, outputs, and the provider's records about them. */
export type State = PropertyMap;

/** The provider's records in the Pulumi state of an object, beside inputs and outputs. Empty records are omitted. */
export interface Tracking {
  readonly normalized?: Records;
  /** Digests of the declared values that the last write seemed to leave unchanged: the API may not have carried it out. */
  readonly doubted?: Records;
  /**
   * Entries of lists without order, by the path of the list, that an update was to remove and that the API still showed after
   * it. The next update removes them.
   */
  readonly owed?: Entries;
  /** Names of inputs that the program does not declare; the Pulumi state shows their live values as outputs. */
  readonly undeclared?: readonly string[];
  /**
   * Digests of live values in inputs with members that only a create takes, by their paths, where the program declares
   * something else or nothing. Present, even if empty, for types with such members inside an input.
   */
  readonly live?: Records;
  /** Paths of the members that only a create takes, that no answer need show, and that the create of the object left out. */
  readonly leftOut?: readonly string[];
  /**
   * The values that a singleton, such as a service's scaling, had before its resource was created. Destroying the resource
   * restores them.
   */
  readonly previous?: PropertyMap;
  /**
   * The time of the creation by this machine's clock (ISO 8601). It is kept while reads may lag, and only for an object from
   * which no creation time can be read.
   */
  readonly createdAt?: string;
  /**
   * Set if the answer to the create was lost and a list then showed the object. The provider tells resources with the same
   * object apart by their Pulumi states. Without this record, the state could equal that of a resource that had the object
   * before.
   */
  readonly taken?: true;
  /** Set while a create or update has not ended. A refresh keeps this record, and the next update goes on waiting. */
  readonly awaiting?: Awaited;
  /**
   * What an update that failed may have written, by path: the digests of the new and the former value. If the program does not
   * declare such an input, the next update resets one that it shows changed or not at all, or warns of it.
   */
  readonly attempted?: Records;
  /** The state to which the next update has to bring the object back, such as `running`: a failed update has left it. */
  readonly goal?: string;
  /** Set while the password of the object may be another one than the Pulumi state has, so that the next update sets a new one. */
  readonly owesPassword?: true;
  /** For an AlertSet: the Pulumi state of each alert, by its key, apart from the declared values. */
  readonly entries?: { readonly [key: string]: PropertyMap };
  /** For an AlertSet: keys of the alerts whose last write failed after they were created. */
  readonly unfinished?: readonly string[];
  /** For an AlertSet: by key, the alerts that may exist although no list has shown them, since the answers to their creates were lost. */
  readonly doubts?: { readonly [key: string]: EntryDoubt };
  /** Inputs of an imported object that hold a placeholder instead of a secret, until the object is read or written. */
  readonly standIns?: readonly string[];
}

/** A create of an AlertSet whose answer was lost. */
export interface EntryDoubt {
  /** A time before the create (ISO 8601), by the clock of this machine. */
  readonly at: string;
  /** The digest of what answers show of the alert. */
  readonly digest: string;
  /** The ids of equal alerts that existed before the create. Undefined if no list can tell. */
  readonly others?: readonly string[];
}

export type Awaited = "create" | "update";

/** The output with the provider's records. The engine hides properties whose names begin with two underscores. */
export const trackingName = "__tracking";

interface Schemas {
  readonly inputs: TObject;
  readonly outputs: TObject;
}

/** The live values of an object, by the names of the resource's inputs and outputs. */
export interface LiveState {
  /** Live values of inputs. Those that the program does not declare become outputs in the Pulumi state. */
  readonly inputs: PropertyMap;
  readonly outputs: PropertyMap;
}

export interface Written extends LiveState, Judgements {}

/** The result of a read that does not show an object, if nothing proves that the object is gone. */
export class Unseen {
  constructor(readonly reason: ApiError) {}
}

/** The result of reading an object: the whole object, `gone`, or the reason why the API does not show it. */
export type Observed = PropertyMap | "gone" | Unseen;

export function isSeen(observed: Observed): observed is PropertyMap {
  return observed !== "gone" && !(observed instanceof Unseen);
}

/**
 * The object that a read has shown, or `gone`.
 * @throws ApiError if the read does not tell whether the object exists
 */
export function seenOrGone(observed: Observed): PropertyMap | "gone" {
  if (observed instanceof Unseen) throw observed.reason;
  return observed;
}

export function trackingOf(state: State): Tracking {
  const tracking = state[trackingName];
  return isObject(tracking) ? tracking : {};
}

/** Whether a create or update of an object, or of an entry in a set, has not ended, which no input shows. */
export function isPending(state: State): boolean {
  const { awaiting, unfinished, doubts, entries = {} } = trackingOf(state);
  return (
    [awaiting, unfinished, doubts].some((record) => record !== undefined) ||
    Object.values(entries).some(isPending)
  );
}

/** The records that each write or read makes anew from what the service shows, and those of an AlertSet. */
type FreshRecord = "normalized" | "doubted" | "owed" | "undeclared" | "live" | "standIns";

/** The records that stay until a step changes them. */
export type LastingRecords = Omit<Tracking, FreshRecord | "entries" | "unfinished" | "doubts">;

export function keptIn(state: State): LastingRecords {
  const { normalized, doubted, owed, undeclared, live, standIns, ...lasting } = trackingOf(state);
  return { ...lasting, createdAt: stampIn(state) };
}

/** The part of a Pulumi state that tells how old an object is which was created just now. */
export function newState(id: string, { createdAt }: PropertyMap): State {
  return withTracking({ createdAt }, { createdAt: stampOf({ createdAt, id }) });
}

/** The recorded time of the object's creation; undefined once the object is so old that the API's reads no longer lag. */
export function stampIn(state: State): string | undefined {
  const tracking = state[trackingName];
  const stamp = isObject(tracking) ? tracking.createdAt : undefined;
  return typeof stamp === "string" && isNew({}, stamp) ? stamp : undefined;
}

/** Records in the Pulumi state of an imported object that the named inputs hold placeholders instead of secrets. */
export function withStandIns(state: State, standIns: readonly string[]): State {
  return withTracking(state, { ...trackingOf(state), standIns });
}

export function judgementsIn(state: State): Judgements {
  const { normalized = {}, doubted = {} } = trackingOf(state);
  return { normalized, doubted, owed: owedIn(state) };
}

/** The entries of lists whose removal is owed, by the path of the list. Users may edit states, so other values do not count. */
export function owedIn(state: State): Entries {
  const { owed } = trackingOf(state);
  return Object.fromEntries(
    Object.entries(isObject(owed) ? owed : {}).filter(([, entries]) => Array.isArray(entries)),
  ) as Entries;
}

/** The declared values in a Pulumi state; their lists also have the entries whose removal is owed. */
export function formerlyDeclaredIn(resource: Schemas, state: State): PropertyMap {
  const declared = declaredIn(resource, state);
  const withOwed = Object.entries(owedIn(state)).map(([path, entries]) => {
    const list = declared[path];
    return [path, [...(Array.isArray(list) ? list : []), ...entries]];
  });
  return { ...declared, ...Object.fromEntries(withOwed) };
}

/** The inputs that the program declared, from a Pulumi state or from the result of a check. */
export function declaredIn(resource: Schemas, state: State): PropertyMap {
  const { undeclared = [] } = trackingOf(state);
  return Object.fromEntries(
    Object.entries(state).filter(
      ([name]) => name in resource.inputs.properties && !undeclared.includes(name),
    ),
  );
}

/** Whether a Pulumi state declares nothing that requests send, as when an import is about to read the object. */
export function declaresNothing(resource: Schemas, state: State): boolean {
  return Object.keys(sentPart(resource, declaredIn(resource, state))).length === 0;
}

export function undeclaredIn(state: State): PropertyMap {
  const { undeclared = [] } = trackingOf(state);
  return Object.fromEntries(undeclared.map((name) => [name, state[name]]));
}

export function outputsIn(resource: Schemas, state: State): PropertyMap {
  const isOutput = (name: string) => !(name in resource.inputs.properties) && name !== trackingName;
  return Object.fromEntries(Object.entries(state).filter(([name]) => isOutput(name)));
}

/**
 * The properties of a Pulumi state that the steps of a resource need besides the declared values. The creation time is one of
 * them if it decides whether the object counts as new.
 */
export function recordsIn(id: string, state: State): PropertyMap {
  const { undeclared = [], createdAt } = trackingOf(state);
  const names = new Set([trackingName, ...undeclared]);
  const { createdAt: stamp } = state;
  if (isNew({ createdAt: stamp, id }, createdAt) !== isNew({ id }, createdAt)) names.add("createdAt");
  return Object.fromEntries(Object.entries(state).filter(([name]) => names.has(name)));
}

/** The declared inputs that requests send. Others, such as `adoptId`, are only for the provider. */
export function sentPart(resource: Pick<Schemas, "inputs">, inputs: PropertyMap): PropertyMap {
  return Object.fromEntries(
    Object.entries(inputs).filter(
      ([name]) => annotationsOf(schemaAt(resource.inputs, name)).sent !== "never",
    ),
  );
}

/** The declared inputs that requests send and that answers show. A secret, for example, is never shown. */
export function shownPart(resource: Pick<Schemas, "inputs">, inputs: PropertyMap): PropertyMap {
  return Object.fromEntries(
    Object.entries(sentPart(resource, inputs)).filter(
      ([name]) => annotationsOf(schemaAt(resource.inputs, name)).shown !== "never",
    ),
  );
}

export function stateOf(
  resource: Schemas,
  inputs: PropertyMap,
  { inputs: shown, outputs, ...judgements }: LiveState & Partial<Judgements>,
  lasting: LastingRecords,
): State {
  const shownInputs = Object.fromEntries(
    Object.entries(shown).filter(([name]) => showsUndeclared(resource, name) && !(name in inputs)),
  );
  const undeclared = Object.keys(shownInputs);
  const live = liveRecords(resource.inputs, inputs, shown, undeclared);
  const { normalized, doubted, owed } = judgements;
  return withTracking(
    { ...outputs, ...shownInputs, ...inputs },
    { normalized, doubted, owed, undeclared, live, ...lasting },
  );
}

/**
 * Whether the Pulumi state shows an undeclared input's live value as an output. The schema excludes values in which the API may
 * repeat a secret.
 */
function showsUndeclared({ inputs }: Schemas, name: string): boolean {
  return name in inputs.properties && annotationsOf(schemaAt(inputs, name)).shown !== "declared";
}

/** A Pulumi state with the given records. Those that are empty say nothing, except for two. */
export function withTracking(state: State, tracking: Tracking): State {
  const { [trackingName]: _, ...values } = state;
  const saysNothing = (name: string, record: unknown) =>
    record === undefined || (!["live", "previous"].includes(name) && isEmpty(record));
  const records = Object.entries(tracking).filter(([name, record]) => !saysNothing(name, record));
  return records.length > 0 ? { ...values, [trackingName]: Object.fromEntries(records) } : values;
}
