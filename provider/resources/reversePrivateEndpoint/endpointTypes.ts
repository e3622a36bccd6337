import type { enums } from "../../api/enums.golden";
import { isObject, type PropertyMap } from "../../values/data";
import { isThereTwice, repeatedEntries } from "../../values/memberRules";
import type { Failure } from "../../values/validate";

/** The inputs that tell what each type of reverse private endpoint connects to. No other type has them. */
const membersOfType = {
  VPC_ENDPOINT_SERVICE: ["vpcEndpointServiceName"],
  VPC_RESOURCE: ["vpcResourceConfigurationId", "vpcResourceShareArn"],
  MSK_MULTI_VPC: ["mskClusterArn", "mskAuthentication"],
  GCP_PSC_SERVICE_ATTACHMENT: ["gcpServiceAttachment"],
} as const satisfies {
  readonly [type in (typeof enums.reversePrivateEndpointType)[number]]: readonly string[];
};

export type EndpointType = keyof typeof membersOfType;

type TargetMember = (typeof membersOfType)[EndpointType][number];

export const endpointTypes = Object.keys(membersOfType) as readonly EndpointType[];

/**
 * The inputs that determine the target of a reverse private endpoint; those of all types if a preview does not know the type.
 */
export function targetMembers(type: unknown): readonly TargetMember[] {
  const known = endpointTypes.filter((each) => each === type);
  return (known.length > 0 ? known : endpointTypes).flatMap((each) => membersOfType[each]);
}

export function endpointFailures(declared: PropertyMap): Failure[] {
  const { type } = declared;
  const mappings = mappingsIn(declared);
  if (!endpointTypes.some((each) => each === type)) return doubles(mappings);
  const own = targetMembers(type);
  const missing = own.filter((name) => declared[name] === undefined);
  const foreign = targetMembers(undefined).filter(
    (name) => !own.includes(name) && declared[name] !== undefined,
  );
  const targets = mappings.flatMap(({ targetId }, index) => (targetId === undefined ? [] : [index]));
  return [
    ...missing.map((name) => ({ path: name, message: `is missing: type ${type} needs it` })),
    ...foreign.map((name) => ({ path: name, message: `goes with type ${typeWith(name)}, not with ${type}` })),
    ...(type === "VPC_RESOURCE" ? [] : targets).map((index) => ({
      path: `customPrivateDnsMappings[${index}].targetId`,
      message: `goes with type VPC_RESOURCE, not with ${type}`,
    })),
    ...doubles(mappings),
  ];
}

const typeWith = (member: TargetMember) => endpointTypes.find((type) => targetMembers(type).includes(member));

/** The declared private DNS names that a preview knows. */
export function mappingsIn({ customPrivateDnsMappings }: PropertyMap): readonly PropertyMap[] {
  return Array.isArray(customPrivateDnsMappings) ? customPrivateDnsMappings.filter(isObject) : [];
}

/** A private DNS name in lower case, since case makes no difference to resolvers; undefined if a preview does not know it. */
export const dnsNameOf = ({ privateDnsName }: PropertyMap): string | undefined =>
  typeof privateDnsName === "string" ? privateDnsName.toLowerCase() : undefined;

/** The failures for private DNS names that are declared twice, since each must be unique within the service. */
function doubles(mappings: readonly PropertyMap[]): Failure[] {
  return repeatedEntries(mappings.map(dnsNameOf), (index) =>
    isThereTwice(`customPrivateDnsMappings[${index}].privateDnsName`, mappings[index]?.privateDnsName),
  );
}
