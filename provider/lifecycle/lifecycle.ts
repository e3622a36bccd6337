import { MissingObject } from "../api/errors";
import type { TObject } from "../typebox";
import type { Change } from "./compare";
import { type Data, pick } from "./data";
import { type Rewritten, reconcile, rewritingsOf } from "./drift";
import { annotationsOf, schemaAt } from "./schema";
import type { Session } from "./session";
import { type Problem, validate } from "./validate";

/** What an answer of the service says about an object, in the words of the inputs and outputs. */
export interface LiveState {
  /** Values of input properties; those that were not declared are shown as outputs. */
  readonly inputs: Data;
  /** Outputs that are no inputs. */
  readonly outputs: Data;
}

/** What a create comes to. */
export interface CreateResult {
  readonly id: string;
  readonly observation: LiveState;
  /** Values before it, to be put back when the resource is destroyed. */
  readonly previous?: Data;
  /** What went wrong once the object was there: it belongs into the state, and the next update completes it. */
  readonly failure?: Error;
}

/** State of an object: declared inputs, outputs, and what the lifecycle has to remember about them. */
export interface State extends Data {
  readonly tracking?: Tracking;
}

/** What the lifecycle remembers in state beside inputs and outputs. Each member is absent when there is nothing to say. */
export interface Tracking {
  /** Declared values that the service answers in other words. */
  readonly rewritten?: Rewritten;
  /** Input properties that are shown as outputs without being declared. */
  readonly undeclared?: readonly string[];
  /** Values before the resource was created, to be put back when it is destroyed. */
  readonly previous?: Data;
}

/** One type of resource: its contract and what it does at each step. Everything here is independent of the host. */
export interface Resource<Inputs extends object = Data> {
  /** Name of the type, such as `Alert`. */
  readonly type: string;
  /** Schema of the inputs, the source of their types, rules, comparison and documentation. */
  readonly inputs: TObject;
  /** Schema of the outputs that are no inputs. */
  readonly outputs: TObject;
  /** Properties that are kept encrypted in state. */
  readonly secrets?: readonly string[];
  /** Inputs that are taken from the settings where they are not declared. */
  readonly placement: readonly ("organizationId" | "serviceId")[];
  /** Whether the observability API serves it too, to those who have no other: then its placement may be left out. */
  readonly inStack?: boolean;
  /** Whether a service has one, which then has the service's id. */
  readonly isSingleton?: true;
  /** Rules over several properties, looked at when each property by itself is right. */
  problems?(inputs: Partial<Inputs>, before: Partial<Inputs> | undefined, session: Session): Problem[];
  /** What is allowed but probably not meant. */
  warnings?(inputs: Partial<Inputs>): string[];
  /** Whether a change cannot be made in place under these settings. */
  replaces?(change: Change, id: string, inputs: Partial<Inputs>, session: Session): boolean;
  /**
   * Outputs that these inputs leave as they were. The check repeats them among the inputs: in the preview of an update
   * a host takes every output that is no input for unknown, and so everything that depends on it for changed.
   */
  stableOutputs?(inputs: Partial<Inputs>, before: Data): Data;

  create(inputs: Inputs, session: Session): Promise<CreateResult>;
  /** The object as the service has it; `gone` when the service says so; `unseen` when there is no way to look. */
  read(
    id: string,
    inputs: Partial<Inputs>,
    session: Session,
    state: State,
  ): Promise<LiveState | "gone" | "unseen">;
  update(id: string, inputs: Inputs, state: State, session: Session): Promise<LiveState>;
  delete(id: string, state: State, session: Session): Promise<void>;
}

