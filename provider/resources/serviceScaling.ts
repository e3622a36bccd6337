import { setTimeout as delay } from "node:timers/promises";
import { ApiError, MissingObject, mayHaveHappened } from "../api/errors";
import { equal } from "../lifecycle/compare";
import { type Data, pick } from "../lifecycle/data";
import { aboutObject } from "../lifecycle/objects";
import type { Context } from "../lifecycle/resource";
import { oneOf } from "../lifecycle/schema";
import { inService } from "../lifecycle/scope";
import { undocumentedOperation } from "../lifecycle/session";
import { singleton } from "../lifecycle/singleton";
import {
  declaredIn,
  type LiveState,
  type State,
  sentPart,
  trackingOf,
  type Written,
} from "../lifecycle/state";
import { carryOut } from "../lifecycle/write";
import { type Static, Type } from "../typebox";

const totalMemory = {
  minimum: 24,
  maximum: 1068,
  multipleOf: 12,
  deprecated:
    "it is inaccurate for services with a number of replicas other than the default; use numReplicas instead",
};

const replicaMemory = { minimum: 8, maximum: 356, multipleOf: 4, dialect: "clickhouse" } as const;

/** Inputs of the auto-scaling of a service (API document: "Scaling update body", "Limits"). */
export const serviceScalingInputs = inService({
  /**
   * Number of replicas, 1 to 20; the first service in a warehouse needs at least 2. The service's default is 1 in the
   * BASIC tier, 3 in the SCALE and ENTERPRISE tiers.
   */
  numReplicas: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
  /** Whether the service may scale down to zero when it is idle. The service's default is true. */
  idleScaling: Type.Optional(Type.Boolean()),
  /** Idle minutes before the service may scale to zero; at least 5. */
  idleTimeoutMinutes: Type.Optional(Type.Integer({ minimum: 5 })),
  /**
   * Minimum total memory of all replicas in GB: 24 to 1068, a multiple of 12. Only for production services.
   *
   * @deprecated inaccurate for services with a number of replicas other than the default; use `numReplicas`
   */
  minTotalMemoryGb: Type.Optional(Type.Integer(totalMemory)),
  /**
   * Maximum total memory of all replicas in GB: 24 to 1068 (360 for services that are not paid), a multiple of 12.
   * Only for production services.
   *
   * @deprecated inaccurate for services with a number of replicas other than the default; use `numReplicas`
   */
  maxTotalMemoryGb: Type.Optional(Type.Integer(totalMemory)),
  /** Minimum memory per replica in GB: 8 to 356, a multiple of 4. Needs `dialect: clickhouse`. */
  minReplicaMemoryGb: Type.Optional(Type.Integer(replicaMemory)),
  /** Maximum memory per replica in GB: 8 to 356, a multiple of 4. Can be declared in the dialect `clickhouse`. */
  maxReplicaMemoryGb: Type.Optional(Type.Integer(replicaMemory)),
  /**
   * What destroying the resource does: `keep` (default) leaves the service as it is, `restore` puts back what was
   * there before the resource was created.
   */
  onDestroy: Type.Optional(oneOf(["keep", "restore"], { local: true })),
});

/** The further members of a service (API document: "Service (result of the scaling update)"). */
export const serviceScalingOutputs = Type.Object({
  /** Name of the service. */
  name: Type.Optional(Type.String()),
  /** Version of the engine that the service runs. */
  engineVersion: Type.Optional(Type.String()),
  /** Addresses of the service, by protocol. */
  endpoints: Type.Optional(
    Type.Array(
      Type.Object({
        /** Protocol that the address speaks. */
        protocol: Type.String(),
        /** Host name. */
        host: Type.String(),
        /** Port. */
        port: Type.Number(),
        /** User to connect as. */
        username: Type.Optional(Type.String()),
      }),
    ),
  ),
  /** Addresses that may reach the service. */
  ipAccessList: Type.Optional(
    Type.Array(
      Type.Object({
        /** An address or a CIDR range. */
        source: Type.String(),
        /** What the address is. */
        description: Type.Optional(Type.String()),
      }),
    ),
  ),
  /** When the service was created (ISO 8601). */
  createdAt: Type.Optional(Type.String()),
  /** Key that encrypts the service's storage; a secret. */
  encryptionKey: Type.Optional(Type.String()),
  /** Role that is assumed for encryption. */
  encryptionAssumedRoleIdentifier: Type.Optional(Type.String()),
  /** Role of the service itself. */
  iamRole: Type.Optional(Type.String()),
  /** Private endpoints that may reach the service. */
  privateEndpointIds: Type.Optional(Type.Array(Type.String())),
  /** Private endpoints that could be allowed. */
  availablePrivateEndpointIds: Type.Optional(Type.Array(Type.String())),
  /** Warehouse that the service belongs to. */
  dataWarehouseId: Type.Optional(Type.String()),
  /** Whether it is the first service of its warehouse. */
  isPrimary: Type.Optional(Type.Boolean()),
  /** Whether the service is read-only. */
  isReadonly: Type.Optional(Type.Boolean()),
  /** The user's own cloud account that the service runs in, if any. */
  byocId: Type.Optional(Type.String()),
  /** Whether transparent data encryption is on. */
  hasTransparentDataEncryption: Type.Optional(Type.Boolean()),
  /** Key of the transparent data encryption. */
  transparentDataEncryptionKeyId: Type.Optional(Type.String()),
  /** Role of the encryption. */
  encryptionRoleId: Type.Optional(Type.String()),
});

