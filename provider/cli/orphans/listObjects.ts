import { ApiError, MissingRoute } from "../../api/errors";
import { type Data, isSameId } from "../../lifecycle/data";
import { contextOf } from "../../lifecycle/lifecycle";
import type { Session } from "../../lifecycle/session";
import { usersOf } from "../../resources/references";
import { resources, type TypeName } from "../../resources/registry";
import { listType, skipped, type Unseen } from "../shared/listing";
import { deletableTypes } from "../shared/resourceTypes";

/** An object as the service lists it. */
export interface ListedObject {
  readonly type: TypeName;
  /** Its id; that of the service for a singleton. */
  readonly id: string;
  readonly answer: Data;
}

/** What a service lists. */
export interface Listing {
  /** All objects of the given types, and those that may use them. */
  readonly objects: readonly ListedObject[];
  /** What other services have that may use them: keys belong to the whole organization. */
  readonly elsewhere: readonly ListedObject[];
  /** Types of which some cannot be seen: the settings forbid it, the server has no route for it, or refuses. */
  readonly unseen: readonly TypeName[];
}

/**
 * Lists all objects of the given types, and those that may use them.
 *
 * @param warn told what cannot be seen
 * @throws when the service refuses, does not answer, answers a part of a list, or has a route for none of the types
 */
export async function listObjects(
  session: Session,
  types: readonly TypeName[],
  warn: (message: string) => void,
): Promise<Listing> {
  const objects: ListedObject[] = [];
  const unseen = new Map<TypeName, Unseen>();
  for (const type of deletableTypes) {
    if (!types.includes(type) && !types.some((asked) => usersOf(asked).includes(type))) continue;
    const answers = await listType(type, contextOf(resources[type], {}, session));
    if (answers === "unseen" || answers instanceof MissingRoute) unseen.set(type, answers);
    else objects.push(...answers.map((answer) => ({ type, id: answer.id as string, answer })));
  }
  const missing = types.map((type) => unseen.get(type)).find((reason) => reason instanceof MissingRoute);
  // Where nothing at all is seen, the address is probably wrong; "no orphans" would be no verdict.
  if (missing && types.every((type) => unseen.has(type))) throw missing;
  for (const type of types) {
    const reason = unseen.get(type);
    if (reason) warn(skipped(type, reason));
  }
  const elsewhere: ListedObject[] = [];
  const ofOrganization = types.filter((type) => resources[type].scope === "organization");
  for (const user of new Set(ofOrganization.flatMap(usersOf))) {
    const found = await onOtherServices(user, session);
    if (found === "unseen") unseen.set(user, found);
    else elsewhere.push(...found);
  }
  return { objects, elsewhere, unseen: [...unseen.keys()] };
}

/** The objects of one type that the other services of the organization have. */
async function onOtherServices(
  type: TypeName,
  session: Session,
): Promise<readonly ListedObject[] | "unseen"> {
  const { organizationId, serviceId: own } = session.settings;
  if (!session.allows("listServices")) return [];
  try {
    const services = await session.list("listServices", { organizationId });
    const others = services.filter(({ id }) => !isSameId(id, own));
    const lists = await Promise.all(
      others.map(({ id: serviceId }) => listType(type, contextOf(resources[type], { serviceId }, session))),
    );
    const answers = lists.flatMap((list) => (list === "unseen" || list instanceof MissingRoute ? [] : list));
    return answers.map((answer) => ({ type, id: answer.id as string, answer }));
  } catch (error) {
    // Older servers do not list services.
    if (error instanceof MissingRoute) return [];
    if (error instanceof ApiError) return "unseen";
    throw error;
  }
}
