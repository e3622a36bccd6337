import { idsIn } from "../../lifecycle/delete";
import { isSingleton, resourceKey } from "../../lifecycle/resource";
import type { Session } from "../../lifecycle/session";
import { isSigningKey } from "../../resources/apiKey/apiKey";
import { usersOf } from "../../resources/references";
import { resources, type TypeName, typeNames } from "../../resources/registry";
import { isSameId } from "../../values/data";
import { plural } from "../../values/wording";
import type { ListedObject, Listing } from "./listObjects";
import type { Holdings } from "./states";

/** An object of the service that no given state holds. */
export interface Orphan {
  readonly type: TypeName;
  readonly id: string;
  readonly name: string | null;
  /** When it was made (ISO 8601); null where the API does not say. */
  readonly createdAt: string | null;
  /** When a key was last used, likewise. */
  readonly usedAt: string | null;
  /** Why it is not to be deleted; null if it may be. */
  readonly kept: string | null;
}

/**
 * The objects that no state holds. The keys that sign the requests of this session and of the given stacks are none of
 * them.
 *
 * @param listing all that the service lists
 * @param types the types to report
 */
export function findOrphans(
  listing: Listing,
  types: readonly TypeName[],
  holdings: Holdings,
  session: Session,
): Orphan[] {
  const { objects, elsewhere } = listing;
  const unseen = new Map([...listing.unseen, ...lostBy(listing, holdings, session)]);
  const signing = signingKeys(objects, holdings, session);
  const usersOfObject = usersAmong([...objects, ...elsewhere]);
  const reasons = new Map(elsewhere.map((user) => [resourceKey(user, user.id), "it is on another service"]));
  const isKept = (type: TypeName, id: string) =>
    !types.includes(type) || holdings.holds(type, id) || reasons.has(resourceKey({ type }, id));
  const reasonToKeep = ({ type, id }: ListedObject): string | undefined => {
    const doubt = type === "ApiKey" ? signing.doubtAbout(id) : undefined;
    if (doubt !== undefined) return doubt;
    const set = holdings.unknownEntries.get(type);
    if (set !== undefined) return `cannot tell which ${plural(resources[type].noun)} ${set}`;
    // Everything in a service refers to its id, which a singleton has too.
    const holder = isSingleton(resources[type]) ? undefined : holdings.userOf(id);
    if (holder !== undefined) return `${holder} refers to it`;
    // The service deletes the alerts of a dashboard with it; of anything else, those that use it would no longer work.
    const user = usersOfObject(type, id).find((candidate) => isKept(candidate.type, candidate.id));
    if (user) {
      const title = `${resources[user.type].noun} ${user.id}`;
      return type === "Dashboard" ? `its ${title} stays` : `${title} uses it and stays`;
    }
    // Objects that cannot be seen may use it, whoever owns them.
    const hidden = usersOf(type).find((userType) => unseen.has(userType));
    return hidden && `cannot tell which ${plural(resources[hidden].noun)} use it: ${unseen.get(hidden)}`;
  };
  const orphans = objects.filter(
    ({ type, id }) => !holdings.holds(type, id) && !(type === "ApiKey" && signing.keyIds.has(id)),
  );
  // A kept object keeps those that it uses, which may be of its own type and stand before it.
  for (let before = -1; reasons.size > before; ) {
    before = reasons.size;
    for (const object of orphans) {
      const key = resourceKey(object, object.id);
      const reason = reasons.has(key) ? undefined : reasonToKeep(object);
      if (reason !== undefined) reasons.set(key, reason);
    }
  }
  return orphans
    .filter(({ type }) => types.includes(type))
    .map(({ type, id, answer }) => ({
      type,
      id,
      name: textOf(answer.name),
      createdAt: textOf(answer.createdAt),
      usedAt: textOf(answer.usedAt),
      kept: reasons.get(resourceKey({ type }, id)) ?? null,
    }));
}

/** Types of which the states hold objects that the service does not show: it may hide others, too. */
function lostBy(
  { objects, elsewhere, services }: Listing,
  { placed }: Holdings,
  { settings }: Session,
): [TypeName, string][] {
  const keys = new Set([...objects, ...elsewhere].map((object) => resourceKey(object, object.id)));
  return placed
    .filter(({ organizationId = settings.organizationId }) =>
      isSameId(organizationId, settings.organizationId),
    )
    .flatMap(({ type, id, name, serviceId }): [TypeName, string][] => {
      if (!services.some((service) => isSameId(service, serviceId)))
        return usersOf("ApiKey").map((user) => [
          user,
          `service ${serviceId} of ${name} is not among those of the organization`,
        ]);
      if (keys.has(resourceKey({ type }, id))) return [];
      return [[type, `the service does not show the object of ${name}; run "pulumi refresh"`]];
    });
}

export function usersAmong(
  objects: readonly ListedObject[],
): (type: TypeName, id: string) => readonly ListedObject[] {
  const users = new Map<string, ListedObject[]>();
  for (const type of typeNames)
    for (const { definition, members } of resources[type].users?.() ?? [])
      for (const object of objects.filter((candidate) => candidate.type === definition.type))
        for (const id of new Set(idsIn(object.answer, members).map(String))) {
          const key = resourceKey({ type }, id);
          users.set(key, users.get(key) ?? []);
          users.get(key)?.push(object);
        }
  return (type, id) => (users.get(resourceKey({ type }, id)) ?? []).filter((user) => user.id !== id);
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** The keys that sign requests. The list shows only the last characters of a `keyId`, which several keys may share. */
function signingKeys(
  objects: readonly ListedObject[],
  { signers, unknownSigners }: Holdings,
  { settings }: Session,
) {
  const keysOf = (keyId: string | undefined) =>
    objects
      .filter(({ type, answer }) => type === "ApiKey" && isSigningKey(answer, keyId))
      .map(({ id }) => id);
  const matching = [...new Set([settings.keyId, ...signers])].map(keysOf);
  const doubtful = matching.filter(({ length }) => length > 1).flat();
  const isOwnSeen = keysOf(settings.keyId).length > 0;
  return {
    keyIds: new Set(matching.filter(({ length }) => length === 1).flat()),
    doubtAbout(id: string): string | undefined {
      if (doubtful.includes(id)) return "it may be a key that signs requests (same suffix)";
      if (!isOwnSeen) return "cannot tell which key signs the requests";
      const [unknown] = unknownSigners;
      return unknown && `cannot tell with which key ${unknown}`;
    },
  };
}
