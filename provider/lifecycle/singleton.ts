import type { Data } from "../values/data";
import { carryOver } from "./carryOver";
import { reportConflicts } from "./conflict";
import { deleteObject } from "./deletion";
import { type Observed, observe, seenOrGone, Unseen } from "./observe";
import type { Context, Contract, Desired, Resource, ResourceOperations } from "./resource";
import {
  declaredIn,
  judgementsIn,
  type LiveState,
  type State,
  sentPart,
  stampIn,
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
    const found = await look(state, context);
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
        look: () => look(state, context),
      },
      session,
    );
  }

  /** What nobody has seen must not be replaced: other members than the declared ones would be lost. */
  async function look(state: State, context: Context): Promise<LiveState | undefined> {
    const found = await observed(state, context);
    // Reads may not show yet what is there since a moment ago.
    if (found instanceof Unseen && stampIn(state)) return undefined;
    const seen = seenOrGone(found);
    return seen === "gone" ? undefined : liveState(seen);
  }

  function observed(state: State, context: Context): Promise<Observed> {
    return observe(definition, context.scope.serviceId as string, context, { state });
  }

  return {
    create: async (desired, context) => ({
      id: context.scope.serviceId as string,
      live: await write("create", desired, {}, context),
    }),

    async read(_id, _inputs, state, context) {
      const found = seenOrGone(await observed(state, context));
      return found === "gone" ? found : liveState(found);
    },

    update: (_id, desired, state, context) => write("update", desired, state, context),

    delete: (id, state, context) => deleteObject(definition, id, state, context),

    ...definition,
  };
}
