import type { Settings } from "../../api/settingsSchema";
import { type Data, isObject, isSameId, pick } from "../../values/data";
import { type Failure, notText } from "../../values/validate";

/** A policy as a program declares it. */
interface Policy {
  readonly allowDeny?: unknown;
  readonly permissions?: unknown;
  readonly resources?: unknown;
  readonly tags?: unknown;
}

const ofOrganization = "control-plane:organization:";

/** Whether a role is one of the system. */
export function isOfSystem({ type }: Data): boolean {
  return type === "system";
}

/** The actors of a role, as the service shows it: `user/<id>` and `apiKey/<id>`. */
export function actorsIn({ actors }: Data): readonly string[] {
  return Array.isArray(actors) ? actors.filter((actor) => typeof actor === "string") : [];
}

export function isSameActor(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** The policies of a role by their content: their ids are others after each change. */
export function policiesIn({ policies }: Data): Data[] {
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
 * Whether roles permit something in the organization and the service of the settings. What one denies, no other allows. Of a role of
 * the system that shows no policies only that of admins is known: it may do all.
 */
export function permits(
  roles: readonly Data[],
  permission: string,
  { organizationId, serviceId }: Settings,
): "yes" | "no" | "unknown" {
  if (roles.some((role) => isOfSystem(role) && role.name === "admin")) return "yes";
  const places = permission.startsWith(ofOrganization)
    ? [`organization/${organizationId}`]
    : ["instance/*", `instance/${serviceId}`];
  const isMeant = ({ permissions, resources }: Policy) =>
    areAmong([permission], permissions) &&
    Array.isArray(resources) &&
    resources.some((resource) => places.some((place) => isSameId(resource, place)));
  const speaking = roles.flatMap((role): Policy[] => policiesIn(role)).filter(isMeant);
  if (speaking.some(({ allowDeny }) => allowDeny === "DENY")) return "no";
  if (speaking.length > 0) return "yes";
  return roles.some((role) => isOfSystem(role) && policiesIn(role).length === 0) ? "unknown" : "no";
}

/** Whether policies of a role are those of a request, to which the service may have added permissions. */
export function grants(live: readonly Policy[], sent: readonly Policy[]): boolean {
  const covers = (policy: Policy, other: Policy) =>
    policy.allowDeny === other.allowDeny &&
    areAmong(other.permissions, policy.permissions) &&
    areAmong(other.resources, policy.resources) &&
    areAmong(policy.resources, other.resources);
  return live.length === sent.length && sent.every((other) => live.some((policy) => covers(policy, other)));
}

function areAmong(some: unknown, all: unknown): boolean {
  return Array.isArray(some) && Array.isArray(all) && some.every((entry) => all.includes(entry));
}

/** The violations of rules across the members of policies. */
export function roleFailures(policies: unknown, settings: Settings): Failure[] {
  if (!Array.isArray(policies)) return [];
  return policies.flatMap((policy: Policy | null, index) =>
    isObject(policy) ? policyFailures(policy, `policies[${index}]`, settings) : [],
  );
}

/** The texts of a list, with their places; others are not known yet. */
const textsOf = (list: unknown): [number, string][] =>
  (Array.isArray(list) ? [...list.entries()] : []).filter(
    (entry): entry is [number, string] => typeof entry[1] === "string",
  );

function policyFailures(
  { permissions, resources }: Policy,
  path: string,
  { organizationId }: Settings,
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
          "is not of the same scope as the first one: a policy is about the organization or about services; declare two policies",
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
