import { MissingObject } from "../api/errors";
import { carryOver } from "./carryOver";
import { reportConflicts } from "./conflict";
import type { Data } from "./data";
import { ifServed, mayBeGone } from "./objects";
import type { Context, Contract, Desired, ReadResult, Resource, ResourceOperations } from "./resource";
import {
  declaredIn,
  judgementsIn,
  type LiveState,
  type State,
  sentPart,
  undeclaredIn,
  type Written,
} from "./state";
import { writablePart } from "./supported";
import { carryOut } from "./write";

/** A resource that exists once per service; its id is the service's. */
export interface SingletonDefinition<Inputs extends object>
  extends Contract<Inputs>,
    Partial<Pick<Resource<Inputs>, "create" | "update" | "delete">> {
  readonly operations: ResourceOperations & Required<Pick<ResourceOperations, "get">>;
  /** Builds the request body. Default: what is declared. */
  requestBody?(body: Data): Data;
  liveState(found: Data): LiveState;
  /** Reads the object. Default: one call of `get`. */
  find?(context: Context): Promise<Data>;
}

/** The resource of a singleton: each write replaces it whole, unless the definition says otherwise. */
export function singleton<Inputs extends object>(definition: SingletonDefinition<Inputs>): Resource<Inputs> {
  const { noun, operations, liveState } = definition;

  async function write(
    operation: "create" | "update",
    { inputs, body }: Desired<Inputs>,
    state: State,
    context: Context,
  ): Promise<Written> {
    const { session, scope } = context;
    const found = await look(context);
    const former = declaredIn(definition, state);
    const shown = found?.inputs ?? undeclaredIn(state);
    const whole = carryOver(
      definition.inputs,
      body,
      writablePart(definition.inputs, shown, session.apiOf(operations.update)),
      former,
    );
    const request = definition.requestBody?.(whole) ?? whole;
    const written = {
      object: `${noun} of service ${scope.serviceId}`,
      schema: definition.inputs,
      declared: sentPart(definition, inputs as Data),
      before: {
        shown: found ? [found.inputs] : [],
        state,
        ...judgementsIn(state),
        sent: request,
      },
    };
    if (found && operation === "update") {
      reportConflicts({ ...written, known: sentPart(definition, former), found: found.inputs }, session);
    }
    return carryOut(
      {
        ...written,
        send: async () => liveState((await session.call(operations[operation], scope, request)) as Data),
        look: () => look(context),
      },
      session,
    );
  }

  async function find({ session, scope }: Context): Promise<Data> {
    return (await session.call(operations.get, scope)) as Data;
  }

  async function read(context: Context): Promise<ReadResult> {
    try {
      return liveState(await (definition.find ?? find)(context));
    } catch (error) {
      if (error instanceof MissingObject) return "gone";
      throw error;
    }
  }

  /** What nobody has seen must not be replaced: other members than the declared ones would be lost. */
  async function look(context: Context): Promise<LiveState | undefined> {
    const found = await read(context);
    return typeof found === "object" ? found : undefined;
  }

  return {
    create: async (desired, context) => ({
      id: context.scope.serviceId as string,
      live: await write("create", desired, {}, context),
    }),

    read: (_id, _inputs, _state, context) => read(context),

    update: (_id, desired, state, context) => write("update", desired, state, context),

    async delete(_id, _state, { session, scope }) {
      if (!operations.delete) return;
      try {
        await session.call(operations.delete, scope);
      } catch (error) {
        if (!mayBeGone(error) || (await ifServed(read({ session, scope }))) !== "gone") throw error;
      }
    },

    ...definition,
  };
}
