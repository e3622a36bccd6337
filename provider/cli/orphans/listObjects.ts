import { MissingObject, MissingRoute } from "../../api/errors";
import type { Data } from "../../lifecycle/data";
import { observabilityScopeOf, scopeOf } from "../../lifecycle/scope";
import { type Session, undocumentedOperation } from "../../lifecycle/session";
import { lists, reachesManagement } from "../shared/lists";
import { type OrphanType, orphanTypes } from "../shared/typeNames";

/** An object as the service lists it. */
export interface ListedObject {
  readonly type: OrphanType;
  /** Its id; that of the service for a query endpoint. */
  readonly id: string;
  readonly answer: Data;
}

/** The types that the settings give access to: keys and the query endpoint belong to the management API. */
export function reachableTypes(session: Session): readonly OrphanType[] {
  return reachesManagement(session) ? orphanTypes : ["Alert", "Dashboard"];
}

/**
 * All objects of the given types, and the alerts on dashboards, which go with them.
 *
 * @param warn told what cannot be seen
 * @throws when the service refuses, does not answer, or answers a part of a list
 */
export async function listObjects(
  session: Session,
  types: readonly OrphanType[],
  warn: (message: string) => void,
): Promise<ListedObject[]> {
  const objects: ListedObject[] = [];
  for (const type of orphanTypes) {
    const isAsked = types.includes(type);
    if (!isAsked && !(type === "Alert" && types.includes("Dashboard"))) continue;
    const answers = await answersOf(type, session);
    if (Array.isArray(answers)) objects.push(...answers.map(({ id, answer }) => ({ type, id, answer })));
    else if (isAsked) warn(`${type}: left out, since ${answers}`);
  }
  return objects;
}

/** The objects of one type, or why they cannot be seen. */
async function answersOf(
  type: OrphanType,
  session: Session,
): Promise<{ id: string; answer: Data }[] | string> {
  const list = lists[type];
  if (list) {
    if (!session.allows(list)) return `listing takes ${undocumentedOperation}`;
    const place =
      type === "ApiKey" ? { organizationId: session.organizationOf({}) } : observabilityScopeOf({}, session);
    return (await session.list(list, place)).map((answer) => ({ id: answer.id, answer }));
  }
  if (!session.allows("getQueryEndpoint")) return `reading it takes ${undocumentedOperation}`;
  const place = scopeOf({}, session);
  try {
    return [{ id: place.serviceId, answer: await session.call("getQueryEndpoint", place) }];
  } catch (error) {
    if (error instanceof MissingObject) return [];
    if (error instanceof MissingRoute) return `the service has no operation to read it: ${error.message}`;
    throw error;
  }
}
