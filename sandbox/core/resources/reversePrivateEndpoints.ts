import { seededCredentials } from "../credentials";
import type { Route, RouteContext } from "../routes";
import { members, type Resource } from "./resource";

/** A reverse private endpoint, exactly as answers show it. */
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
  endpointId: string;
  dnsNames: string[];
  privateDnsNames: string[];
  status: string;
}

const { serviceId } = seededCredentials;

/** The endpoint that a pipe of a new sandbox uses. */
export const seededEndpointId = "4a8e1f73-d5b2-4c90-8f16-e3b7a9c2d058";

/** The members that the product shows as null. */
const absent = {
  vpcEndpointServiceName: null,
  vpcResourceConfigurationId: null,
  vpcResourceShareArn: null,
  mskClusterArn: null,
  mskAuthentication: null,
  gcpServiceAttachment: null,
};

/** The reverse private endpoints of a service: list. */
export const reversePrivateEndpoints = {
  place: "service",
  operations: ["listReversePrivateEndpoints"],
  path: (vocabulary) => vocabulary.reversePrivateEndpoints,

  /** One endpoint that is ready, and one that waits for its other side. */
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

  onConsole: members<ReversePrivateEndpoint>()(
    ...(["id", "serviceId", "description", "type", "endpointId", "dnsNames", "status"] as const),
  ),

  routes({ store, vocabulary }: RouteContext): Route[] {
    const isProduct = vocabulary.dialect === "clickhouse";
    const show = (endpoint: ReversePrivateEndpoint) =>
      isProduct ? { ...absent, ...endpoint, customPrivateDnsMappings: [] } : endpoint;
    return [
      {
        operation: "listReversePrivateEndpoints",
        method: "GET",
        path: "",
        run: ({ service }) => store.ofService(reversePrivateEndpoints, service.id).map(show),
      },
    ];
  },
} as const satisfies Resource;