/** Wrong inputs, or right ones with what the settings add. */
export function check<Inputs extends object>(
  resource: Resource<Inputs>,
  before: Data,
  declared: Data,
  session: Session,
) {
  const inputs: Record<string, unknown> = { ...declared };
  const problems: Problem[] = [];
  for (const name of resource.placement) {
    if (inputs[name] !== undefined && inputs[name] !== null) continue;
    try {
      const place = placeBySettings(resource, name, session) ?? before[name];
      if (place === undefined) delete inputs[name];
      else inputs[name] = place;
    } catch (error) {
      const { message } = error as Error;
      delete inputs[name];
      // No property is wrong but a setting, which may stand in the way of several; once is enough.
      if (!problems.some((problem) => problem.message === message)) problems.push({ path: "", message });
    }
  }
  problems.push(...validate(resource.inputs, inputs));
  if (problems.length === 0) problems.push(...unsupportedByDialect(resource, inputs, session));
  if (problems.length === 0) {
    const old = Object.keys(before).length === 0 ? undefined : (before as Partial<Inputs>);
    problems.push(...(resource.problems?.(inputs as Partial<Inputs>, old, session) ?? []));
  }
  if (problems.length > 0) return { inputs, problems, warnings: [] };
  const id = resource.isSingleton ? inputs.serviceId : inputs.adoptId;
  if (typeof id === "string") session.declared.add(keyOf(resource, id));
  const steady = resource.stableOutputs?.(inputs as Partial<Inputs>, before) ?? {};
  return { inputs: { ...inputs, ...steady }, problems, warnings: warningsOf(resource, inputs) };
}

/** Where objects are that do not say so; undefined if that is not needed. */
function placeBySettings<Inputs extends object>(
  resource: Resource<Inputs>,
  name: "organizationId" | "serviceId",
  session: Session,
): string | undefined {
  if (resource.inStack && session.observabilityVia === "observability") return session.settings[name];
  return name === "organizationId" ? session.organizationOf({}) : session.serviceOf({});
}

/** Properties that only another dialect has. */
function unsupportedByDialect<Inputs extends object>(
  { inputs: schema }: Resource<Inputs>,
  inputs: Data,
  session: Session,
): Problem[] {
  return Object.keys(inputs).flatMap((path) => {
    const { dialect } = annotationsOf(schemaAt(schema, path));
    if (!dialect || dialect === session.settings.dialect) return [];
    return [{ path, message: `is only there in the dialect ${dialect}; the setting dialect says otherwise` }];
  });
}

function warningsOf<Inputs extends object>(resource: Resource<Inputs>, inputs: Data): string[] {
  const deprecated = Object.entries(resource.inputs.properties).flatMap(([name, schema]) => {
    const reason = annotationsOf(schema).deprecated;
    return reason && inputs[name] !== undefined ? [`${resource.type}: ${name} is deprecated: ${reason}`] : [];
  });
  return [...deprecated, ...(resource.warnings?.(inputs as Partial<Inputs>) ?? [])];
}

export async function create<Inputs extends object>(
  resource: Resource<Inputs>,
  inputs: Data,
  session: Session,
) {
  const declared = declaredIn(resource, inputs);
  const { id, observation, previous, failure } = await resource.create(declared as Inputs, session);
  return { id, state: stateAfterWrite(resource, declared, observation, previous), failure };
}

export async function update<Inputs extends object>(
  resource: Resource<Inputs>,
  id: string,
  state: State,
  inputs: Data,
  session: Session,
): Promise<State> {
  const declared = declaredIn(resource, inputs);
  const observation = await resource.update(id, declared as Inputs, state, session).catch((error) => {
    if (!(error instanceof MissingObject) || resource.isSingleton) throw error;
    throw new Error(
      `${error.message}\nIf ${resource.type} ${id} is gone from the service, "pulumi up --refresh" creates it again`,
    );
  });
  // An answer to an update need not repeat what was only shown at creation.
  const outputs = { ...outputsIn(resource, state), ...observation.outputs };
  return stateAfterWrite(resource, declared, { ...observation, outputs }, state.tracking?.previous);
}

/**
 * Deletes an object, but not one that the program declares: where a resource has got another name, the engine makes the
 * new one and then deletes the old one, and both are about the same object.
 */
export async function remove<Inputs extends object>(
  resource: Resource<Inputs>,
  id: string,
  state: State,
  session: Session,
): Promise<void> {
  if (!session.declared.has(keyOf(resource, id))) return resource.delete(id, state, session);
  session.warnOnce(
    `${resource.type} ${id} is not deleted: the program still declares it; where it has got another name, the option "aliases" tells Pulumi so`,
  );
  // Whatever made it anew found what this one had made of it.
  const { previous } = state.tracking ?? {};
  if (!previous) return;
  const lost = JSON.stringify(pick(previous, Object.keys(declaredIn(resource, state))));
  session.warnOnce(
    `${resource.type} ${id}: what it had before, ${lost}, is not put back when it is destroyed`,
  );
}

