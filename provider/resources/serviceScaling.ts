import { ApiError, MissingObject, mayHaveHappened } from "../api/errors";
import { reportConflicts } from "../lifecycle/conflict";
import { aboutObject, observe, seenOrGone } from "../lifecycle/observe";
import type { Context, Resource } from "../lifecycle/resource";
import { inService } from "../lifecycle/scope";
import type { Session } from "../lifecycle/session";
import { singleton } from "../lifecycle/singleton";
import {
  declaredIn,
  judgementsIn,
  type LiveState,
  type State,
  sentPart,
  trackingOf,
  type Written,
} from "../lifecycle/state";
import { carryOut } from "../lifecycle/write";
import { asDeclared } from "../values/asDeclared";
import { equal } from "../values/compare";
import { type Data, pick } from "../values/data";
import { oneOf } from "../values/schema";
import { type Static, Type } from "../values/schemaBuilders";
import { allMembers, requestsFor, restoringMembers, scalingFailures } from "./scalingRules";
import { autoscalingModes, serviceScalingOutputs } from "./serviceMembers";

const inaccurate = "it is inaccurate for services with a number of replicas other than the default";

function totalMemory(ofReplica: string) {
  const deprecated = {
    neutral: `${inaccurate}; use numReplicas instead`,
    clickhouse: `${inaccurate}; use ${ofReplica} instead`,
  };
  return { minimum: 24, maximum: 1068, multipleOf: 12, deprecated };
}

const replicas = { minimum: 1, maximum: 20 };
const replicaMemory = { minimum: 8, maximum: 356, multipleOf: 4, dialect: "clickhouse" } as const;

/** Inputs of the auto-scaling of a service (API document: "Scaling update body", "Limits"). */
export const serviceScalingInputs = inService({
  /**
   * Number of replicas, 1 to 20; the first service in a warehouse needs at least 2. The service's default is 1 in the
   * BASIC tier, 3 in the SCALE and ENTERPRISE tiers. Not for horizontal scaling.
   */
  numReplicas: Type.Optional(Type.Integer(replicas)),
  /** Whether the service may scale down to zero when it is idle. The service's default is true. */
  idleScaling: Type.Optional(Type.Boolean()),
  /** Idle minutes before the service may scale to zero; at least 5. */
  idleTimeoutMinutes: Type.Optional(Type.Integer({ minimum: 5 })),
  /**
   * Minimum total memory of all replicas in GB: 24 to 1068, a multiple of 12. Only for production services.
   *
   * @deprecated inaccurate for services with a number of replicas other than the default; use `numReplicas`, or
   *   `minReplicaMemoryGb` in the dialect `clickhouse`
   */
  minTotalMemoryGb: Type.Optional(Type.Integer(totalMemory("minReplicaMemoryGb"))),
  /**
   * Maximum total memory of all replicas in GB: 24 to 1068 (360 for services that are not paid), a multiple of 12.
   * Only for production services.
   *
   * @deprecated inaccurate for services with a number of replicas other than the default; use `numReplicas`, or
   *   `maxReplicaMemoryGb` in the dialect `clickhouse`
   */
  maxTotalMemoryGb: Type.Optional(Type.Integer(totalMemory("maxReplicaMemoryGb"))),
  /**
   * Minimum memory per replica in GB: 8 to 356 (120 for services that are not paid), a multiple of 4. Equal to
   * `maxReplicaMemoryGb` for horizontal scaling. Needs `dialect: clickhouse`.
   */
  minReplicaMemoryGb: Type.Optional(Type.Integer(replicaMemory)),
  /**
   * Maximum memory per replica in GB: 8 to 356 (120 for services that are not paid), a multiple of 4. Needs
   * `dialect: clickhouse`.
   */
  maxReplicaMemoryGb: Type.Optional(Type.Integer(replicaMemory)),
  /**
   * `vertical`: a fixed number of replicas (`numReplicas`), whose memory varies; `horizontal`: replicas of a fixed memory,
   * whose number varies from `minReplicas` to `maxReplicas`, where the organization has that feature. Default: as it is.
   * A change needs the number of replicas in the new mode. Needs `dialect: clickhouse`.
   */
  autoscalingMode: Type.Optional(oneOf(autoscalingModes, { dialect: "clickhouse" })),
  /** Least number of replicas for horizontal scaling, 1 to 20; only with `maxReplicas`. Needs `dialect: clickhouse`. */
  minReplicas: Type.Optional(Type.Integer({ ...replicas, dialect: "clickhouse" })),
  /** Most replicas for horizontal scaling, 1 to 20; only with `minReplicas`. Needs `dialect: clickhouse`. */
  maxReplicas: Type.Optional(Type.Integer({ ...replicas, dialect: "clickhouse" })),
  /**
   * What destroying the resource does: `keep` (default) leaves the service as it is, `restore` puts back what was
   * there before the resource was created.
   */
  onDestroy: Type.Optional(oneOf(["keep", "restore"], { local: true })),
});

type Inputs = Static<typeof serviceScalingInputs>;

