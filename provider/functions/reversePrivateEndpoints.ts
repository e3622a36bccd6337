import { scopeOf } from "../lifecycle/scope";
import { endpointTypes } from "../resources/reversePrivateEndpoint/endpointTypes";
import { openSetOf } from "../values/schema";
import { type TArray, Type } from "../values/schemaBuilders";
import type { FunctionDefinition, ResultOf } from "./definition";
import { nullable } from "./nullable";
import { serviceArguments } from "./serviceArguments";

const reversePrivateEndpointSchema = Type.Object({
  /** Id of the endpoint (uuid). */
  id: Type.String(),
  /** Service that the endpoint belongs to (uuid). */
  serviceId: Type.Optional(Type.String()),
  /** The purpose of the endpoint. */
  description: Type.Optional(Type.String()),
  /** Kind of connection. */
  type: Type.Optional(openSetOf(endpointTypes)),
  /** Name of the VPC endpoint service that it connects to. */
  vpcEndpointServiceName: nullable(Type.String()),
  /** Id of the VPC resource configuration that it connects to. */
  vpcResourceConfigurationId: nullable(Type.String()),
  /** Resource share by which that configuration is shared. */
  vpcResourceShareArn: nullable(Type.String()),
  /** Managed Kafka cluster that it connects to. */
  mskClusterArn: nullable(Type.String()),
  /** How it authenticates to that cluster, in the service's words. */
  mskAuthentication: nullable(openSetOf(["SASL_IAM", "SASL_SCRAM"])),
  /** Service attachment of Google Private Service Connect that it connects to. */
  gcpServiceAttachment: nullable(Type.String()),
  /** Private names that the user gave to the other side. */
  customPrivateDnsMappings: Type.Optional(
    Type.Array(
      Type.Object({
        /** A name, or one with a wildcard in front, such as `*.example.com`. */
        privateDnsName: Type.Optional(Type.String()),
        /** Which of `dnsTargets` the name leads to, by its id. */
        targetId: Type.Optional(Type.String()),
      }),
    ),
  ),
  /** Id of the endpoint at the cloud provider. */
  endpointId: Type.Optional(Type.String()),
  /** DNS names by which the service reaches the other side. */
  dnsNames: Type.Optional(Type.Array(Type.String())),
  /** Private names by which the service reaches the other side. */
  privateDnsNames: Type.Optional(Type.Array(Type.String())),
  /** The private names of the user, with the name inside of the service to which each leads. */
  privateDnsMappings: Type.Optional(
    Type.Array(
      Type.Object({
        /** The private name. */
        privateDnsName: Type.Optional(Type.String()),
        /** The name inside of the service. */
        internalDnsName: Type.Optional(Type.String()),
      }),
    ),
  ),
  /** What a private name may lead to, of a VPC resource. */
  dnsTargets: Type.Optional(
    Type.Array(
      Type.Object({
        /** Id of the target. */
        id: Type.Optional(Type.String()),
        /** Name of the target inside of the service. */
        internalDnsName: Type.Optional(Type.String()),
        /** What the target is. */
        kind: Type.Optional(openSetOf(["RESOURCE_CONFIGURATION"])),
      }),
    ),
  ),
  /** Status of the connection; `Ready` when it can be used. */
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
