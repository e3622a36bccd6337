import { ApiError, badRequest } from "../apiError";
import { seededCredentials } from "../credentials";
import type { Records } from "../records";
import type { Call, Route, RouteContext } from "../routes";
import { listedRoutes, usualOperations } from "./listed";
import type { Resource } from "./resource";

/** A later state of a reverse private endpoint and its time, in milliseconds since 1970. */
interface EndpointStep {
  status: string;
  at: number;
}

/** A DNS name that the user of ClickHouse Cloud gives to the service at the far end of a reverse private endpoint. */
interface PrivateDnsMapping {
  privateDnsName: string;
  /** The `id` of the entry of the reverse private endpoint's `dnsTargets` to which this DNS name belongs. */
  targetId?: string;
}

export interface ReversePrivateEndpoint {
  id: string;
  serviceId: string;
  description: string;
  type: string;
  vpcEndpointServiceName?: string;
  vpcResourceConfigurationId?: string;
  vpcResourceShareArn?: string;
  mskClusterArn?: string;
  mskAuthentication?: string;
  gcpServiceAttachment?: string;
  /** The DNS names that the user gave to the reverse private endpoint, in the dialect `clickhouse` only. */
  customPrivateDnsMappings?: PrivateDnsMapping[];
  endpointId: string;
  dnsNames: string[];
  privateDnsNames: string[];
  status: string;
  /**
   * The states into which the reverse private endpoint will pass, in their order. With the state `Gone` the endpoint is
   * deleted.
   */
  steps?: EndpointStep[];
}

const { serviceId } = seededCredentials;

/** The id of the reverse private endpoint that a pipe of a new sandbox uses. */
export const seededEndpointId = "4a8e1f73-d5b2-4c90-8f16-e3b7a9c2d058";

/** The properties of a reverse private endpoint that ClickHouse Cloud shows as null if they are not set. */
const absent = {
  vpcEndpointServiceName: null,
  vpcResourceConfigurationId: null,
  vpcResourceShareArn: null,
  mskClusterArn: null,
  mskAuthentication: null,
  gcpServiceAttachment: null,
};

/**
 * The types of reverse private endpoints: the properties that each needs, and whether the owner of the far end has to accept
 * the connection.
 */
const types: { readonly [type: string]: { readonly needs: readonly string[]; readonly isAccepted?: true } } =
  {
    VPC_ENDPOINT_SERVICE: { needs: ["vpcEndpointServiceName"], isAccepted: true },
    VPC_RESOURCE: { needs: ["vpcResourceConfigurationId", "vpcResourceShareArn"] },
    MSK_MULTI_VPC: { needs: ["mskClusterArn", "mskAuthentication"] },
    GCP_PSC_SERVICE_ATTACHMENT: { needs: ["gcpServiceAttachment"], isAccepted: true },
  };

type Body = Pick<ReversePrivateEndpoint, "description" | "type" | "customPrivateDnsMappings"> &
  Partial<Omit<ReversePrivateEndpoint, "id" | "serviceId" | "steps">>;

/** The reverse private endpoints of a service in the sandbox. The dialect `neutral` can only list them. */
export const reversePrivateEndpoints = {
  place: "service",
  operations: usualOperations("ReversePrivateEndpoint", "ReversePrivateEndpoints"),
  path: (vocabulary) => vocabulary.reversePrivateEndpoints,

  /** A new sandbox has one reverse private endpoint that is ready, and one whose far end has yet to accept it. */
  seed: (): ReversePrivateEndpoint[] => [
    {
      id: seededEndpointId,
      serviceId,
      description: "Kafka brokers",
      type: "MSK_MULTI_VPC",
      mskClusterArn: "arn:aws:kafka:eu-central-1:000000000000:cluster/sandbox/4a8e1f73",
      mskAuthentication: "SASL_IAM",
      endpointId: "vpce-0f1e2d3c4b5a69788",
      dnsNames: ["vpce-0f1e2d3c4b5a69788.kafka.example.com"],
      privateDnsNames: ["broker-1.example.com", "broker-2.example.com"],
      status: "Ready",
    },
    {
      id: "b37d0c95-84e2-4a6f-b9c8-1f5e6d2a7038",
      serviceId,
      description: "Customers database",
      type: "VPC_ENDPOINT_SERVICE",
      vpcEndpointServiceName: "com.amazonaws.vpce.eu-central-1.vpce-svc-0a9b8c7d6e5f41320",
      vpcResourceConfigurationId: "rcfg-0a1b2c3d4e5f60718",
      vpcResourceShareArn: "arn:aws:ram:eu-central-1:000000000000:resource-share/b37d0c95",
      endpointId: "vpce-01234567890abcdef",
      dnsNames: [],
      privateDnsNames: [],
      status: "PendingAcceptance",
    },
  ],

  columns: ["type", "endpointId", "dnsNames"],

  routes(context: RouteContext): Route[] {
    const { store, stateMilliseconds } = context;
    const isProduct = context.vocabulary.dialect === "clickhouse";
    const usual = listedRoutes<ReversePrivateEndpoint>(context, {
      collection: reversePrivateEndpoints,
      noun: "reverse private endpoint",
      isPatched: true,
      hasUuids: true,
      membersOf(call: Call<Body>, current) {
        if (!current) return created(call, context);
        const { customPrivateDnsMappings = current.customPrivateDnsMappings } = call.body;
        checkMappings({ ...current, customPrivateDnsMappings }, current.serviceId, store, current.id);
        return { ...current, customPrivateDnsMappings };
      },
      show: (endpoint) => (isProduct ? shown(endpoint) : endpoint),
      // The deletion of a reverse private endpoint ends long after its response.
      ending(endpoint, { now }) {
        const steps = [{ status: "Gone", at: now + 2 * stateMilliseconds }];
        return { ...endpoint, ...(endpoint.status !== "Deleting" && { status: "Deleting", steps }) };
      },
    });
    return isProduct ? usual : usual.filter(({ operation }) => operation === "listReversePrivateEndpoints");
  },
} as const satisfies Resource;

