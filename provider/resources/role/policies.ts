import type { Settings } from "../../api/settingsSchema";
import { isObject, isSameId, type PropertyMap, pick } from "../../values/data";
import { type Failure, notText } from "../../values/validate";
import { isOfSystem } from "../access/roleCollection";

interface Policy {
  readonly allowDeny?: unknown;
  readonly permissions?: unknown;
  readonly resources?: unknown;
  readonly tags?: unknown;
}

const ofOrganization = "control-plane:organization:";

/** The policies of a role in an answer, without their ids, which change with each update. */
export function policiesIn({ policies }: PropertyMap): PropertyMap[] {
  if (!Array.isArray(policies)) return [];
  return policies.filter(isObject).map((policy) => {
    const { tags, ...content } = pick(policy, ["allowDeny", "permissions", "resources", "tags"]);
    const said = isObject(tags) ? pick(tags, ["grants", "roleV2"]) : {};
    const { grants } = said;
    const hasTags = said.roleV2 !== undefined || (Array.isArray(grants) && grants.length > 0);
    return hasTags ? { ...content, tags: said } : content;
  });
}

/**
 * Whether roles permit an action in the organization and service of the settings. A denial overrules permissions of other
 * roles. If a role shows no policies, the answer is only known for the system role `admin`, which permits everything.
 */
export function permits(
  roles: readonly PropertyMap[],
  permission: string,
  { organizationId, serviceId }: Pick<Settings, "organizationId" | "serviceId">,
): "yes" | "no" | "unknown" {
  const places = permission.startsWith(ofOrganization)
    ? [`organization/${organizationId}`]
    : ["instance/*", `instance/${serviceId}`];
  const isHere = ({ resources }: Policy) =>
    Array.isArray(resources) &&
    resources.some((resource) => places.some((place) => isSameId(resource, place)));
  const speaking = roles
    .flatMap((role): Policy[] => policiesIn(role))
    .filter(({ permissions }) => areAmong([permission], permissions));
  const [denies, allows] = ["DENY", "ALLOW"].map((word) =>
    speaking.filter(({ allowDeny }) => allowDeny === word),
  ) as [Policy[], Policy[]];
  if (denies.some(isHere)) return "no";
  if (allows.some(isHere) || roles.some((role) => isOfSystem(role) && role.name === "admin")) return "yes";
  const isHidden = (role: PropertyMap) =>
    isOfSystem(role) ? policiesIn(role).length === 0 : !Array.isArray(role.policies);
  // If the roles permit the action only for services other than the one in the settings, the answer is unknown, since the
  // Pulumi stack may use only those services.
  return allows.length > 0 || roles.some(isHidden) ? "unknown" : "no";
}

/** Whether a role's policies on the service are the sent ones, apart from permissions that the service adds. */
export function grants(live: readonly Policy[], sent: readonly Policy[]): boolean {
  const shows = (policy: Policy, other: Policy) =>
    policy.allowDeny === other.allowDeny &&
    areAmong(other.permissions, policy.permissions) &&
    areAmong(other.resources, policy.resources) &&
    areAmong(policy.resources, other.resources) &&
    areAmong(grantsIn(other), grantsIn(policy)) &&
    roleV2In(policy) === roleV2In(other);
  return live.length === sent.length && sent.every((other) => live.some((policy) => shows(policy, other)));
}

const grantsIn = ({ tags }: Policy) => (isObject(tags) ? (tags.grants ?? []) : []);
const roleV2In = ({ tags }: Policy) => (isObject(tags) ? (tags.roleV2 ?? undefined) : undefined);

function areAmong(some: unknown, all: unknown): boolean {
  return Array.isArray(some) && Array.isArray(all) && some.every((entry) => all.includes(entry));
}

/**
 * The failures for policies of a role whose properties contradict each other.
 *
 * @param organizationId the id of the role's organization; undefined if a preview does not know it yet
 */
export function roleFailures(policies: unknown, organizationId: string | undefined): Failure[] {
  if (!Array.isArray(policies)) return [];
  return policies.flatMap((policy: Policy | null, index) =>
    isObject(policy) ? policyFailures(policy, `policies[${index}]`, organizationId) : [],
  );
}

/** The texts in a list of permissions or resources that a preview knows, with their positions. */
const textsOf = (list: unknown): [number, string][] =>
  (Array.isArray(list) ? [...list.entries()] : []).filter(
    (entry): entry is [number, string] => typeof entry[1] === "string",
  );

function policyFailures(
  { permissions, resources }: Policy,
  path: string,
  organizationId: string | undefined,
): Failure[] {
  const named = textsOf(permissions);
  const [[, first] = [0, ""]] = named;
  const isOrganizations = first.startsWith(ofOrganization);
  const other = named.find(([, permission]) => permission.startsWith(ofOrganization) !== isOrganizations);
  if (other)
    return [
      {
        path: `${path}.permissions[${other[0]}]`,
        message:
          "does not have the scope of the first permission: a policy is either about the organization or about services; declare two policies",
        ...notText(other[1]),
      },
    ];
  if (named.length === 0) return [];
  return textsOf(resources).flatMap(([at, resource]): Failure[] => {
    const rule = isOrganizations ? organizationRule(resource, organizationId) : serviceRule(resource);
    return rule === undefined
      ? []
      : [{ path: `${path}.resources[${at}]`, message: rule, ...notText(resource) }];
  });
}

function organizationRule(resource: string, organizationId: string | undefined): string | undefined {
  const [, id] = /^organization\/([0-9a-f-]{36})$/i.exec(resource) ?? [];
  if (id !== undefined && (organizationId === undefined || isSameId(id, organizationId))) return undefined;
  return "must be organization/<id> with the id of the organization, since the permissions of the policy are about it";
}

function serviceRule(resource: string): string | undefined {
  if (!resource.startsWith("organization/")) return undefined;
  return "must be instance/<id> with the id of a service, or instance/* for all, since the permissions of the policy are about services";
}
