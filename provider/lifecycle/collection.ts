import { type Data, pick } from "../values/data";
import { annotationsOf, schemaAt } from "../values/schema";
import { withArticle } from "../values/wording";
import { carryOver, warnOfLost, warnOfReplaced } from "./carryOver";
import { reportConflicts } from "./conflict";
import { createExactlyOnce } from "./creation";
import { deleteObject } from "./deletion";
import { driftIn } from "./drift";
import { inOrderOf } from "./listEntries";
import {
  aboutObject,
  isSeen,
  isWhole,
  noteWrite,
  type Observable,
  type Observed,
  observe,
  seenOrGone,
} from "./observe";
import type { Collection, Context, Contract, CreateResult, Desired, Resource } from "./resource";
import { describeScope } from "./scope";
import type { Session } from "./session";
import {
  declaredIn,
  judgementsIn,
  type LiveState,
  type State,
  shownPart,
  undeclaredIn,
  type Written,
} from "./state";
import { writablePart } from "./supported";
import { carryOut } from "./write";

/** A resource whose objects are listed, created, read, updated and deleted one by one, each under an id of its own. */
export interface CollectionDefinition<Inputs extends object>
  extends Contract<Inputs>,
    Pick<Observable, "sureMember"> {
  readonly operations: Collection["operations"];

  /** What the object is called in a message. Default: `named "Errors"`, by its name. */
  describe?(inputs: Inputs): string;
  /** Builds the request body. Default: what is declared. */
  requestBody?(body: Data, session: Session): Data;
  /** Whether an update replaces the object, so that it has to carry over what the program does not declare. */
  readonly replacedByUpdate?: boolean;
  /** Builds the body of an update from what is declared and carried over, and from what the service has. */
  updateBody?(body: Data, current: Data): Data;
  /** Whether a newly found object may be the one that this body created. */
  isLike(found: Data, body: Data): boolean;
  /** The object in the answer to a create. Default: the answer itself. */
  createdObject?(answer: Data): Data;
  /** Outputs that only that answer shows: what a list or another answer shows in their place is no news of them. */
  readonly shownAtCreation?: readonly string[];
  /** The one of them without which the object is useless. */
  shownOnce?(inputs: Inputs): string | undefined;
  /** What is found of an object. `known` is the state for a read, and the body that was sent for a write. */
  liveState(found: Data, declared: Partial<Inputs>, known: Data): LiveState;
  /** Whether a list shows an object so that it may be out of date: the object is then asked for by itself. */
  isDoubtful?(live: LiveState, state: State): boolean;
  /** @throws if the inputs are valid only for an existing object */
  assertCreatable?(inputs: Inputs): void;
  /** Warning for a user who updates an object; `found` is what the service shows of it. */
  updateWarning?(id: string, found: Data, state: State): string | undefined;
  /** Warning for a user who adopts an object. */
  adoptionWarning?(id: string): string;
  /** @throws if the object must not be deleted */
  assertDeletable?(id: string, state: State, context: Context): void;
}

