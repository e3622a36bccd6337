import { enums } from "../api/enums.golden";
import { scopeOf } from "../lifecycle/scope";
import {
  reversePrivateEndpointInputs as inputs,
  reversePrivateEndpointOutputs as outputs,
} from "../resources/reversePrivateEndpoint/reversePrivateEndpoint";
import { openSetOf } from "../values/schema";
import { type TArray, Type } from "../values/schemaBuilders";
import { type Loose, looseMembers } from "./answered";
import type { FunctionDefinition, ResultOf } from "./definition";
import { serviceArguments } from "./listing";

const ownMembers = Type.Object({
  /** Id of the reverse private endpoint (uuid). */
  id: Type.String(),
  /** Id of the service that the reverse private endpoint belongs to (uuid). */
  serviceId: Type.Optional(Type.String()),
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
  /** Status of the reverse private endpoint; `Ready` when it can be used. */
  status: Type.Optional(openSetOf(enums.reversePrivateEndpointStatus)),
});

const nulls = [
  ...(["vpcEndpointServiceName", "vpcResourceConfigurationId", "vpcResourceShareArn"] as const),
  ...(["mskClusterArn", "mskAuthentication", "gcpServiceAttachment"] as const),
] as const;

/**
 * A private connection from the service to a broker or database of the user.
 * @see "Reverse private endpoint" in the API document
 */
export interface ReversePrivateEndpointSummary
  extends ResultOf<typeof ownMembers>,
    Loose<typeof inputs, (typeof nulls)[number]>,
    Omit<Loose<typeof outputs>, "status"> {}

const reversePrivateEndpointSchema = Type.Unsafe<ReversePrivateEndpointSummary>(
  Type.Object({ ...looseMembers(inputs, nulls), ...looseMembers(outputs), ...ownMembers.properties }),
);

/**
 * The reverse private endpoints of a service.
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 * @example
 * ```typescript
 * const endpoints = pipestack.getReversePrivateEndpoints();
 * export const ready = endpoints.then((all) => all.filter(({ status }) => status === "Ready").map(({ dnsNames }) => dnsNames));
 * ```
 * @see "Reverse private endpoint" in the API document
 */
export const getReversePrivateEndpoints: FunctionDefinition<
  typeof serviceArguments,
  TArray<typeof reversePrivateEndpointSchema>
> = {
  name: "getReversePrivateEndpoints",
  arguments: serviceArguments,
  result: Type.Array(reversePrivateEndpointSchema),
  run: (args, session) =>
    session.lists.read("listReversePrivateEndpoints", scopeOf("service", args, session)) as Promise<
      ReversePrivateEndpointSummary[]
    >,
};
