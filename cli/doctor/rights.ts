import { dialects } from "../../provider/api/dialect";
import { ApiError } from "../../provider/api/errors";
import type { Operation } from "../../provider/api/operation";
import { type OperationName, operationOn } from "../../provider/api/operations";
import { accessTo } from "../../provider/api/responses";
import { declarableOfToken } from "../../provider/engine/names";
import { operationsOf } from "../../provider/lifecycle/resource";
import type { Session } from "../../provider/lifecycle/session";
import { isSigningKey } from "../../provider/resources/access/signingActor";
import { type DeclarableName, declarable } from "../../provider/resources/registry";
import { permits } from "../../provider/resources/role/policies";
import { idText, isSameId, type PropertyMap } from "../../provider/values/data";
import type { StateResource } from "../engine/stack";

/** A permission that the stack's resources need, and whether the key's roles give it. */
export interface Right {
  readonly permission: string;
  readonly neededFor: readonly string[];
  readonly isGiven: "yes" | "no" | "unknown";
}

export interface Rights {
  /** The names of the key's roles; null if they cannot be read. */
  readonly roles: readonly string[] | null;
  readonly permissions: readonly Right[];
  /** The reason why it is unknown what the key may do. */
  readonly problem?: string;
}

export function typesIn(resources: readonly StateResource[]): readonly DeclarableName[] {
  const types = resources.flatMap(({ type }) => declarableOfToken(type) ?? []);
  return (Object.keys(declarable) as DeclarableName[]).filter((type) => types.includes(type));
}

/** The permissions for all operations on objects of the given resource types, by name, with the types that need each. */
export function permissionsFor(
  types: readonly DeclarableName[],
  session: Session,
): ReadonlyMap<string, readonly string[]> {
  const { permissionPrefix = "" } = dialects[session.settings.dialect];
  const needed = new Map<string, readonly string[]>();
  for (const type of types)
    for (const name of operationsOf(declarable[type])) {
      const { api, permissions = [] }: Operation = operationOn(session.observabilityVia, name);
      if (api !== "management") continue;
      for (const permission of permissions) {
        const key = permissionPrefix + permission;
        needed.set(key, [...new Set([...(needed.get(key) ?? []), type])]);
      }
    }
  return new Map([...needed].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The error for a list (of keys or roles) that cannot be read, so that it shows nothing about the key's rights. */
class NotReadable extends Error {}

async function listed(name: "listKeys" | "listRoles", session: Session): Promise<readonly PropertyMap[]> {
  const { organizationId, serviceId } = session.settings;
  try {
    // All lists of `pipestack doctor` are requested with the same ids of organization and service, so that the session fetches
    // each list only once.
    return await session.lists.read(name, { organizationId, serviceId }, { isWhole: true });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const operation: Operation = operationOn(session.observabilityVia, name as OperationName);
    const lack =
      error.site.status === 403 ? accessTo(operation, dialects[session.settings.dialect]) : undefined;
    throw new NotReadable(lack ? `to tell, the key needs ${lack}` : error.message);
  }
}

/** The roles of the key that signs the requests, with their policies. */
async function rolesOfKey(session: Session): Promise<readonly PropertyMap[]> {
  const keys = (await listed("listKeys", session)).filter((key) => isSigningKey(key, session.settings.keyId));
  const [key] = keys;
  if (!key)
    throw new NotReadable(
      "the list of keys does not show the key that signs the requests: none has its last characters",
    );
  if (keys.length > 1)
    throw new NotReadable(
      "the list of keys does not show which key signs the requests: several have its last characters",
    );
  if (!Array.isArray(key.assignedRoles))
    throw new NotReadable(`the list of keys does not show the roles of key ${idText(key.id)}`);
  const roles = await listed("listRoles", session);
  // The list of roles may hide a role that the key has, so the name and type of such a role come from the list of keys.
  const asAssigned = (role: PropertyMap | null): PropertyMap => ({
    id: role?.roleId,
    name: role?.roleName,
    type: role?.roleType,
  });
  return (key.assignedRoles as (PropertyMap | null)[]).map(
    (assigned) => roles.find(({ id }) => isSameId(id, assigned?.roleId)) ?? asAssigned(assigned),
  );
}

/** Compares the rights that the key has by its roles with those that objects of the given types need. */
export async function examineRights(types: readonly DeclarableName[], session: Session): Promise<Rights> {
  const needed = permissionsFor(types, session);
  try {
    const roles = await rolesOfKey(session);
    const permissions = [...needed].map(([permission, neededFor]) => ({
      permission,
      neededFor,
      isGiven: permits(roles, permission, session.settings),
    }));
    return { roles: roles.map(({ id, name }) => String(name ?? id)), permissions };
  } catch (error) {
    if (!(error instanceof NotReadable)) throw error;
    const permissions = [...needed].map(
      ([permission, neededFor]): Right => ({ permission, neededFor, isGiven: "unknown" }),
    );
    return { roles: null, permissions, problem: error.message };
  }
}
