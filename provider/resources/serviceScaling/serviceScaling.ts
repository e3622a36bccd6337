import { ApiError, MissingObject, mayHaveHappened, RefusedRequest } from "../../api/errors";
import { create } from "../../lifecycle/create";
import { resourceOf } from "../../lifecycle/lifecycle";
import { aboutObject, observe } from "../../lifecycle/observe";
import type { Resource, Way } from "../../lifecycle/resource";
import { type Context, contextOf, inService } from "../../lifecycle/scope";
import type { Session } from "../../lifecycle/session";
import { declaredIn, type State, sentPart, stateOf, trackingOf, withPrevious } from "../../lifecycle/state";
import { wayOf } from "../../lifecycle/way";
import { write } from "../../lifecycle/write";
import { stampOf } from "../../values/age";
import { asDeclared } from "../../values/asDeclared";
import { equal } from "../../values/compare";
import { type Data, pick } from "../../values/data";
import { oneOf } from "../../values/schema";
import { type Static, Type } from "../../values/schemaBuilders";
import {
  allMembers,
  limitsOf,
  primaryFailure,
  requestsFor,
  restoringMembers,
  scalingFailures,
} from "./scalingRules";
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

/**
 * Inputs of the auto-scaling of a service.
 * @see "Scaling update body", "Limits" in the API document
 */
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
  /** Minimum number of replicas for horizontal scaling, 1 to 20; only with `maxReplicas`. Needs `dialect: clickhouse`. */
  minReplicas: Type.Optional(Type.Integer({ ...replicas, dialect: "clickhouse" })),
  /** Maximum number of replicas for horizontal scaling, 1 to 20; only with `minReplicas`. Needs `dialect: clickhouse`. */
  maxReplicas: Type.Optional(Type.Integer({ ...replicas, dialect: "clickhouse" })),
  /**
   * The effect of destroying the resource: `keep` (default) leaves the service as it is, `restore` puts back the values
   * from before the resource was created.
   */
  onDestroy: Type.Optional(oneOf(["keep", "restore"], { sent: "never" })),
});

type Inputs = Static<typeof serviceScalingInputs>;

const scaling: Resource<Inputs> = resourceOf<Inputs>({
  type: "ServiceScaling",
  noun: "scaling",
  inputs: serviceScalingInputs,
  outputs: serviceScalingOutputs,
  scope: "service",
  operations: { create: "updateScaling", get: "getService", update: "updateScaling" },

  failures: (declared, olds, settings) => scalingFailures(declared, olds, settings),

  decode: (answer) => ({
    inputs: pick(answer, allMembers),
    outputs: pick(answer, Object.keys(serviceScalingOutputs.properties)),
  }),

  way: (usual) => wayOfScaling(usual),

  // The deprecated members follow from those of the replicas.
  declaration({ minTotalMemoryGb, maxTotalMemoryGb, ...members }) {
    const isKnown = ["numReplicas", "minReplicas", "minReplicaMemoryGb"].some((name) => name in members);
    return isKnown ? members : { minTotalMemoryGb, maxTotalMemoryGb, ...members };
  },
});

/** @param current the service as it was just seen. Default: each look asks */
function wayOfScaling(usual: Way, current?: Data): Way {
  return {
    ...usual,

    // One list serves the reads of all scalings of an organization where it shows all that is declared.
    look(moment, id, state, context) {
      if (moment !== "read")
        return current && moment === "beforeWrite" ? Promise.resolve(current) : find(context);
      const names = Object.keys(sentPart(scaling, declaredIn(scaling, state)));
      const isDoubtful = (entry: Data) =>
        names.length === 0 || Object.keys(pick(entry, names)).length < names.length;
      return observe(scaling, id, context, { state, isDoubtful });
    },

    send: (_id, body, context) => scale(body, context),
  };
}