function keyOf({ type }: { readonly type: string }, id: string): string {
  return `${type} ${id.toLowerCase()}`;
}

/**
 * The object as it is now: inputs with the values that drifted, and the state that belongs to them. Where the state
 * holds nothing declared, as when an existing object is looked up, all that the service answers counts as declared.
 */
export async function read<Inputs extends object>(
  resource: Resource<Inputs>,
  id: string,
  state: State,
  session: Session,
): Promise<{ inputs: Data; state: State } | "gone" | "unseen"> {
  const declared = declaredIn(resource, state);
  const observation = await resource.read(id, declared as Partial<Inputs>, session, state);
  if (observation === "gone" || observation === "unseen") return observation;
  const outputs = { ...outputsIn(resource, state), ...observation.outputs };
  const { rewritten, previous } = state.tracking ?? {};
  const managed = sentPart(resource, declared);
  const placed = Object.fromEntries(
    resource.placement.flatMap((name) => {
      const place = declared[name] ?? placeBySettings(resource, name, session);
      return place === undefined ? [] : [[name, place]];
    }),
  );
  const inputs =
    Object.keys(managed).length > 0
      ? { ...declared, ...reconcile(resource.inputs, managed, observation.inputs, rewritten ?? {}) }
      : { ...placed, ...declared, ...withoutForeignWords(resource, observation.inputs, session) };
  const steady = resource.stableOutputs?.(inputs as Partial<Inputs>, outputs) ?? {};
  return {
    inputs: { ...inputs, ...steady },
    state: stateOf(resource, inputs, { ...observation, outputs }, { rewritten, previous }),
  };
}

/** What a program under these settings can declare of what was found. */
function withoutForeignWords<Inputs extends object>(
  resource: Resource<Inputs>,
  found: Data,
  session: Session,
): Data {
  const foreign = unsupportedByDialect(resource, found, session).map(({ path }) => path);
  return Object.fromEntries(Object.entries(found).filter(([name]) => !foreign.includes(name)));
}

/** The part of a state, or of inputs as the check returns them, that the program declared. */
export function declaredIn<Inputs extends object>(resource: Resource<Inputs>, state: State): Data {
  const undeclared = state.tracking?.undeclared ?? [];
  return Object.fromEntries(
    Object.entries(state).filter(
      ([name]) => name in resource.inputs.properties && !undeclared.includes(name),
    ),
  );
}

/** The part of a state that is neither input nor what the lifecycle remembers. */
export function outputsIn<Inputs extends object>(resource: Resource<Inputs>, state: State): Data {
  return Object.fromEntries(
    Object.entries(state).filter(([name]) => !(name in resource.inputs.properties) && name !== "tracking"),
  );
}

/** The inputs that the service knows: what is sent, and looked for in answers. */
export function sentPart<Inputs extends object>(
  resource: Pick<Resource<Inputs>, "inputs">,
  inputs: Data,
): Data {
  return Object.fromEntries(
    Object.entries(inputs).filter(([name]) => !annotationsOf(schemaAt(resource.inputs, name)).local),
  );
}

function stateAfterWrite<Inputs extends object>(
  resource: Resource<Inputs>,
  inputs: Data,
  observation: LiveState,
  previous: Data | undefined,
): State {
  const rewritten = rewritingsOf(resource.inputs, sentPart(resource, inputs), observation.inputs);
  return stateOf(resource, inputs, observation, { rewritten, previous });
}

function stateOf<Inputs extends object>(
  resource: Resource<Inputs>,
  inputs: Data,
  observation: LiveState,
  remembered: { rewritten?: Rewritten; previous?: Data },
): State {
  const shown = Object.fromEntries(
    Object.entries(observation.inputs).filter(
      ([name]) => name in resource.inputs.properties && !(name in inputs),
    ),
  );
  const { rewritten, previous } = remembered;
  const undeclared = Object.keys(shown);
  const tracking: Tracking = {
    ...(rewritten && Object.keys(rewritten).length > 0 ? { rewritten } : {}),
    ...(undeclared.length > 0 ? { undeclared } : {}),
    ...(previous ? { previous } : {}),
  };
  return {
    ...observation.outputs,
    ...shown,
    ...inputs,
    ...(Object.keys(tracking).length > 0 ? { tracking } : {}),
  };
}
