import type { ReversePrivateEndpoint } from "../../api/answers.golden";
import { enums } from "../../api/enums.golden";
import { RefusedRequest } from "../../api/errors";
import { refuseDuplicate } from "../../lifecycle/duplicates";
import { resourceOf } from "../../lifecycle/lifecycle";
import type { Resource } from "../../lifecycle/resource";
import { adoptableByUuid, type Context, inService } from "../../lifecycle/scope";
import { trackingOf, withTracking } from "../../lifecycle/state";
import type { At } from "../../lifecycle/steps";
import { updateOf } from "../../lifecycle/write";
import { isSameId, type MembersOf, type PropertyMap, pick } from "../../values/data";
import { oneOf } from "../../values/schema";
import { Type } from "../../values/schemaBuilders";
import { containsUnknown } from "../../values/unknown";
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
   * Adopts the existing reverse private endpoint with this id (uuid) instead of creating one. Has no effect once the endpoint
   * is in the Pulumi state; a change that replaces the endpoint is refused while `adoptId` is declared.
   */
  adoptId: adoptableByUuid,
  /** Description of the reverse private endpoint, at most 255 characters. A change replaces the endpoint. */
  description: Type.String({ maxLength: 255, replaces: true }),
  /** What the reverse private endpoint connects to. A change replaces the endpoint. */
  type: oneOf(endpointTypes, { replaces: true }),
  /** With the type `VPC_ENDPOINT_SERVICE`: name of the VPC endpoint service, `com.amazonaws.vpce.…`. A change replaces the endpoint. */
  vpcEndpointServiceName: Type.Optional(Type.String(target)),
  /** With the type `VPC_RESOURCE`: id of the VPC resource configuration, `rcfg-…`. A change replaces the endpoint. */
  vpcResourceConfigurationId: Type.Optional(Type.String(target)),
  /**
   * With the type `VPC_RESOURCE`: ARN of the resource share that contains the VPC resource configuration. A change replaces the
   * endpoint.
   */
  vpcResourceShareArn: Type.Optional(Type.String(target)),
  /**
   * With the type `MSK_MULTI_VPC`: ARN of the Kafka (MSK) cluster, whose policy has to let the service in. A change replaces
   * the endpoint.
   */
  mskClusterArn: Type.Optional(Type.String(target)),
  /** With the type `MSK_MULTI_VPC`: how clients authenticate to the Kafka (MSK) cluster. A change replaces the endpoint. */
  mskAuthentication: Type.Optional(oneOf(enums.mskAuthentication, { replaces: true, shown: "sometimes" })),
  /**
   * With the type `GCP_PSC_SERVICE_ATTACHMENT`: the service attachment, `projects/…/regions/…/serviceAttachments/…`. A change
   * replaces the endpoint.
   */
  gcpServiceAttachment: Type.Optional(Type.String(target)),
  /**
   * Private DNS names of your own for what the reverse private endpoint connects to: the whole list. `[]` removes all names;
   * without the property, existing names stay.
   */
  customPrivateDnsMappings: Type.Optional(
    Type.Array(
      Type.Object(
        {
          /**
           * Private DNS name, which may begin with a wildcard, such as `*.example.com`. No two reverse private endpoints of a
           * service may have the same name.
           */
          privateDnsName: Type.String({ ...dnsName, comparison: "id" }),
          /**
           * With the type `VPC_RESOURCE`: the `id` of the entry in the output `dnsTargets` to which the private DNS name leads.
           */
          targetId: Type.Optional(Type.String({ minLength: 1 })),
        },
        { additionalProperties: false, identity: ["privateDnsName"] },
      ),
      { comparison: "set", reset: [] },
    ),
  ),
  /**
   * Whether creating the reverse private endpoint waits until its status is `Ready`, for which its owner at the cloud provider
   * has to accept it. Default: false. The wait then ends at `PendingAcceptance`, since whoever accepts the endpoint may need
   * its id.
   */
  awaitReady: Type.Optional(Type.Boolean({ sent: "never", default: false })),
  /**
   * Minutes to wait when the reverse private endpoint is created or deleted, 1 to 1440. Default: 10 to create it, or 30 with
   * `awaitReady`; 50 to delete it. The option `customTimeouts` may end a wait sooner.
   */
  waitMinutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440, sent: "never" })),
});

/** Outputs of a reverse private endpoint beyond its inputs. */
export const reversePrivateEndpointOutputs = Type.Object({
  /** Id of the reverse private endpoint at the cloud provider, by which its owner there accepts it. */
  endpointId: Type.Optional(Type.String()),
  /** DNS names by which pipes reach what the reverse private endpoint connects to. */
  dnsNames: Type.Optional(Type.Array(Type.String(), { volatile: true })),
  /** Private DNS names by which pipes reach what the reverse private endpoint connects to, such as Kafka brokers. */
  privateDnsNames: Type.Optional(Type.Array(Type.String(), { volatile: true })),
  /** The targets of the reverse private endpoint to which a `targetId` may refer. */
  dnsTargets: Type.Optional(
    Type.Array(
      Type.Object({
        /** Id of a target of the reverse private endpoint. */
        id: Type.Optional(Type.String()),
        /** Internal DNS name of a target of the reverse private endpoint, within the service. */
        internalDnsName: Type.Optional(Type.String()),
        /** Kind of a target of the reverse private endpoint, such as `RESOURCE_CONFIGURATION`. */
        kind: Type.Optional(Type.String()),
      }),
      { volatile: true },
    ),
  ),
  /**
   * Status of the reverse private endpoint, such as `PendingAcceptance` or `Ready`; it changes by itself and never counts as
   * drift.
   */
  status: Type.Optional(Type.String({ volatile: true })),
});

