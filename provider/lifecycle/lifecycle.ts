import { MissingObject, MissingRoute } from "../api/errors";
import type { OperationName } from "../api/operations";
import { isNew, stampOf } from "../values/age";
import { type Data, pick } from "../values/data";
import { annotationsOf, schemaAt } from "../values/schema";
import { normalizationsOf, reconcile } from "./drift";
import { followed } from "./listEntries";
import { observe, recently, seenOrGone, tryLater } from "./observe";
import {
  type Context,
  type Contract,
  type CreateResult,
  type Desired,
  isSingleton,
  type Resource,
} from "./resource";
import { defaultScope, describeScope, type Scope, scopeNames, scopeOf } from "./scope";
import type { Session } from "./session";
import {
  declaredIn,
  judgementsIn,
  type LiveState,
  outputsIn,
  type State,
  sentPart,
  shownPart,
  stampIn,
  stateOf,
  type Tracking,
  trackingOf,
  type Written,
} from "./state";
import { supportedPart } from "./supported";
import { warnOfUsers } from "./users";

/** In the warning about a type whose objects cannot be looked at. */
export const driftUnseen = "drift cannot be detected";

/** Creates an object, or takes over the one that `adoptId` names. */
export async function create<Inputs extends object>(
  resource: Resource<Inputs>,
  inputs: Data,
  session: Session,
): Promise<{ id: string; state: State; failure?: Error }> {
  const desired = desiredOf(resource, inputs);
  const context = contextOf(resource, desired.inputs, session);
  const { adoptId } = inputs;
  const isAdoption = typeof adoptId === "string";
  const { id, live, previous, failure } = await (isAdoption
    ? adopt(resource, adoptId, desired, context)
    : resource.create(desired, context));
  const createdAt = isAdoption ? undefined : stampOf({ createdAt: live.outputs.createdAt, id });
  const kept = { previous, createdAt };
  return { id, state: stateAfterWrite(resource, desired.inputs as Data, live, kept), failure };
}

/** Adopts an existing object and updates whatever differs from the inputs. */
async function adopt<Inputs extends object>(
  resource: Resource<Inputs>,
  id: string,
  desired: Desired<Inputs>,
  context: Context,
): Promise<CreateResult> {
  const { noun } = resource;
  const found = seenOrGone(await observe(resource, id, context));
  if (found === "gone") throw new Error(`adoptId: ${describeScope(context.scope)} has no ${noun} ${id}`);
  if (!resource.adopt) throw new Error(`adoptId: a ${noun} cannot be adopted`);
  return { id, live: await resource.adopt(id, found, desired, context) };
}

/** Updates an object in place. */
export async function update<Inputs extends object>(
  resource: Resource<Inputs>,
  id: string,
  state: State,
  inputs: Data,
  session: Session,
): Promise<State> {
  const desired = desiredOf(resource, inputs);
  const dropped = droppedIn(resource, state, desired.inputs as Data);
  const whole = { ...desired, body: { ...resetsOf(dropped), ...desired.body } };
  const context = contextOf(resource, desired.inputs, session);
  const live = await resource.update(id, whole, state, context).catch((error) => {
    if (!(error instanceof MissingObject) || isSingleton(resource)) throw error;
    throw new Error(
      isNew({ createdAt: state.createdAt, id }, stampIn(state))
        ? `${error.message}\n${resource.type} ${id}, ${recently}, may not be there yet; ${tryLater}`
        : `${error.message}\nIf ${resource.type} ${id} no longer exists in the service, "pulumi up --refresh" recreates it`,
    );
  });
  warnOfKept(resource, id, dropped, live, session);
  // The answer to an update may omit what was shown only at creation.
  const outputs = { ...outputsIn(resource, state), ...live.outputs };
  const kept = { previous: trackingOf(state).previous, createdAt: stampIn(state) };
  return stateAfterWrite(resource, desired.inputs as Data, { ...live, outputs }, kept);
}

/** The properties that the program no longer declares, with what their schemas say. */
function droppedIn<Inputs extends object>(resource: Resource<Inputs>, state: State, inputs: Data) {
  return Object.keys(declaredIn(resource, state))
    .filter((name) => !(name in inputs))
    .map((name) => [name, annotationsOf(schemaAt(resource.inputs, name))] as const);
}

/** Values that reset properties that the program no longer declares. */
function resetsOf(dropped: ReturnType<typeof droppedIn>): Data {
  return Object.fromEntries(
    dropped.flatMap(([name, { reset }]) => (reset === undefined ? [] : [[name, reset]])),
  );
}

/** Warns of properties that the program no longer declares and the service still has, since its API cannot reset them. */
function warnOfKept<Inputs extends object>(
  { noun }: Resource<Inputs>,
  id: string,
  dropped: ReturnType<typeof droppedIn>,
  live: LiveState,
  session: Session,
): void {
  for (const [name, { irremovable, writeOnly }] of dropped) {
    const isKept = writeOnly || (live.inputs[name] ?? undefined) !== undefined;
    if (irremovable === undefined || !isKept) continue;
    session.warnOnce(`${noun} ${id} keeps its ${name}, which the API cannot remove; ${irremovable}`);
  }
}