/** The scaling of one service, which is read by itself. */
const scalingOfService = singleton<Inputs>({
  type: "ServiceScaling",
  noun: "scaling",
  inputs: serviceScalingInputs,
  outputs: serviceScalingOutputs,
  scope: "service",
  operations: { create: "updateScaling", get: "getService", update: "updateScaling" },

  failures: (declared, olds, session) => scalingFailures(declared, olds, session),

  async create({ inputs, body }, context) {
    const id = context.scope.serviceId as string;
    if (inputs.onDestroy !== "restore") return { id, live: await scaleAndLook(body, {}, context) };
    const found = await find(context);
    const previous = pick(found, allMembers);
    try {
      return { id, live: await scaleAndLook(body, {}, context, found), previous };
    } catch (error) {
      if (hasChangedNothing(error, body, context.session)) throw error;
      const failure = new Error(
        `${(error as Error).message}\nThe change may have taken effect; the next update repeats it, and the state keeps the previous values`,
      );
      return { id, live: { inputs: {}, outputs: {} }, previous, failure };
    }
  },

  liveState,

  update: (_id, { body }, state, context) => scaleAndLook(body, state, context),

  async delete(id, state, context) {
    const restores = state.onDestroy === "restore";
    const { previous = {} } = trackingOf(state);
    const managed = Object.keys(sentPart(scalingOfService, declaredIn(scalingOfService, state)));
    // Servers show numbers as text, too, and take none.
    const values = asDeclared(serviceScalingInputs, pick(previous, restoringMembers(managed))) as Data;
    if (restores && Object.keys(values).length > 0) {
      try {
        await restore(values, state, context);
      } catch (error) {
        const isMissing = error instanceof MissingObject;
        if (!isMissing || (await serviceScalingResource.read(id, {}, state, context)) !== "gone") throw error;
      }
      return;
    }
    const why = restores
      ? "its previous values are unknown, since onDestroy was not set when the resource was created, or the service did not show them"
      : 'onDestroy: "restore" would restore its previous values';
    context.session.warnOnce(`ServiceScaling: service ${id} keeps its scaling; ${why}`);
  },

  // The deprecated members follow from those of the replicas.
  declaration({ minTotalMemoryGb, maxTotalMemoryGb, ...found }) {
    const isKnown = ["numReplicas", "minReplicas", "minReplicaMemoryGb"].some((name) => name in found);
    return isKnown ? found : { minTotalMemoryGb, maxTotalMemoryGb, ...found };
  },
});

/** What the provider does with the scaling of a service at each step. */
export const serviceScalingResource: Resource<Inputs> = {
  ...scalingOfService,
  async read(id, inputs, state, context) {
    // One list serves the reads of all scalings of an organization where it shows all that is declared.
    const names = Object.keys(sentPart(scalingOfService, inputs));
    const isDoubtful = (listed: Data) =>
      names.length === 0 || Object.keys(pick(listed, names)).length < names.length;
    const found = seenOrGone(await observe(scalingOfService, id, context, { state, isDoubtful }));
    return found === "gone" ? found : liveState(found);
  },
};

/** Changes the scaling, and tells what the service made of it from what was there before. */
async function scaleAndLook(body: Data, state: State, context: Context, known?: Data): Promise<Written> {
  const { session, scope } = context;
  const shown = liveState(known ?? (await find(context))).inputs;
  const written = {
    object: `scaling of service ${scope.serviceId}`,
    schema: serviceScalingInputs,
    declared: body,
    before: {
      shown: [shown],
      state,
      ...judgementsIn(state),
      sent: body,
    },
  };
  // What is not sent stays as it is.
  const last = pick(declaredIn(scalingOfService, state), Object.keys(body));
  reportConflicts({ ...written, known: last, found: shown }, session);
  return carryOut(
    {
      ...written,
      send: () => scale(body, context),
      look: async () => liveState(await find(context)),
    },
    session,
  );
}

/** How often, and after which waits, a service is asked again that does not show the new scaling yet. */
const waits = [250, 500, 1000, 2000, 4000, 8000];

/**
 * Changes the scaling. For a while after that the service may still answer with the old values, or with 0; they must
 * not be taken for what it made of the new ones.
 */
async function scale(body: Data, context: Context): Promise<LiveState> {
  let answer: Data = {};
  for (const [name, part] of requestsFor(body, context.session)) answer = await change(name, part, context);
  for (const wait of waits) {
    if (shows(answer, body)) break;
    await context.session.interruption.pause(wait);
    answer = await find(context);
  }
  return liveState(answer);
}

/** @throws Error if the service keeps the values that it has; the state keeps those to restore */
async function restore(values: Data, state: State, context: Context): Promise<void> {
  const { inputs } = await scaleAndLook(values, state, context);
  if (shows(inputs, values)) return;
  throw new Error(
    `scaling of service ${context.scope.serviceId}: the service does not show its previous values, ${JSON.stringify(values)}; destroying it again sends them again, and onDestroy: "keep" gives them up`,
  );
}

/** Whether a failure to scale left the service as it was: only the first of its changes can do that. */
function hasChangedNothing(error: unknown, body: Data, session: Session): boolean {
  if (!(error instanceof ApiError)) return true;
  const [first] = requestsFor(body, session);
  return error.site.operation === first?.[0] && !mayHaveHappened(error);
}

/** Makes one change. Where the answer is lost, the service can tell whether it was made. */
async function change(
  name: "updateScaling" | "updateReplicaScaling",
  part: Data,
  context: Context,
): Promise<Data> {
  const { session, scope } = context;
  try {
    const answer = await session.call(name, scope, part);
    return aboutObject(answer, name, scope.serviceId as string, session);
  } catch (error) {
    if (!mayHaveHappened(error)) throw error;
    const found = await find(context).catch(() => undefined);
    if (!found || !shows(found, part)) throw error;
    return found;
  }
}

async function find({ session, scope }: Context): Promise<Data> {
  const answer = await session.call("getService", scope);
  return aboutObject(answer, "getService", scope.serviceId as string, session);
}

function shows(answer: Data, body: Data): boolean {
  return Object.keys(body).every((name) =>
    equal(serviceScalingInputs.properties[name as keyof Inputs], answer[name], body[name]),
  );
}

function liveState(answer: Data): LiveState {
  return {
    inputs: pick(answer, allMembers),
    outputs: pick(answer, Object.keys(serviceScalingOutputs.properties)),
  };
}
