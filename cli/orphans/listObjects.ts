import { ApiError, RefusedRequest } from "../../provider/api/errors";
import { contextOf } from "../../provider/lifecycle/scope";
import type { Session } from "../../provider/lifecycle/session";
import { resources, type TypeName } from "../../provider/resources/registry";
import { isSameId, type PropertyMap } from "../../provider/values/data";
import { doubtOf, type Look, look, skipped } from "../shared/listing";
import { orphanTypes } from "../shared/session";
import { usersOf } from "./users";

/** An object in the list that the API returned. */
export interface ListedObject {
  readonly type: TypeName;
  /** The id of the listed object; for a singleton, such as a query endpoint, the id of the service. */
  readonly id: string;
  readonly answer: PropertyMap;
}

export interface Listing {
  /** All objects of the given types, and the objects that may use them. */
  readonly objects: readonly ListedObject[];
  /** Objects of other services that may use the listed ones, since API keys belong to the whole organization. */
  readonly elsewhere: readonly ListedObject[];
  readonly services: readonly string[];
  /** Types for which the service may have more objects than it lists, each with the reason. */
  readonly unseen: ReadonlyMap<TypeName, string>;
}

/** Lists all objects of the given types, and those that may use them, with a warning for each list that may be incomplete. */
export async function listByType(
  session: Session,
  types: readonly TypeName[],
  warn: (message: string) => void,
): Promise<Listing> {
  const looks = new Map<TypeName, Look>();
  let refusal: ApiError | undefined;
  const using = new Set(typesUsing(types));
  for (const type of orphanTypes)
    if (types.includes(type) || using.has(type))
      looks.set(
        type,
        await look(type, contextOf(resources[type], {}, session)).catch((error): Look => {
          // A key of least rights may not list every type.
          if (!(error instanceof RefusedRequest) || error.site.status !== 403) throw error;
          refusal = error;
          return { objects: [], doubt: doubtOf(error) };
        }),
      );
  const missing = types.map((type) => looks.get(type)?.missing).find((error) => error !== undefined);
  const unlisted = missing ?? refusal;
  // If no type can be listed, the address or the key is probably wrong, so the message "no orphans" would mislead.
  if (unlisted && types.every((type) => looks.get(type)?.doubt !== undefined)) throw unlisted;

  const unseen = new Map<TypeName, string>();
  for (const [type, answer] of looks) {
    if (answer.doubt === undefined) continue;
    unseen.set(type, answer.doubt);
    if (types.includes(type)) warn(skipped(type, answer));
  }
  const services = [session.settings.serviceId].flatMap((id) => id ?? []);
  const elsewhere: ListedObject[] = [];
  const ofOrganization = types.filter((type) => resources[type].scope === "organization");
  const users = new Set(typesUsing(ofOrganization));
  const unseenUser = (user: TypeName, error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    unseen.set(user, doubtOf(error));
  };
  if (users.size > 0)
    services.push(
      ...(await otherServices(session).catch((error) => {
        for (const user of users) unseenUser(user, error);
        return [];
      })),
    );
  for (const user of users)
    for (const serviceId of services.filter((id) => !isSameId(id, session.settings.serviceId)))
      try {
        const answer = await look(user, contextOf(resources[user], { serviceId }, session));
        elsewhere.push(...objectsIn(user, answer));
        if (answer.doubt !== undefined) unseen.set(user, answer.doubt);
      } catch (error) {
        unseenUser(user, error);
      }
  const objects = [...looks].flatMap(([type, answer]) => objectsIn(type, answer));
  return { objects, elsewhere, services, unseen };
}

/** The ids of the organization's other services; throws if the organization does not list the service of the settings. */
async function otherServices(session: Session): Promise<string[]> {
  const { organizationId, serviceId: ownService } = session.settings;
  const services = await session.lists.read("listServices", { organizationId }, { asOf: "now" });
  const foreign = services.filter(({ id }) => !isSameId(id, ownService));
  if (services.length > 0 && (ownService === undefined || foreign.length < services.length))
    return foreign.map(({ id }) => id);
  const lack = ownService === undefined ? "is empty" : `lacks service ${ownService}`;
  throw new ApiError(session.siteOf("listServices"), `the list of services ${lack}`);
}

function typesUsing(types: readonly TypeName[]): TypeName[] {
  return types.flatMap(usersOf).map(({ type }) => type);
}

function objectsIn(type: TypeName, { objects }: Look): ListedObject[] {
  return objects.map((answer) => ({ type, id: answer.id as string, answer }));
}