/**
 * Deletes an object unless the program still declares it. The engine creates a renamed resource before it deletes the
 * old one, and both are the same object: an adopted one, or one that lists first showed when the answer to the creation was
 * lost.
 *
 * @param isDeclared whether the program of this run names the object, or one of its new resources has taken it
 */
export async function deleteResource<Inputs extends object>(
  resource: Resource<Inputs>,
  id: string,
  state: State,
  session: Session,
  isDeclared: boolean,
): Promise<void> {
  if (!isDeclared) {
    const context = contextOf(resource, state, session);
    const noteDeletion = await warnOfUsers(resource as Contract, id, context);
    await resource.delete(id, state, context);
    return noteDeletion();
  }
  session.warnOnce(
    `${resource.type} ${id} is not deleted, since the program still declares it; if you renamed the resource, use the option "aliases"`,
  );
  // The replacement already recorded the changed values as its `previous`.
  const { previous } = trackingOf(state);
  if (!previous) return;
  const lost = JSON.stringify(pick(previous, Object.keys(declaredIn(resource, state))));
  session.warnOnce(`${resource.type} ${id}: destroying it will not restore its previous values ${lost}`);
}

/**
 * Reads the object: the declared inputs with drifted values in place, and the new state. Where the state
 * declares nothing, as when an existing object is looked up, all that the service answers counts as declared.
 *
 * @returns `unseen`, and says so once for each type, if the server has no route to look at what the state declares
 */
export async function read<Inputs extends object>(
  resource: Resource<Inputs>,
  id: string,
  state: State,
  session: Session,
): Promise<{ inputs: Data; state: State } | "gone" | "unseen"> {
  const declared = declaredIn(resource, state);
  const managed = sentPart(resource, declared);
  const isKnown = Object.keys(managed).length > 0;
  const context = contextOf(resource, declared, session);
  const live = await resource.read(id, declared as Partial<Inputs>, state, context).catch((error) => {
    if (!isKnown || !(error instanceof MissingRoute)) throw error;
    const { method, path } = session.siteOf(error.site.operation as OperationName);
    session.warnOnce(
      `${resource.type}: ${driftUnseen}, since the server answers ${method} ${path} as if it had no such route; check the address and the dialect in the settings, unless the server is too old for it`,
    );
    return "unseen" as const;
  });
  if (live === "gone" || live === "unseen") return live;
  const outputs = { ...outputsIn(resource, state), ...live.outputs };
  const { previous } = trackingOf(state);
  const judged = judgementsIn(state);
  const withIds = (object: Data, known: Data) => resource.withIds?.(object, known) ?? object;
  const { declared: there, follow } = followed(shownPart(resource, managed), live.inputs, {
    declared: withIds(managed, state),
    found: withIds(live.inputs, { ...live.inputs, ...live.outputs }),
  });
  const [normalized, doubted] = [follow(judged.normalized), follow(judged.doubted)];
  const inputs = isKnown
    ? { ...declared, ...reconcile(resource.inputs, there, live.inputs, normalized) }
    : {
        ...scopeInputs(resource, declared, session),
        ...declared,
        ...supportedPart(resource.inputs, live.inputs, session),
      };
  return {
    inputs,
    state: stateOf(
      resource,
      inputs,
      { ...live, outputs },
      { normalized, doubted, previous, createdAt: stampIn(state) },
    ),
  };
}

/** The scope that the settings name, as inputs, where it is not declared. */
function scopeInputs<Inputs extends object>(
  { scope }: Resource<Inputs>,
  declared: Data,
  session: Session,
): Data {
  const names = scopeNames(scope).filter((name) => declared[name] === undefined);
  const ids = names.map((name) => [name, defaultScope(scope, name, session)] as const);
  return Object.fromEntries(ids.filter(([, id]) => id !== undefined));
}

/** Where and through what a resource acts, by its inputs or its state. */
export function contextOf(resource: Pick<Resource, "scope">, inputs: object, session: Session): Context {
  return { session, scope: scopeOf(resource.scope, inputs as Scope, session) };
}

function desiredOf<Inputs extends object>(resource: Resource<Inputs>, inputs: Data): Desired<Inputs> {
  const declared = declaredIn(resource, inputs);
  return { inputs: declared as Inputs, body: sentPart(resource, declared) };
}

function stateAfterWrite<Inputs extends object>(
  resource: Resource<Inputs>,
  inputs: Data,
  live: Written,
  kept: Pick<Tracking, "previous" | "createdAt">,
): State {
  const normalized =
    live.normalized ?? normalizationsOf(resource.inputs, shownPart(resource, inputs), live.inputs);
  return stateOf(resource, inputs, live, { normalized, doubted: live.doubted, ...kept });
}