/** Makes a new reverse private endpoint, which is provisioned after a time. */
function created(
  { body, service, now }: Call<Body>,
  { store, ids, stateMilliseconds }: RouteContext,
): Omit<ReversePrivateEndpoint, "id" | "serviceId"> {
  const { needs = [], isAccepted } = types[body.type] ?? {};
  for (const name of needs)
    if (!body[name as keyof Body]) throw badRequest(`${name} is required for type ${body.type}`);
  checkMappings(body, service.id, store);
  const endpointId = `vpce-0${ids.uuid().replaceAll("-", "").slice(0, 16)}`;
  const { provisioning = "works" } = store.organization;
  const usable = isAccepted ? "PendingAcceptance" : "Ready";
  const status = provisioning === "fails" ? "Failed" : usable;
  return {
    ...{ ...body, endpointId, status: "Provisioning" },
    ...{ dnsNames: [`${endpointId}.vpce.example.com`], privateDnsNames: [] },
    ...(provisioning !== "hangs" && { steps: [{ status, at: now + stateMilliseconds }] }),
  };
}

/**
 * Checks the DNS names of a reverse private endpoint.
 * @throws ApiError if a name occurs twice in the service, or has a target although its type has none
 */
function checkMappings(
  { type, customPrivateDnsMappings = [] }: Pick<Body, "type" | "customPrivateDnsMappings">,
  serviceId: string,
  store: Records,
  ownId?: string,
): void {
  const others = store.ofService(reversePrivateEndpoints, serviceId).filter(({ id }) => id !== ownId);
  const taken = new Set(
    others.flatMap(({ customPrivateDnsMappings: mappings = [] }) => mappings.map(nameOf)),
  );
  for (const mapping of customPrivateDnsMappings) {
    if (mapping.targetId !== undefined && type !== "VPC_RESOURCE")
      throw badRequest("targetId is only allowed for type VPC_RESOURCE");
    const name = nameOf(mapping);
    if (taken.has(name)) throw new ApiError(409, `privateDnsName ${name} already exists in the service`);
    taken.add(name);
  }
}

const nameOf = ({ privateDnsName }: PrivateDnsMapping) => privateDnsName;

/**
 * Converts a reverse private endpoint to the form of ClickHouse Cloud's responses. It has no address until it is provisioned.
 */
function shown({ steps, ...endpoint }: ReversePrivateEndpoint): object {
  const isComing = endpoint.status === "Provisioning";
  const { customPrivateDnsMappings = [], vpcResourceConfigurationId, type } = endpoint;
  const [internalDnsName = ""] = endpoint.dnsNames;
  const hasTarget = type === "VPC_RESOURCE" && !isComing;
  return {
    ...absent,
    ...endpoint,
    customPrivateDnsMappings,
    ...(isComing && { endpointId: "", dnsNames: [], privateDnsNames: [] }),
    privateDnsMappings: isComing
      ? []
      : customPrivateDnsMappings.map(({ privateDnsName }) => ({ privateDnsName, internalDnsName })),
    dnsTargets: hasTarget
      ? [{ id: vpcResourceConfigurationId, internalDnsName, kind: "RESOURCE_CONFIGURATION" }]
      : [],
  };
}

export function settleEndpoints(store: Records, now: number): void {
  for (const { steps = [], ...endpoint } of [...store.of(reversePrivateEndpoints).values()]) {
    const latest = steps.filter(({ at }) => at <= now).at(-1);
    if (latest?.status === "Gone") store.remove(reversePrivateEndpoints, endpoint.id);
    else if (latest) {
      const left = steps.filter(({ at }) => at > now);
      store.write(reversePrivateEndpoints, {
        ...endpoint,
        status: latest.status,
        ...(left.length > 0 && { steps: left }),
      });
    }
  }
}
