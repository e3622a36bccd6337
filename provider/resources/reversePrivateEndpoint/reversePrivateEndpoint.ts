import { isHeld } from "../../lifecycle/holdings";
import { resourceOf } from "../../lifecycle/lifecycle";
import type { Resource, Way } from "../../lifecycle/resource";
import { type Context, contextOf, inService } from "../../lifecycle/scope";
import { trackingOf, withTracking } from "../../lifecycle/state";
import { refuseTwin } from "../../lifecycle/twins";
import { awaitDeleted } from "../../lifecycle/waiting";
import { wholeOf } from "../../lifecycle/way";
import { type Data, pick } from "../../values/data";
import { oneOf } from "../../values/schema";
import { type Static, Type } from "../../values/schemaBuilders";
import { containsUnknown } from "../../values/unknown";
import { pipeResource } from "../pipe/pipe";
import { failed, pending, waiting } from "./endpointStates";
import { dnsNameOf, endpointFailures, endpointTypes, mappingsIn, targetMembers } from "./endpointTypes";

const target = { minLength: 1, pattern: "^\\S+$", rule: "a name without blanks", replaces: true } as const;
const dnsName = {
  minLength: 1,
  pattern: "^(\\*\\.)?[^\\s*]+$",
  rule: "a name, or one with a wildcard in front, such as *.example.com",
} as const;

/**
 * Inputs of a reverse private endpoint.
 * @see "Create reverse private endpoint" in the documents of ClickHouse Cloud
 */
export const reversePrivateEndpointInputs = inService({
  /**
   * Takes over the existing endpoint with this id (uuid) instead of creating one. Has no effect once the endpoint is in state; a
   * change that replaces the endpoint is refused while it is declared.
   */
  adoptId: Type.Optional(Type.String({ minLength: 1, sent: "never", replaces: true })),
  /** What the endpoint is for, at most 255 characters. A change replaces the endpoint. */
  description: Type.String({ maxLength: 255, replaces: true }),
  /** What the endpoint connects to. A change replaces the endpoint. */
  type: oneOf(endpointTypes, { replaces: true }),
  /** With the type `VPC_ENDPOINT_SERVICE`: name of the VPC endpoint service, `com.amazonaws.vpce.…`. A change replaces the endpoint. */
  vpcEndpointServiceName: Type.Optional(Type.String(target)),
  /** With the type `VPC_RESOURCE`: id of the VPC resource configuration, `rcfg-…`. A change replaces the endpoint. */
  vpcResourceConfigurationId: Type.Optional(Type.String(target)),
  /** With the type `VPC_RESOURCE`: ARN of the resource share with that configuration. A change replaces the endpoint. */
  vpcResourceShareArn: Type.Optional(Type.String(target)),
  /** With the type `MSK_MULTI_VPC`: ARN of the cluster, whose policy has to let the service in. A change replaces the endpoint. */
  mskClusterArn: Type.Optional(Type.String(target)),
  /** With the type `MSK_MULTI_VPC`: how clients authenticate to the cluster. A change replaces the endpoint. */
  mskAuthentication: Type.Optional(oneOf(["SASL_IAM", "SASL_SCRAM"], { replaces: true })),
  /** With the type `GCP_PSC_SERVICE_ATTACHMENT`: `projects/…/regions/…/serviceAttachments/…`. A change replaces the endpoint. */
  gcpServiceAttachment: Type.Optional(Type.String(target)),
  /** Private names of your own for the other side: the whole list. `[]` removes all; without it, those that are there stay. */
  customPrivateDnsMappings: Type.Optional(
    Type.Array(
      Type.Object(
        {
          /** The name, or one with a wildcard in front, such as `*.example.com`. No other endpoint of the service has it. */
          privateDnsName: Type.String(dnsName),
          /** With the type `VPC_RESOURCE`: which of the output `dnsTargets` the name leads to, by its `id`. */
          targetId: Type.Optional(Type.String({ minLength: 1 })),
        },
        { additionalProperties: false },
      ),
      { comparison: "set", reset: [] },
    ),
  ),
  /**
   * Whether a create waits until the endpoint is `Ready`, and so until its owner has accepted it. Default: `PendingAcceptance` is
   * enough, since what accepts it may need its id.
   */
  awaitReady: Type.Optional(Type.Boolean({ sent: "never", default: false })),
  /**
   * Minutes for which a create and a deletion wait, 1 to 1440. Default: 10 for a create, 30 with `awaitReady`, and 50 for a
   * deletion. The option `customTimeouts` may end a wait sooner.
   */
  waitMinutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440, sent: "never" })),
});

/** Outputs of a reverse private endpoint beyond its inputs. */
export const reversePrivateEndpointOutputs = Type.Object({
  /** Id of the endpoint at the cloud provider, by which its owner accepts it. */
  endpointId: Type.Optional(Type.String()),
  /** Names by which pipes reach the other side. */
  dnsNames: Type.Optional(Type.Array(Type.String(), { volatile: true })),
  /** Private names by which pipes reach the other side, such as those of brokers. */
  privateDnsNames: Type.Optional(Type.Array(Type.String(), { volatile: true })),
  /** What a `targetId` may name. */
  dnsTargets: Type.Optional(
    Type.Array(
      Type.Object({
        /** Id of the target. */
        id: Type.Optional(Type.String()),
        /** Name of the target inside of the service. */
        internalDnsName: Type.Optional(Type.String()),
        /** What the target is, such as `RESOURCE_CONFIGURATION`. */
        kind: Type.Optional(Type.String()),
      }),
      { volatile: true },
    ),
  ),
  /** Status of the endpoint, such as `PendingAcceptance` or `Ready`; it changes by itself and never counts as drift. */
  status: Type.Optional(Type.String({ volatile: true })),
});