type Inputs = Static<typeof serviceScalingInputs>;

const scalingMembers = [
  "numReplicas",
  "idleScaling",
  "idleTimeoutMinutes",
  "minTotalMemoryGb",
  "maxTotalMemoryGb",
];

/** What the operation of the API document does not change. */
const replicaMembers = ["minReplicaMemoryGb", "maxReplicaMemoryGb"];

const allMembers = [...scalingMembers, ...replicaMembers];

/** What the provider does with the scaling of a service at each step. */
export const serviceScalingResource = singleton<Inputs>({
  type: "ServiceScaling",
  noun: "scaling",
  inputs: serviceScalingInputs,
  outputs: serviceScalingOutputs,
  secrets: ["encryptionKey"],
  scope: "service",
  operations: { create: "updateScaling", get: "getService", update: "updateScaling" },

  failures(declared, _olds, session) {
    if (allMembers.every((name) => !(name in declared))) {
      return [
        { path: "numReplicas", message: `is missing: declare at least one of ${scalingMembers.join(", ")}` },
      ];
    }
    const { onDestroy } = declared;
    for (const [least, most] of [
      ["minTotalMemoryGb", "maxTotalMemoryGb"],
      ["minReplicaMemoryGb", "maxReplicaMemoryGb"],
    ] as const) {
      const [low, high] = [declared[least], declared[most]];
      if (typeof low === "number" && typeof high === "number" && low > high)
        return [{ path: least, message: `must be at most ${most}` }];
    }
    if (onDestroy === "restore" && !session.allows("getService")) {
      const message = `cannot be "restore": reading what is there needs ${undocumentedOperation}`;
      return [{ path: "onDestroy", message }];
    }
    return [];
  },

  async create({ inputs, body }, context) {
    const id = context.scope.serviceId as string;
    if (inputs.onDestroy !== "restore") return { id, live: await scaleAndLook(body, {}, context) };
    const found = await find(context);
    const previous = pick(found, allMembers);
    try {
      return { id, live: await scaleAndLook(body, {}, context, found), previous };
    } catch (error) {
      if (hasChangedNothing(error, body)) throw error;
      const failure = new Error(
        `${(error as Error).message}\nThe change may have taken effect; the next update repeats it, and the state keeps the previous values`,
      );
      return { id, live: { inputs: {}, outputs: {} }, previous, failure };
    }
  },

  find,
  liveState,

  update: (_id, { body }, state, context) => scaleAndLook(body, state, context),

  async delete(id, state, context) {
    const restores = state.onDestroy === "restore";
    const { previous } = trackingOf(serviceScalingResource, state);
    if (restores && previous) {
      const managed = Object.keys(
        sentPart(serviceScalingResource, declaredIn(serviceScalingResource, state)),
      );
      try {
        await scale(pick(previous, managed), context);
      } catch (error) {
        const isMissing = error instanceof MissingObject;
        if (!isMissing || (await serviceScalingResource.read(id, {}, state, context)) !== "gone") throw error;
      }
      return;
    }
    const why = restores
      ? "its previous values are unknown, since onDestroy was not set when the resource was created"
      : 'onDestroy: "restore" would restore its previous values';
    context.session.warnOnce(`ServiceScaling: service ${id} keeps its scaling; ${why}`);
  },

  // The deprecated members follow from the number of replicas.
  declaration: ({ minTotalMemoryGb, maxTotalMemoryGb, ...found }) =>
    found.numReplicas === undefined ? { minTotalMemoryGb, maxTotalMemoryGb, ...found } : found,
});

/** Changes the scaling, and tells what the service made of it from what was there before. */
async function scaleAndLook(body: Data, state: State, context: Context, known?: Data): Promise<Written> {
  const { session, scope } = context;
  const found = known ?? (session.allows("getService") ? await find(context) : undefined);
  return carryOut(
    {
      object: `scaling of service ${scope.serviceId}`,
      schema: serviceScalingInputs,
      declared: body,
      before: {
        shown: found ? [liveState(found).inputs] : [],
        state,
        normalized: trackingOf(serviceScalingResource, state).normalized ?? {},
        sent: body,
      },
      send: () => scale(body, context),
      ...(session.allows("getService") ? { look: async () => liveState(await find(context)) } : {}),
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
  for (const [name, members] of [
    ["updateScaling", scalingMembers],
    ["updateReplicaScaling", replicaMembers],
  ] as const) {
    const part = pick(body, members);
    if (Object.keys(part).length === 0) continue;
    answer = await change(name, part, context);
  }
  if (!context.session.allows("getService")) return liveState(answer);
  for (const wait of waits) {
    if (shows(answer, body)) break;
    await delay(wait);
    answer = await find(context);
  }
  return liveState(answer);
}

/** Whether a failure to scale left the service as it was: only the first of its changes can do that. */
function hasChangedNothing(error: unknown, body: Data): boolean {
  const first = scalingMembers.some((name) => name in body) ? "updateScaling" : "updateReplicaScaling";
  if (!(error instanceof ApiError)) return true;
  const { operation } = error.site;
  return operation === first && !mayHaveHappened(error);
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
    if (!mayHaveHappened(error) || !session.allows("getService")) throw error;
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
