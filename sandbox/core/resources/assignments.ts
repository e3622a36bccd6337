import { badRequest } from "../apiError";
import type { Records } from "../records";
import { keys, rolesOfKey } from "./keys";
import { members } from "./members";
import { assigned, type Role, roleRecords } from "./roleRecords";

/**
 * Lists the actors of a role: `apiKey/<id>` and `user/<id>`. The records of keys and members hold which roles each has, so this
 * function searches them for the role.
 */
export function actorsOf(store: Records, { id }: Role): string[] {
  const ofKeys = [...store.of(keys).values()].filter((key) =>
    rolesOfKey(store, key).some((role) => role.id === id),
  );
  const ofMembers = [...store.of(members).values()].filter(({ roleIds }) => roleIds.includes(id));
  return [...ofMembers.map((member) => `user/${member.id}`), ...ofKeys.map((key) => `apiKey/${key.id}`)];
}

/**
 * Checks that the actors of a role (keys and users) exist in the organization.
 *
 * @throws ApiError for an actor that does not
 */
export function checkActors(store: Records, actors: readonly string[]): void {
  for (const actor of actors) {
    const [, kind, id = ""] = /^(user|apiKey)\/(.+)$/.exec(actor) ?? [];
    const exists = kind === "user" ? store.of(members).has(id) : kind === "apiKey" && store.of(keys).has(id);
    if (!exists) throw badRequest(`Invalid actor ${actor}`);
  }
}

/** Gives a role to these keys and users, and takes the role from all other keys and users. */
export function setActors(store: Records, role: Role, actors: readonly string[]): void {
  const wanted = new Set(actors);
  for (const key of store.of(keys).values()) {
    const held = rolesOfKey(store, key);
    const others = held.filter(({ id }) => id !== role.id);
    const shall = wanted.has(`apiKey/${key.id}`);
    if (shall === others.length < held.length) continue;
    const assignedRoles = (shall ? [...held, role] : others).map(assigned);
    store.write(keys, { ...key, assignedRoles });
  }
  for (const member of store.of(members).values()) {
    const has = member.roleIds.includes(role.id);
    const shall = wanted.has(`user/${member.id}`);
    if (shall === has) continue;
    const others = member.roleIds.filter((id) => id !== role.id);
    store.write(members, { ...member, roleIds: shall ? [...others, role.id] : others });
  }
}

export function dropRole(store: Records, role: Role): void {
  setActors(store, role, []);
}

/**
 * Whether the roles of an API key permit an action, which the permission's name in the API documents of ClickHouse Cloud
 * denotes.
 * @param serviceId the service that the action is about
 */
export function permits(store: Records, keyId: string, permission: string, serviceId?: string): boolean {
  const key = store.of(keys).get(keyId);
  const held = key ? rolesOfKey(store, key) : [];
  if (held.some(({ type, name }) => type === "system" && name === "admin")) return true;
  const reads = /:view\b/.test(permission);
  if (reads && held.some(({ type, name }) => type === "system" && name === "developer")) return true;
  const places = permission.startsWith("control-plane:organization:")
    ? [`organization/${store.organization.id}`]
    : // If the action is about no service in particular, permission for any service is enough.
      ["instance/*", ...(serviceId === undefined ? [] : [`instance/${serviceId}`])];
  const speaking = held
    .flatMap(({ id }) => store.of(roleRecords).get(id)?.policies ?? [])
    .filter(
      ({ permissions, resources }) =>
        permissions.includes(permission) && resources.some((resource) => places.includes(resource)),
    );
  return speaking.length > 0 && speaking.every(({ allowDeny }) => allowDeny === "ALLOW");
}
