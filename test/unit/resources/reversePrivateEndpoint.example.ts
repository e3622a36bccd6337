import type { ReversePrivateEndpoint, Sandbox } from "../../../sandbox/index";
import { type Example, type JsonObject, placed } from "./example";

const database = {
  description: "orders database",
  type: "VPC_ENDPOINT_SERVICE",
  vpcEndpointServiceName: "com.amazonaws.vpce.eu-central-1.vpce-svc-0a9b8c7d6e5f41320",
};
const named = { ...database, customPrivateDnsMappings: [{ privateDnsName: "orders.example.com" }] };

const wholes: { readonly [title: string]: JsonObject } = {
  "to a VPC endpoint service": {
    ...database,
    customPrivateDnsMappings: [{ privateDnsName: "*.b.example.com" }, { privateDnsName: "a.example.com" }],
  },
  "to a VPC resource": {
    description: "lake",
    type: "VPC_RESOURCE",
    vpcResourceConfigurationId: "rcfg-0a1b2c3d4e5f60718",
    vpcResourceShareArn: "arn:aws:ram:eu-central-1:000000000000:resource-share/lake",
    customPrivateDnsMappings: [{ privateDnsName: "lake.example.com", targetId: "rcfg-0a1b2c3d4e5f60718" }],
  },
  "to a cluster": {
    description: "brokers",
    type: "MSK_MULTI_VPC",
    mskClusterArn: "arn:aws:kafka:eu-central-1:000000000000:cluster/brokers/1",
    mskAuthentication: "SASL_SCRAM",
  },
  "to a service attachment": {
    description: "warehouse",
    type: "GCP_PSC_SERVICE_ATTACHMENT",
    gcpServiceAttachment: "projects/shop/regions/europe-west4/serviceAttachments/warehouse",
  },
};

const home = "4a8e1f73-d5b2-4c90-8f16-e3b7a9c2d058";

export const reversePrivateEndpointExample: Example = {
  valid: placed("5b0e9d8c-7f6a-4b5c-8d9e-0f1a2b3c4d5f", {
    ...wholes["to a VPC resource"],
    ...{ awaitReady: true, waitMinutes: 45 },
  }),
  wholes,
  equivalents: {
    "to a VPC endpoint service": {
      customPrivateDnsMappings: [{ privateDnsName: "a.example.com" }, { privateDnsName: "*.b.example.com" }],
    },
  },
  programs: () => [named, { ...named, customPrivateDnsMappings: [{ privateDnsName: "shop.example.com" }] }],
  isUpdatedInParts: true,
  find: ({ store }, id) => store.reversePrivateEndpoints.get(id),
  made: ["endpointId", "dnsNames"],
  home,
  creatable: {
    id: "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbb11",
    add: ({ sandbox }, id) => addEndpoint(sandbox, { id, description: "by hand" }),
  },
};

export function addEndpoint({ store, credentials }: Sandbox, changed: Partial<ReversePrivateEndpoint>): void {
  const { serviceId } = credentials;
  const addresses = {
    endpointId: "vpce-0byhand",
    dnsNames: ["vpce-0byhand.example.com"],
    privateDnsNames: [],
  };
  const record = { id: "", serviceId, ...database, ...addresses, status: "Ready", ...changed };
  store.reversePrivateEndpoints.set(record.id, record);
}
