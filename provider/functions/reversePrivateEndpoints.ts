import type { FunctionDefinition, ResultOf } from "../lifecycle/function";
import { scopeOf } from "../lifecycle/scope";
import { type TArray, Type } from "../typebox";
import { serviceArguments } from "./serviceArguments";

const reversePrivateEndpointSchema = Type.Object({
  /** Id of the endpoint (uuid). */
  id: Type.String(),
  /** Service that the endpoint belongs to (uuid). */
  serviceId: Type.Optional(Type.String()),
  /** What the endpoint is for. */
  description: Type.Optional(Type.String()),
  /** Kind of connection. */
  type: Type.Optional(Type.String()),
  /** Name of the VPC endpoint service that it connects to. */
  vpcEndpointServiceName: Type.Optional(Type.String()),
  /** Id of the VPC resource configuration that it connects to. */
  vpcResourceConfigurationId: Type.Optional(Type.String()),
  /** Resource share by which that configuration is shared. */
  vpcResourceShareArn: Type.Optional(Type.String()),
  /** Managed Kafka cluster that it connects to. */
  mskClusterArn: Type.Optional(Type.String()),
  /** How it authenticates to that cluster, in the service's words. */
  mskAuthentication: Type.Optional(Type.String()),
  /** Id of the endpoint at the cloud provider. */
  endpointId: Type.Optional(Type.String()),
  /** DNS names by which the service reaches the other side. */
  dnsNames: Type.Optional(Type.Array(Type.String())),
  /** Private names by which the service reaches the other side. */
  privateDnsNames: Type.Optional(Type.Array(Type.String())),
  /** Status of the connection; `Ready` when it can be used. */
  status: Type.Optional(Type.String()),
});

/** A private connection from the service to a broker or database of the user (API document: "Reverse private endpoint"). */
export interface ReversePrivateEndpoint extends ResultOf<typeof reversePrivateEndpointSchema> {}

export const getReversePrivateEndpoints: FunctionDefinition<
  typeof serviceArguments,
  TArray<typeof reversePrivateEndpointSchema>
> = {
  name: "getReversePrivateEndpoints",
  arguments: serviceArguments,
  result: Type.Array(reversePrivateEndpointSchema),
  run: (args, session) => session.list("listReversePrivateEndpoints", scopeOf("service", args, session)),
};