export const reversePrivateEndpointResource: Resource = resourceOf({
  type: "ReversePrivateEndpoint",
  noun: "reverse private endpoint",
  inputs: reversePrivateEndpointInputs,
  outputs: reversePrivateEndpointOutputs,
  scope: "service",
  dialect: "clickhouse",
  // `pipestack orphans` skips reverse private endpoints unless `--only` names the type: pipes of the console may use them. A
  // create itself finds an endpoint that a killed update left.
  isNoOrphan: "unlessNamed",
  operations: {
    create: "createReversePrivateEndpoint",
    list: "listReversePrivateEndpoints",
    get: "getReversePrivateEndpoint",
    update: "updateReversePrivateEndpoint",
    delete: "deleteReversePrivateEndpoint",
  },
  completenessField: "description",
  waiting,

  failures: endpointFailures,

  encode: (body, _settings, current) => (current ? pick(body, ["customPrivateDnsMappings"]) : body),

  decode: (answer) => ({
    ...pick(answer, Object.keys(reversePrivateEndpointOutputs.properties)),
    ...pick(answer, [...identity(answer), "customPrivateDnsMappings"]),
  }),

  isDeletedFirst,

  async creation(creating, usual) {
    await refuseTaken(creating.body, creating.context);
    const created = await usual(creating);
    const { status, endpointId } = created.object;
    if (status === pending && !created.unfinished)
      creating.context.session.inform(
        `${reversePrivateEndpointResource.noun} ${created.id} waits for the owner at the cloud provider, who has to accept ${endpointId}`,
      );
    return created;
  },

  // An update that changes no property of a reverse private endpoint sends no request: it only waits for the endpoint's status.
  steps: ({ desired }) =>
    Object.keys(desired).length > 0
      ? [
          {
            ...updateOf(reversePrivateEndpointResource, desired),
            async rescue(error, at) {
              if (error instanceof RefusedRequest && error.site.status === 409)
                await refuseNamesOfOthers(desired, at);
              throw error;
            },
          },
        ]
      : [],

  around: {
    async update(usual, id, state, inputs, session) {
      const isAwaited = inputs.awaitReady === true && state.status !== "Ready";
      const tracking = { ...trackingOf(state), ...(isAwaited && { awaiting: "create" as const }) };
      return usual(id, withTracking(state, tracking), inputs, session);
    },
  },
});

/**
 * The properties that tell reverse private endpoints apart, since these have neither name nor creation date: the description,
 * and the target.
 */
const identity = ({ type }: MembersOf<ReversePrivateEndpoint>) =>
  ["description", "type", ...targetMembers(type)] as const;

/**
 * A reverse private endpoint is deleted before its replacement is created if both have the same private DNS name, since a name
 * is unique in the service.
 */
function isDeletedFirst(state: PropertyMap, inputs: PropertyMap): boolean {
  const names = new Set(mappingsIn(state).map(dnsNameOf));
  if (names.size === 0) return false;
  const { customPrivateDnsMappings } = inputs;
  return (
    containsUnknown(customPrivateDnsMappings) || mappingsIn(inputs).some((next) => names.has(dnsNameOf(next)))
  );
}

/**
 * Refuses to create a reverse private endpoint if another one, which is not the program's, has the same description and target,
 * or one of its private DNS names.
 */
async function refuseTaken(body: PropertyMap, context: Context): Promise<void> {
  const { session, scope } = context;
  const existing = await session.lists.read("listReversePrivateEndpoints", scope, {
    asOf: "creation",
  });
  const likes = existing.filter(
    (endpoint) =>
      identity(body).every((name) => endpoint[name] === body[name]) &&
      !failed.includes(String(endpoint.status)),
  );
  const likeness = `of service ${scope.serviceId} has the same description, and connects to the same`;
  refuseDuplicate(reversePrivateEndpointResource, likes, likeness, context, "choose another description");
  refuseTakenNames(
    body,
    existing.filter(({ id }) => !session.run.isHeld(reversePrivateEndpointResource, String(id))),
  );
}

/** Refuses private DNS names of an update that the service refuses, too, if a list shows the endpoint that has one. */
async function refuseNamesOfOthers(desired: PropertyMap, { id, context }: At): Promise<void> {
  const { session, scope } = context;
  const existing = await session.lists
    .read("listReversePrivateEndpoints", scope, { asOf: "now" })
    .catch(() => []);
  refuseTakenNames(
    desired,
    existing.filter((other) => !isSameId(other.id, id)),
  );
}

/**
 * Refuses private DNS names that another reverse private endpoint has. The error names that endpoint, which the service's own
 * error does not.
 */
function refuseTakenNames(body: PropertyMap, others: readonly ReversePrivateEndpoint[]): void {
  const names = mappingsIn(body).map(dnsNameOf);
  for (const { id, status, ...other } of others) {
    const taken = mappingsIn(other)
      .map(dnsNameOf)
      .find((name) => names.includes(name));
    if (taken !== undefined)
      throw new Error(
        `the private name ${taken} is that of ${reversePrivateEndpointResource.noun} ${id} (${status}), and must be unique within a service: delete that endpoint, remove the name from it, or choose another name`,
      );
  }
}