/** The steps of a scaling's life. */
export const serviceScalingResource: typeof scaling = {
  ...scaling,

  async diff(id, state, inputs, session) {
    const changes = await scaling.diff(id, state, inputs, session);
    const isScaled = changes.some(({ path }) => path === "numReplicas");
    const failure = changes.some(({ replaces }) => replaces) ? undefined : primaryFailure(inputs, state);
    if (failure && isScaled) throw new Error(`${failure.path} ${failure.message}`);
    return changes;
  },

  async create(inputs, session) {
    if (inputs.onDestroy !== "restore") return scaling.create(inputs, session);
    const current = await find(contextOf(scaling, inputs, session));
    const previous = pick(current, allMembers);
    try {
      const created = await create(
        { ...scaling, way: (usual) => wayOfScaling(usual, current) },
        inputs,
        session,
      );
      return { ...created, state: withPrevious(created.state, previous) };
    } catch (error) {
      if (hasChangedNothing(error, sentPart(scaling, inputs), session)) throw error;
      const failure = new Error(
        `${(error as Error).message}\nThe change may have taken effect; the next update repeats it, and the state keeps the previous values`,
      );
      const id = current.id as string;
      const tracking = { previous, createdAt: stampOf({ id }) };
      const state = stateOf(scaling, declaredIn(scaling, inputs), { inputs: {}, outputs: {} }, tracking);
      return { id, state, failure };
    }
  },

  async delete(id, state, session) {
    const restores = state.onDestroy === "restore";
    const { previous = {} } = trackingOf(state);
    const managed = Object.keys(sentPart(scaling, declaredIn(scaling, state)));
    // Servers show numbers as text, too, and take none.
    const values = asDeclared(serviceScalingInputs, pick(previous, restoringMembers(managed))) as Data;
    if (restores && Object.keys(values).length > 0) return restore(id, values, state, session);
    const why = restores
      ? "its previous values are unknown, since onDestroy was not set when the resource was created, or the service did not show them"
      : 'onDestroy: "restore" would restore its previous values';
    session.warnOnce(`ServiceScaling: service ${id} keeps its scaling; ${why}`);
  },
};

/** @throws Error if the service keeps the values that it has; the state keeps those to restore */
async function restore(id: string, values: Data, state: State, session: Session): Promise<void> {
  const context = contextOf(scaling, state, session);
  try {
    const live = await find(context);
    const { inputs } = await write(
      scaling,
      wayOf(scaling),
      id,
      { declared: values, desired: values, state, live },
      context,
    );
    if (shows(inputs, values)) return;
  } catch (error) {
    const isDoubtful = () => true;
    const isMissing = error instanceof MissingObject;
    if (!isMissing || (await observe(scaling, id, context, { state, isDoubtful })) !== "gone") throw error;
    return;
  }
  throw new Error(
    `scaling of service ${id}: the service does not show its previous values, ${JSON.stringify(values)}; destroy again to retry, or set onDestroy: "keep" to give them up`,
  );
}

/** How often, and after which waits, a service is asked again that does not show the new scaling yet. */
const waits = [250, 500, 1000, 2000, 4000, 8000];

/**
 * Changes the scaling. For a while after that the service may still answer with the old values, or with 0; they must
 * not be taken for its version of the new ones.
 */
async function scale(body: Data, context: Context): Promise<Data> {
  let answer: Data = {};
  for (const [name, part] of requestsFor(body, context.session.settings))
    answer = await change(name, part, context);
  for (const wait of waits) {
    if (shows(answer, body)) break;
    await context.session.interruption.pause(wait);
    answer = await find(context);
  }
  return answer;
}

/** Whether a failure to scale left the service as it was: only the first of its changes can do that. */
function hasChangedNothing(error: unknown, body: Data, session: Session): boolean {
  if (!(error instanceof ApiError)) return true;
  const [first] = requestsFor(body, session.settings);
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
    if (error instanceof RefusedRequest) {
      const limits = limitsOf(part, error.reason);
      throw limits === "" ? error : new RefusedRequest(error.site, `${error.reason}; ${limits}`);
    }
    if (!mayHaveHappened(error)) throw error;
    const live = await find(context).catch(() => undefined);
    if (!live || !shows(live, part)) throw error;
    return live;
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
