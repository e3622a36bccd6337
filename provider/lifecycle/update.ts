import { MissingObject, mayHaveHappened } from "../api/errors";
import { isNew, stampOf } from "../values/age";
import type { PropertyMap } from "../values/data";
import { attemptOf } from "./attempts";
import { decode } from "./decode";
import { type Definition, isSingleton } from "./definition";
import { keptOf, resetsOf } from "./dropped";
import { warnOfDuplicates } from "./duplicates";
import { look } from "./look";
import { recently, tryLater } from "./observe";
import { isRedeclaration, redeclared } from "./replacement";
import { UpdatedIncompletely } from "./resource";
import { type Context, contextOf } from "./scope";
import type { Session } from "./session";
import {
  declaredIn,
  isSeen,
  keptIn,
  outputsIn,
  type State,
  sentPart,
  stampIn,
  stateOf,
  trackingOf,
  withTracking,
} from "./state";
import { inTurn } from "./turns";
import { Unfinished } from "./unfinished";
import { awaitCreated } from "./waiting";
import { write } from "./write";

export async function update(
  resource: Definition,
  id: string,
  state: State,
  inputs: PropertyMap,
  session: Session,
): Promise<State> {
  const declared = declaredIn(resource, inputs);
  if (isRedeclaration(resource, state, declared)) return redeclared(resource, state, declared);
  const context = contextOf(resource, declared, session);
  return inTurn(resource, context, () => lookAndWrite(resource, id, state, declared, context));
}

async function lookAndWrite(
  resource: Definition,
  id: string,
  state: State,
  declared: PropertyMap,
  context: Context,
): Promise<State> {
  const { session } = context;
  let shown: PropertyMap = {};
  let desired = sentPart(resource, declared);
  try {
    if (resource.waiting && trackingOf(state).awaiting === "create")
      await awaitCreated(resource, id, declared, state, context);
    // If the object cannot be read before the update, the request is sent nevertheless: it fails, or creates the singleton,
    // such as a query endpoint, again.
    const observed = await look(resource, { moment: "beforeWrite", id, state, context });
    const live = isSeen(observed) ? observed : undefined;
    if (live) shown = decode(resource, live).inputs;
    if (resource.waiting) warnOfDuplicates(resource, id, declared, context);
    desired = { ...resetsOf(resource, state, declared, shown), ...desired };
    const written = await write(resource, id, { declared, desired, state, live }, context);
    for (const warning of keptOf(resource, id, state, declared, written.inputs)) session.warnOnce(warning);
    // The API's answers to updates omit outputs that are shown only at creation, so the update keeps those of the Pulumi state.
    const outputs = { ...outputsIn(resource, state), ...written.outputs };
    // If the update has created the singleton (such as a query endpoint) again, the API's reads may not show it for a while, so
    // the state gets its creation time.
    const isAnew = !live && isSingleton(resource);
    const anew = isAnew ? { createdAt: stampOf({ createdAt: outputs.createdAt, id }) } : {};
    const paid = { awaiting: undefined, attempted: undefined, goal: undefined, owesPassword: undefined };
    const records = { ...keptIn(state), ...paid, ...anew };
    return stateOf(resource, declared, { ...written, outputs }, records);
  } catch (error) {
    const isUnfinished = error instanceof Unfinished;
    if (isUnfinished || (resource.send && mayHaveHappened(error))) {
      const records = isUnfinished ? error.records : { awaiting: "update" as const, attempted: {} };
      const attempt = attemptOf(resource, state, desired, shown, records.attempted);
      const tracking = { ...trackingOf(state), ...records, ...attempt };
      throw new UpdatedIncompletely(withTracking(state, tracking), (error as Error).message);
    }
    if (!(error instanceof MissingObject) || isSingleton(resource)) throw error;
    throw new Error(
      isNew({ createdAt: state.createdAt, id }, stampIn(state))
        ? `${error.message}\n${resource.type} ${id}, ${recently}, may not be there yet; ${tryLater}`
        : `${error.message}\nIf ${resource.type} ${id} no longer exists in the service, "pulumi up --refresh" recreates it`,
    );
  }
}