type Inputs = Static<typeof reversePrivateEndpointInputs>;

const endpoints: Resource<Inputs> = resourceOf<Inputs>({
  type: "ReversePrivateEndpoint",
  noun: "reverse private endpoint",
  inputs: reversePrivateEndpointInputs,
  outputs: reversePrivateEndpointOutputs,
  scope: "service",
  dialect: "clickhouse",
  // Pipes that were made in the console may use it, and a create finds what an update has left that was killed.
  isNoOrphan: "unlessNamed",
  operations: {
    create: "createReversePrivateEndpoint",
    list: "listReversePrivateEndpoints",
    get: "getReversePrivateEndpoint",
    update: "updateReversePrivateEndpoint",
    delete: "deleteReversePrivateEndpoint",
  },
  sureMember: "description",
  waiting,

  failures: endpointFailures,

  encode: (body, _settings, current) => (current ? pick(body, ["customPrivateDnsMappings"]) : body),

  decode: (answer) => ({
    inputs: pick(answer, [...identity(answer), "customPrivateDnsMappings"]),
    outputs: pick(answer, Object.keys(reversePrivateEndpointOutputs.properties)),
  }),

  isDeletedFirst,

  users: () => [
    {
      definition: pipeResource,
      members: ["reversePrivateEndpointIds"],
      consequence: "They can then no longer reach their brokers",
      isDeletedToo: false,
    },
  ],

  way: (usual) => ({
    ...usual,

    create: (...step) => createOnce(usual, ...step),

    // An update may have nothing to do but to wait.
    send: (id, body, context) =>
      Object.keys(body).length > 0
        ? usual.send(id, body, context)
        : wholeOf(endpoints, usual, body, id, context),
  }),
});

/** What tells endpoints apart, since they have neither a name nor a time: their descriptions, and what they connect to. */
const identity = ({ type }: Data): readonly string[] => ["description", "type", ...targetMembers(type)];

/** No two endpoints of a service have one private name. */
function isDeletedFirst(state: Data, inputs: Data): boolean {
  const names = new Set(mappingsIn(state).map(dnsNameOf));
  if (names.size === 0) return false;
  const { customPrivateDnsMappings } = inputs;
  return (
    containsUnknown(customPrivateDnsMappings) || mappingsIn(inputs).some((next) => names.has(dnsNameOf(next)))
  );
}

async function createOnce(usual: Way, ...[body, inputs, context]: Parameters<Way["create"]>) {
  await refuseTaken(body, context);
  const created = await usual.create(body, inputs, context);
  const { status, endpointId } = created.object;
  if (status === pending && !created.unfinished)
    context.session.inform(
      `${endpoints.noun} ${created.id} waits for the owner of the other side, who has to accept ${endpointId}`,
    );
  return created;
}

/** Refuses to create an endpoint where there is one that equals it, or has one of its private names, and that this program does not hold. */
async function refuseTaken(body: Data, { session, scope }: Context): Promise<void> {
  const existing: readonly Data[] = await session.lists.read("listReversePrivateEndpoints", scope, {
    asOf: "creation",
  });
  const likes = existing.filter(
    (endpoint) =>
      identity(body).every((name) => endpoint[name] === body[name]) &&
      !failed.includes(String(endpoint.status)),
  );
  const likeness = `of service ${scope.serviceId} has the same description, and connects to the same`;
  refuseTwin(endpoints, likes, likeness, session, "choose another description");
  refuseTakenNames(
    body,
    existing.filter(({ id }) => !isHeld(endpoints, String(id), session)),
  );
}

/** Refuses private names that another endpoint has, by its id: the service's own refusal does not tell which it is. */
function refuseTakenNames(body: Data, others: readonly Data[]): void {
  const names = mappingsIn(body).map(dnsNameOf);
  for (const { id, status, ...other } of others) {
    const taken = mappingsIn(other)
      .map(dnsNameOf)
      .find((name) => names.includes(name));
    if (taken !== undefined)
      throw new Error(
        `the private name ${taken} is that of ${endpoints.noun} ${id} (${status}), and must be unique within a service: delete that endpoint, remove the name from it, or choose another name`,
      );
  }
}

/** The steps in the life of a reverse private endpoint. */
export const reversePrivateEndpointResource: typeof endpoints = {
  ...endpoints,

  async update(id, state, inputs, session) {
    const isAwaited = inputs.awaitReady === true && state.status !== "Ready";
    const tracking = { ...trackingOf(state), ...(isAwaited && { awaiting: "create" as const }) };
    return endpoints.update(id, withTracking(state, tracking), inputs, session);
  },

  async delete(id, state, session) {
    await endpoints.delete(id, state, session);
    await awaitDeleted(endpoints, id, state, contextOf(endpoints, state, session));
  },
};
