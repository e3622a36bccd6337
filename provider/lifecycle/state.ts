import type { ApiError } from "../api/errors";
import { isNew } from "../values/age";
import { type Data, isObject } from "../values/data";
import { annotationsOf, schemaAt } from "../values/schema";
import type { TObject } from "../values/schemaBuilders";
import type { Judgements, Records } from "./merge";

/** State of an object: declared inputs, outputs, and the lifecycle's records about them. */
export type State = Data;

/** The lifecycle's records in state, beside inputs and outputs. Empty members are omitted. */
export interface Tracking {
  /** Digests of declared values that the service answers in another form. */
  readonly normalized?: Records;
  /** The same of values that the last write left as they had been, so that it may not have been carried out. */
  readonly doubted?: Records;
  /** Input properties that show as outputs without being declared. */
  readonly undeclared?: readonly string[];
  /** Values before the create of a singleton, none if it was not there; restored when the resource is destroyed. */
  readonly previous?: Data;
  /** When the object was created, by the clock of the machine, as long as reads may lag and nothing else tells (ISO 8601). */
  readonly createdAt?: string;
  /** Whether a list showed the object after a lost create. Nothing else tells its state from that of another resource which had it. */
  readonly taken?: true;
  /**
   * The wait that has not ended yet: for the end of the create, or of what an update has begun. A refresh keeps it, and the next
   * update goes on with it.
   */
  readonly awaiting?: Awaited;
  /** Of a set, by key, the state of an entry beside its declared values. */
  readonly entries?: { readonly [key: string]: Data };
  /** Keys of the entries of a set whose last write failed once they were there. */
  readonly unfinished?: readonly string[];
  /** Inputs of an imported object that hold something else in place of a secret, until they are read or written. */
  readonly standIns?: readonly string[];
}

/** What an object was left in. */
export type Awaited = "create" | "update";

/** The engine hides properties whose names begin with two underscores. */
export const trackingName = "__tracking";

/** The schemas of a resource. */
interface Schemas {
  readonly inputs: TObject;
  readonly outputs: TObject;
}

/** A live object, by the names of inputs and outputs. */
export interface LiveState {
  /** Values of input properties; those that are not declared show as outputs. */
  readonly inputs: Data;
  /** Outputs that are not inputs. */
  readonly outputs: Data;
}

/** A live object after a write. */
export interface Written extends LiveState, Judgements {}

/** Nothing shows the object, and nothing proves that it is gone. */
export class Unseen {
  constructor(readonly reason: ApiError) {}
}

/** The whole object as the service shows it, or why it does not. */
export type Observed = Data | "gone" | Unseen;

export function isSeen(observed: Observed): observed is Data {
  return observed !== "gone" && !(observed instanceof Unseen);
}

/** @throws ApiError if nothing tells whether the object is there */
export function seenOrGone(observed: Observed): Data | "gone" {
  if (observed instanceof Unseen) throw observed.reason;
  return observed;
}

/** The lifecycle's records in a state. */
export function trackingOf(state: State): Tracking {
  const tracking = state[trackingName];
  return isObject(tracking) ? tracking : {};
}

/** The records that outlive reads and updates. */
export type LastingRecords = Pick<Tracking, "previous" | "createdAt" | "taken" | "awaiting">;

export function keptIn(state: State): LastingRecords {
  const { previous, taken: wasTaken, awaiting } = trackingOf(state);
  return { previous, createdAt: stampIn(state), taken: wasTaken, awaiting };
}

/** The stamp of the object's creation, as long as it matters. */
export function stampIn(state: State): string | undefined {
  const tracking = state[trackingName];
  const stamp = isObject(tracking) ? tracking.createdAt : undefined;
  return typeof stamp === "string" && isNew({}, stamp) ? stamp : undefined;
}

/** A state of an imported object in which these inputs hold something else than the secrets that they are. */
export function withStandIns(state: State, standIns: readonly string[]): State {
  return standIns.length > 0 ? withTracking(state, { ...trackingOf(state), standIns }) : state;
}

