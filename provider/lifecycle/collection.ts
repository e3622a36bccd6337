import { createExactlyOnce } from "./creation";
import { type Data, pick } from "./data";
import { aboutObject, type Collection, deleteObject, lookUp } from "./objects";
import type { Context, Contract, CreateResult, Desired, Resource } from "./resource";
import { annotationsOf, schemaAt } from "./schema";
import { describeScope } from "./scope";
import type { LiveState, State } from "./state";

/** A resource whose objects are listed, created, read, updated and deleted one by one, each under an id of its own. */
export interface CollectionDefinition<Inputs extends object> extends Contract<Inputs> {
  readonly operations: Collection["operations"];

  /** What the object is called in a message: `named "Errors"`. */
  describe(inputs: Inputs): string;
  /** Builds the request body. Default: what is declared. */
  requestBody?(body: Data): Data;
  /** Builds the body of an update from the object's current values: the state, or what was found for adoption. */
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
  /** Completes an object of which a list or an answer shows only a part. */
  complete?(found: Data, context: Context): Promise<Data>;
  /** @throws if the inputs are valid only for an existing object */
  assertCreatable?(inputs: Inputs): void;
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
  const complete = async (found: Data, context: Context) =>
    (await definition.complete?.(found, context)) ?? found;

  async function create({ inputs, body }: Desired<Inputs>, context: Context): Promise<CreateResult> {
    definition.assertCreatable?.(inputs);
    const sent = definition.requestBody?.(body) ?? body;
    const shownOnce = definition.shownOnce?.(inputs);
    const { id, object } = await createExactlyOnce(
      {
        collection: definition,
        body: sent,
        description: `${article(noun)} ${noun} ${definition.describe(inputs)} ${definition.scope === "organization" ? "in" : "on"} ${describeScope(context.scope)}`,
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
    try {
      return { id, live: created(await complete(object, context)) };
    } catch (error) {
      const { message } = error as Error;
      const failure = new Error(`${id} was created, but could not be read back: ${message}`);
      return { id, live: created(object), failure };
    }
  }

  async function write(
    id: string,
    { inputs, body }: Desired<Inputs>,
    current: Data,
    context: Context,
  ): Promise<LiveState> {
    const { session, scope } = context;
    const request = definition.requestBody?.(body) ?? body;
    const updatable = Object.entries(request).filter(
      ([name]) => !annotationsOf(schemaAt(definition.inputs, name)).createOnly,
    );
    const own = Object.fromEntries(updatable);
    const sent = definition.updateBody?.(own, current) ?? own;
    const answer = (await session.call(operations.update, { ...scope, id }, sent)) as Data;
    const found = await complete(aboutObject(answer, operations.update, id, session), context);
    return definition.liveState(found, inputs, sent);
  }

  return {
    ...definition,
    create,

    async adopt(id, found, desired, context) {
      const warning = definition.adoptionWarning?.(id);
      if (warning) context.session.warnOnce(warning);
      const live =
        found === "unseen" ? undefined : definition.liveState(await complete(found, context), {}, {});
      return write(id, desired, { ...live?.inputs, ...live?.outputs }, context);
    },

    async read(id, inputs, state, context) {
      const found = await lookUp(definition, id, context);
      if (typeof found === "string") return found;
      return definition.liveState(await complete({ ...found, id }, context), inputs, state);
    },

    update: write,

    async delete(id, state, context) {
      definition.assertDeletable?.(id, state, context);
      await deleteObject(definition, id, context);
    },
  };
}

function article(noun: string): "a" | "an" {
  return /^[aeiou]/i.test(noun) ? "an" : "a";
}
