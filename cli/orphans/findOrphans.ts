import { isSingleton } from "../../provider/lifecycle/definition";
import { idsIn } from "../../provider/lifecycle/delete";
import { resourceKey } from "../../provider/lifecycle/run";
import { isWithoutScope } from "../../provider/lifecycle/scope";
import type { Session } from "../../provider/lifecycle/session";
import { isSigningKey } from "../../provider/resources/access/signingActor";
import { resources, type TypeName, typeNames } from "../../provider/resources/registry";
import { isSameId } from "../../provider/values/data";
import { plural } from "../../provider/values/wording";
import { hidesChart } from "./charts";
import type { ListedObject, Listing } from "./listObjects";
import type { Holdings } from "./states";
import { isInCharts, usersOf } from "./users";

/** An orphan: an object of the service that is in no given Pulumi state. */
export interface Orphan {
  readonly type: TypeName;
  readonly id: string;
  readonly name: string | null;
  /** The time of the object's creation (ISO 8601); null if the API does not return it. */
  readonly createdAt: string | null;
  /** The time at which an API key was last used (ISO 8601); null if it is unknown. */
  readonly usedAt: string | null;
  /** The reason why the orphan must not be deleted; null if it may be. */
  readonly kept: string | null;
}

/** Finds the objects in no given Pulumi state, except API keys that sign requests of this command or of the stacks. */
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
  const withHiddenChart = objects.find(hidesChart);
  const reasons = new Map(elsewhere.map((user) => [resourceKey(user, user.id), "it is on another service"]));
  const isKept = (type: TypeName, id: string) =>
    !types.includes(type) ||
    holdings.holds(type, id, session.settings) ||
    reasons.has(resourceKey({ type }, id));
  const reasonToKeep = ({ type, id }: ListedObject): string | undefined => {
    const doubt = type === "ApiKey" ? signing.doubtAbout(id) : undefined;
    if (doubt !== undefined) return doubt;
    const set = holdings.unknownEntries.get(type);
    if (set !== undefined) return `cannot tell which ${plural(resources[type].noun)} ${set}`;
    // Everything in a service contains the service's id, which is also the id of its scaling and other singletons. So finding
    // this id in a Pulumi state is no sign that the object is used.
    const holder = isSingleton(resources[type]) ? undefined : holdings.userOf(id);
    if (holder !== undefined) return `${holder} refers to it`;
    // The service deletes the alerts of a dashboard along with it. If an object of another type is deleted, the objects that
    // use it stay, and break.
    const user = usersOfObject(type, id).find((candidate) => isKept(candidate.type, candidate.id));
    if (user) {
      const title = `${resources[user.type].noun} ${user.id}`;
      return type === "Dashboard" ? `its ${title} stays` : `${title} uses it and stays`;
    }
    // Objects of types that cannot be listed may use this orphan, so it is not deleted.
    const hidden = usersOf(type).find((using) => unseen.has(using.type));
    if (hidden)
      return `cannot tell which ${plural(resources[hidden.type].noun)} use it: ${unseen.get(hidden.type)}`;
    return withHiddenChart && isInCharts(type)
      ? `cannot tell whether alert ${withHiddenChart.id} uses it: the service does not show its chart`
      : undefined;
  };
  const orphans = objects.filter(
    ({ type, id }) =>
      !holdings.holds(type, id, session.settings) && !(type === "ApiKey" && signing.keyIds.has(id)),
  );
  // An orphan that stays keeps those that it uses, which may come earlier in the list, so the search is repeated.
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
      name: nonEmptyText(answer.name),
      createdAt: nonEmptyText(answer.createdAt),
      usedAt: nonEmptyText(answer.usedAt),
      kept: reasons.get(resourceKey({ type }, id)) ?? null,
    }));
}

/** Types with objects that the Pulumi states have but the service does not show, so it may hide further objects. */
function lostBy(
  { objects, elsewhere, services }: Listing,
  { placed }: Holdings,
  session: Session,
): [TypeName, string][] {
  const { settings } = session;
  const isWithoutServices = isWithoutScope("observability", session);
  const keys = new Set([...objects, ...elsewhere].map((object) => resourceKey(object, object.id)));
  // Of the other services, only the objects that use something of the organization, such as keys, are listed.
  const ofOrganization = typeNames.filter((type) => resources[type].scope === "organization");
  const listedElsewhere = new Set(ofOrganization.flatMap(usersOf).map(({ type }) => type));
  return placed
    .filter(({ organizationId = settings.organizationId, serviceId }) =>
      serviceId === undefined ? isWithoutServices : isSameId(organizationId, settings.organizationId),
    )
    .flatMap(({ type, id, name, serviceId }): [TypeName, string][] => {
      if (serviceId !== undefined && !services.some((service) => isSameId(service, serviceId)))
        return usersOf("ApiKey").map((user) => [
          user.type,
          `service ${serviceId} of ${name} is not among those of the organization`,
        ]);
      const isListed =
        serviceId === undefined || isSameId(serviceId, settings.serviceId) || listedElsewhere.has(type);
      if (!isListed || keys.has(resourceKey({ type }, id))) return [];
      return [[type, `the service does not show the object of ${name}; run "pulumi refresh"`]];
    });
}

export function usersAmong(
  objects: readonly ListedObject[],
): (type: TypeName, id: string) => readonly ListedObject[] {
  const users = new Map<string, ListedObject[]>();
  for (const type of typeNames)
    for (const using of usersOf(type))
      for (const object of objects.filter((candidate) => candidate.type === using.type))
        for (const id of new Set(idsIn(object.answer, using.members).map(String))) {
          const key = resourceKey({ type }, id);
          users.set(key, users.get(key) ?? []);
          users.get(key)?.push(object);
        }
  return (type, id) => (users.get(resourceKey({ type }, id)) ?? []).filter((user) => user.id !== id);
}

function nonEmptyText(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** The API keys that sign requests. The list shows only the last characters of each `keyId`, so several may match. */
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