/** The judgements of earlier writes about the values that a state declares. */
export function judgementsIn(state: State): Judgements {
  const { normalized = {}, doubted = {} } = trackingOf(state);
  return { normalized, doubted };
}

/** The part of a state, or of inputs as the check returns them, that the program declared. */
export function declaredIn(resource: Schemas, state: State): Data {
  const { undeclared = [] } = trackingOf(state);
  return Object.fromEntries(
    Object.entries(state).filter(
      ([name]) => name in resource.inputs.properties && !undeclared.includes(name),
    ),
  );
}

/** The part of a state that the service shows of inputs that the program does not declare. */
export function undeclaredIn(state: State): Data {
  const { undeclared = [] } = trackingOf(state);
  return Object.fromEntries(undeclared.map((name) => [name, state[name]]));
}

/** The part of a state that is neither input nor record. */
export function outputsIn(resource: Schemas, state: State): Data {
  const isOutput = (name: string) => !(name in resource.inputs.properties) && name !== trackingName;
  return Object.fromEntries(Object.entries(state).filter(([name]) => isOutput(name)));
}

/**
 * The part of a state that steps need beside the declared values. Of the outputs, that is `createdAt`, where the id alone would
 * make the object look newer or older.
 */
export function recordsIn(id: string, state: State): Data {
  const { undeclared = [], createdAt } = trackingOf(state);
  const names = new Set([trackingName, ...undeclared]);
  const { createdAt: stamp } = state;
  if (isNew({ createdAt: stamp, id }, createdAt) !== isNew({ id }, createdAt)) names.add("createdAt");
  return Object.fromEntries(Object.entries(state).filter(([name]) => names.has(name)));
}

/** The inputs that the service knows, and that requests send. */
export function sentPart(resource: Pick<Schemas, "inputs">, inputs: Data): Data {
  return Object.fromEntries(
    Object.entries(inputs).filter(
      ([name]) => annotationsOf(schemaAt(resource.inputs, name)).sent !== "never",
    ),
  );
}

/** Of the inputs that the service knows, those that its answers show. */
export function shownPart(resource: Pick<Schemas, "inputs">, inputs: Data): Data {
  return Object.fromEntries(
    Object.entries(sentPart(resource, inputs)).filter(
      ([name]) => annotationsOf(schemaAt(resource.inputs, name)).shown !== "never",
    ),
  );
}

/** The state of an object that has these declared inputs and this live state. */
export function stateOf(
  resource: Schemas,
  inputs: Data,
  { normalized, doubted, ...live }: LiveState & Partial<Judgements>,
  { previous, createdAt, taken: wasTaken, awaiting }: LastingRecords,
): State {
  const shownInputs = Object.fromEntries(
    Object.entries(live.inputs).filter(([name]) => showsUndeclared(resource, name) && !(name in inputs)),
  );
  const undeclared = Object.keys(shownInputs);
  const tracking: Tracking = {
    ...(normalized && Object.keys(normalized).length > 0 ? { normalized } : {}),
    ...(doubted && Object.keys(doubted).length > 0 ? { doubted } : {}),
    ...(undeclared.length > 0 ? { undeclared } : {}),
    ...(previous ? { previous } : {}),
    ...(createdAt ? { createdAt } : {}),
    ...(wasTaken ? { taken: true } : {}),
    ...(awaiting ? { awaiting } : {}),
  };
  return withTracking({ ...live.outputs, ...shownInputs, ...inputs }, tracking);
}

/** Whether an input shows as an output where it is not declared. A value made up by the service may repeat a secret. */
function showsUndeclared({ inputs }: Schemas, name: string): boolean {
  return name in inputs.properties && annotationsOf(schemaAt(inputs, name)).shown !== "declared";
}

/** A state with these records. */
export function withTracking(state: State, tracking: Tracking): State {
  return Object.keys(tracking).length > 0 ? { ...state, [trackingName]: tracking } : state;
}
