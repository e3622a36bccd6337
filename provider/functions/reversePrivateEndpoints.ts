import { scopeOf } from "../lifecycle/scope";
import { endpointTypes } from "../resources/reversePrivateEndpoint/endpointTypes";
import { openSetOf } from "../values/schema";
import { type TArray, Type } from "../values/schemaBuilders";
import type { FunctionDefinition, ResultOf } from "./definition";
import { nullable } from "./nullable";
import { serviceArguments } from "./serviceArguments";

const reversePrivateEndpointSchema = Type.Object({
  /** Id of the reverse private endpoint (uuid). */
  id: Type.String(),
  /** Id of the service that the reverse private endpoint belongs to (uuid). */
  serviceId: Type.Optional(Type.String()),
  /** Description of the reverse private endpoint's purpose. */
  description: Type.Optional(Type.String()),
  /** Kind of target that the reverse private endpoint connects to, such as `VPC_ENDPOINT_SERVICE`. */
  type: Type.Optional(openSetOf(endpointTypes)),
  /** Name of the VPC endpoint service that the reverse private endpoint connects to. */
  vpcEndpointServiceName: nullable(Type.String()),
  /** Id of the VPC resource configuration that the reverse private endpoint connects to. */
  vpcResourceConfigurationId: nullable(Type.String()),
  /** Resource share by which the VPC resource configuration is shared. */
  vpcResourceShareArn: nullable(Type.String()),
  /** Managed Kafka cluster (MSK) that the reverse private endpoint connects to. */
  mskClusterArn: nullable(Type.String()),
  /** How the reverse private endpoint authenticates to the managed Kafka cluster (MSK), such as `SASL_IAM`. */
  mskAuthentication: nullable(openSetOf(["SASL_IAM", "SASL_SCRAM"])),
  /** Service attachment of Google Private Service Connect that the reverse private endpoint connects to. */
  gcpServiceAttachment: nullable(Type.String()),
  /** Private DNS names that the user gave to the broker or database behind the reverse private endpoint. */
  customPrivateDnsMappings: Type.Optional(
    Type.Array(
      Type.Object({
        /** A private DNS name, or one with a wildcard in front, such as `*.example.com`. */
        privateDnsName: Type.Optional(Type.String()),
        /** Id of the entry in `dnsTargets` to which the private DNS name leads. */
        targetId: Type.Optional(Type.String()),
      }),
    ),
  ),
  /** Id of the reverse private endpoint at the cloud provider. */
  endpointId: Type.Optional(Type.String()),
  /** DNS names by which the service reaches the broker or database behind the reverse private endpoint. */
  dnsNames: Type.Optional(Type.Array(Type.String())),
  /** Private DNS names by which the service reaches the broker or database behind the reverse private endpoint. */
  privateDnsNames: Type.Optional(Type.Array(Type.String())),
  /** Private DNS names that the user declared, each with the name inside of the service to which it leads. */
  privateDnsMappings: Type.Optional(
    Type.Array(
      Type.Object({
        /** Private DNS name that the user declared for the broker or database. */
        privateDnsName: Type.Optional(Type.String()),
        /** The name inside of the service to which the private DNS name leads. */
        internalDnsName: Type.Optional(Type.String()),
      }),
    ),
  ),
  /** The targets within the VPC resource to which private DNS names may lead. */
  dnsTargets: Type.Optional(
    Type.Array(
      Type.Object({
        /** Id of the target within the VPC resource. */
        id: Type.Optional(Type.String()),
        /** Internal DNS name, within the service, of the target within the VPC resource. */
        internalDnsName: Type.Optional(Type.String()),
        /** Kind of the target within the VPC resource. */
        kind: Type.Optional(openSetOf(["RESOURCE_CONFIGURATION"])),
      }),
    ),
  ),
  /** Status of the reverse private endpoint; `Ready` when it can be used. */
  status: Type.Optional(
    openSetOf([
      ...(["Unknown", "Provisioning", "Deleting", "Ready", "Failed"] as const),
      ...(["PendingAcceptance", "Rejected", "Expired"] as const),
    ]),
  ),
});

/**
 * A private connection from the service to a broker or database of the user.
 * @see "Reverse private endpoint" in the API document
 */
export interface ReversePrivateEndpointSummary extends ResultOf<typeof reversePrivateEndpointSchema> {}

export const getReversePrivateEndpoints: FunctionDefinition<
  typeof serviceArguments,
  TArray<typeof reversePrivateEndpointSchema>
> = {
  name: "getReversePrivateEndpoints",
  arguments: serviceArguments,
  result: Type.Array(reversePrivateEndpointSchema),
  run: (args, session) =>
    session.lists.read("listReversePrivateEndpoints", scopeOf("service", args, session)),
};
