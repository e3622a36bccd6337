import { carryOver, warnOfLost } from "./carryOver";
import { reportConflicts } from "./conflict";
import { createExactlyOnce } from "./creation";
import { type Data, pick } from "./data";
import { driftIn } from "./drift";
import { inOrderOf } from "./listEntries";
import { lookAgain, lookBefore, noteWrite } from "./looks";
import { withArticle } from "./nouns";
import { aboutObject, deleteObject, leavesOpen, lookUp, objectItself } from "./objects";
import type { Collection, Context, Contract, CreateResult, Desired, Resource } from "./resource";
import { annotationsOf, schemaAt } from "./schema";
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
export interface CollectionDefinition<Inputs extends object> extends Contract<Inputs> {
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
  /**
   * A member that every object has: an answer without it is a mere receipt, and the object is looked up. Default: none is
   * known.
   */
  readonly sureMember?: string;
  /** Whether a list shows an object so that it may be out of date: the object is then asked for by itself. */
  isDoubtful?(live: LiveState, state: State): boolean;
  /** Completes an object of which a list or an answer shows only a part. */
  complete?(found: Data, context: Context): Promise<Data>;
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
  const complete = async (found: Data, context: Context) =>
    (await definition.complete?.(found, context)) ?? whole(found, context);

  async function whole(answer: Data, context: Context): Promise<Data> {
    const { sureMember } = definition;
    if (sureMember === undefined || answer[sureMember] !== undefined) return answer;
    const found = await lookUp(definition, answer.id as string, context);
    if (found === "gone") throw new Error(`the service has no ${noun} ${answer.id}`);
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

  /** The object by itself: some lists leave out what it shows there. Undefined where it cannot be had so. */
  async function itself(id: string, context: Context): Promise<Data | undefined> {
    if (!operations.get) return undefined;
    try {
      return await objectItself(operations.get, id, context);
    } catch (error) {
      if (leavesOpen(error)) return undefined;
      throw error;
    }
  }

  /** A found object, and how it lives, with what a list has left out of either. */
  async function completed(
    listed: Data,
    inputs: Partial<Inputs>,
    state: State,
    context: Context,
  ): Promise<{ found: Data; live: LiveState }> {
    const found = await complete(listed, context);
    const live = definition.liveState(found, inputs, state);
    const isDoubtful = lacksKnown(live, state) || definition.isDoubtful?.(live, state);
    const object = isDoubtful ? await itself(listed.id as string, context) : undefined;
    if (!object) return { found, live };
    const whole = await complete(object, context);
    return { found: whole, live: definition.liveState(whole, inputs, state) };
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
      const found = await lookAgain(definition, id, context);
      return found && created(await complete(found, context));
    };
    try {
      const live = await carryOut(
        {
          object: `${noun} ${id}`,
          schema: definition.inputs,
          declared: shownPart(definition, inputs as Data),
          send: async () => created(await complete(object, context)),
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
    const shown = (object: Data) => definition.liveState(object, inputs, sent);
    const send = async () => {
      try {
        const answer = (await session.call(operations.update, { ...scope, id }, sent)) as Data;
        return shown(await complete(aboutObject(answer, operations.update, id, session), context));
      } finally {
        noteWrite(definition, id, context);
      }
    };
    const look = async () => {
      const again = await lookAgain(definition, id, context);
      return again && shown(await complete(again, context));
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
      return write(id, desired, {}, await complete(found, context), context);
    },

    async read(id, inputs, state, context) {
      const found = await lookUp(definition, id, context, { createdAt: state.createdAt });
      if (typeof found === "string") return found;
      return (await completed({ ...found, id }, inputs, state, context)).live;
    },

    async update(id, desired, state, context) {
      const listed = await lookBefore(definition, id, context);
      const declared = declaredIn(definition, state) as Partial<Inputs>;
      const found = listed && (await completed(listed, declared, state, context)).found;
      const warning = found && definition.updateWarning?.(id, found, state);
      if (warning) context.session.warnOnce(warning);
      return write(id, desired, state, found, context);
    },

    async delete(id, state, context) {
      definition.assertDeletable?.(id, state, context);
      await deleteObject(definition, id, context, state.createdAt);
    },
  };
}

function valuesOf({ inputs, outputs }: LiveState): Data {
  return { ...inputs, ...outputs };
}