/** The resource of a collection. */
export function collection<Inputs extends object>(
  definition: CollectionDefinition<Inputs>,
): Resource<Inputs> & CollectionDefinition<Inputs> {
  const { noun, operations } = definition;
  const nameIn = (inputs: Inputs) =>
    definition.describe?.(inputs) ?? `named ${JSON.stringify((inputs as Data).name)}`;

  /** The whole object of which the answer to a write may show a part. */
  async function wholeAnswer(answer: Data, id: string, context: Context): Promise<Data> {
    if (isWhole(answer, definition.sureMember)) return answer;
    const found = seenOrGone(await observe(definition, id, context, { state: answer, list: "fresh" }));
    if (found === "gone") throw new Error(`the service has no ${noun} ${id}`);
    return found;
  }

  /** Whether nothing is shown of something that the state has, and that was shown after the last write. */
  function lacksKnown(live: LiveState, state: State): boolean {
    const known = {
      ...shownPart(definition, declaredIn(definition, state)),
      ...undeclaredIn(state),
    };
    const { normalized } = judgementsIn(state);
    const drift = driftIn(definition.inputs, known, live.inputs, normalized);
    return drift.some(({ right }) => right === undefined || right === null);
  }

  /** The object, by itself where a list leaves out something that it or the state has. */
  function observeWhole(
    id: string,
    inputs: Partial<Inputs>,
    state: State,
    list: "shared" | "beforeWrites",
    context: Context,
  ): Promise<Observed> {
    const isDoubtful = (listed: Data) => {
      const live = definition.liveState(listed, inputs, state);
      return lacksKnown(live, state) || (definition.isDoubtful?.(live, state) ?? false);
    };
    return observe(definition, id, context, { state, list, isDoubtful });
  }

  /** What the service shows from now on; undefined if it does not show the object. */
  async function observeAgain(id: string, state: State, context: Context): Promise<Data | undefined> {
    const found = await observe(definition, id, context, { state, list: "fresh" });
    return isSeen(found) ? found : undefined;
  }

  async function create({ inputs, body }: Desired<Inputs>, context: Context): Promise<CreateResult> {
    definition.assertCreatable?.(inputs);
    const sent = definition.requestBody?.(body, context.session) ?? body;
    const shownOnce = definition.shownOnce?.(inputs);
    const { id, object } = await createExactlyOnce(
      {
        collection: definition,
        body: sent,
        description: `${withArticle(noun)} ${nameIn(inputs)} ${definition.scope === "organization" ? "in" : "on"} ${describeScope(context.scope)}`,
        isLike: (found) => definition.isLike(found, sent),
        objectIn: definition.createdObject,
        shownOnce,
      },
      context,
    );
    const created = (found: Data): LiveState => {
      const live = definition.liveState(found, inputs, sent);
      return { ...live, outputs: { ...live.outputs, ...pick(object, definition.shownAtCreation ?? []) } };
    };
    const look = async () => {
      const found = await observeAgain(id, object, context);
      return found && created(found);
    };
    try {
      const live = await carryOut(
        {
          object: `${noun} ${id}`,
          schema: definition.inputs,
          declared: shownPart(definition, inputs as Data),
          send: async () => created(await wholeAnswer(object, id, context)),
          look,
        },
        context.session,
      );
      return { id, live };
    } catch (error) {
      const { message } = error as Error;
      const failure = new Error(`${id} was created, but could not be read back: ${message}`);
      return { id, live: created(object), failure };
    }
  }

  /** `found` is the object as it was before the write, if it could be seen. */
  async function write(
    id: string,
    { inputs, body }: Desired<Inputs>,
    state: State,
    found: Data | undefined,
    context: Context,
  ): Promise<Written> {
    const { session, scope } = context;
    const identified = (object: Data, known: Data, now?: Data) =>
      definition.withIds?.(object, known, now) ?? object;
    const live = found && valuesOf(definition.liveState(found, {}, {}));
    const current = live ? identified(live, live) : state;
    const known = Object.keys(state).length > 0 ? state : current;
    const withIds = (object: Data) => identified(object, known, live && current);
    const updatable = Object.entries(body).filter(
      ([name]) => !annotationsOf(schemaAt(definition.inputs, name)).createOnly,
    );
    const own = Object.fromEntries(updatable);
    const api = session.apiOf(operations.update);
    const carried = definition.replacedByUpdate
      ? carryOver(
          definition.inputs,
          withIds(own),
          found ? current : undeclaredIn(state),
          withIds(declaredIn(definition, state)),
        )
      : withIds(own);
    if (found) warnOfLost(`${noun} ${id}`, definition.inputs, carried, api, session);
    const whole = writablePart(definition.inputs, carried, api);
    const request = definition.requestBody?.(whole, session) ?? whole;
    const sent = definition.updateBody?.(request, current) ?? request;
    if (found && definition.replacedByUpdate) {
      const declared = { sent: withIds(own), found: current, before: withIds(declaredIn(definition, state)) };
      warnOfReplaced(`${noun} ${id}`, definition.inputs, { ...declared, request: sent }, session);
    }
    const shown = (object: Data) => definition.liveState(object, inputs, sent);
    const send = async () => {
      try {
        const answer = (await session.call(operations.update, { ...scope, id }, sent)) as Data;
        return shown(await wholeAnswer(aboutObject(answer, operations.update, id, session), id, context));
      } finally {
        noteWrite(definition, id, context);
      }
    };
    const look = async () => {
      const again = await observeAgain(id, state, context);
      return again && shown(again);
    };
    const before = {
      shown: (found ? [found, inOrderOf(sent, found)] : []).map((object) => shown(object).inputs),
      state: withIds(state),
      ...judgementsIn(state),
      sent,
    };
    const written = { object: `${noun} ${id}`, schema: definition.inputs, before };
    const declared = shownPart(definition, inputs as Data);
    if (found && known === state) {
      const last = {
        ...shownPart(definition, declaredIn(definition, state)),
        ...pick(undeclaredIn(state), Object.keys(declared)),
      };
      const now = definition.liveState(found, last as Partial<Inputs>, state).inputs;
      reportConflicts({ ...written, declared, known: last, found: now }, session);
    }
    return carryOut(
      {
        ...written,
        declared,
        send,
        look,
      },
      session,
    );
  }

  return {
    ...definition,
    create,

    async adopt(id, found, desired, context) {
      const warning = definition.adoptionWarning?.(id);
      if (warning) context.session.warnOnce(warning);
      return write(id, desired, {}, found, context);
    },

    async read(id, inputs, state, context) {
      const found = seenOrGone(await observeWhole(id, inputs, state, "shared", context));
      return found === "gone" ? found : definition.liveState(found, inputs, state);
    },

    async update(id, desired, state, context) {
      const declared = declaredIn(definition, state) as Partial<Inputs>;
      const observed = await observeWhole(id, declared, state, "beforeWrites", context);
      // Whether it is gone is for the write to find out.
      const found = isSeen(observed) ? observed : undefined;
      const warning = found && definition.updateWarning?.(id, found, state);
      if (warning) context.session.warnOnce(warning);
      return write(id, desired, state, found, context);
    },

    async delete(id, state, context) {
      definition.assertDeletable?.(id, state, context);
      await deleteObject(definition, id, state, context);
    },
  };
}

function valuesOf({ inputs, outputs }: LiveState): Data {
  return { ...inputs, ...outputs };
}
