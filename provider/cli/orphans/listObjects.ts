import { MissingRoute } from "../../api/errors";
import type { Data } from "../../lifecycle/data";
import { contextOf } from "../../lifecycle/lifecycle";
import { listObjects as list } from "../../lifecycle/objects";
import { isSingleton } from "../../lifecycle/resource";
import { type Session, undocumentedOperation } from "../../lifecycle/session";
import { usersOf } from "../../resources/references";
import { resources, type TypeName } from "../../resources/registry";
import { deletableTypes } from "../shared/resourceTypes";

/** An object as the service lists it. */
export interface ListedObject {
  readonly type: TypeName;
  /** Its id; that of the service for a singleton. */
  readonly id: string;
  readonly answer: Data;
}

/**
 * All objects of the given types, and those that may use them.
 *
 * @param warn told what cannot be seen
 * @throws when the service refuses, does not answer, or answers a part of a list
 */
export async function listObjects(
  session: Session,
  types: readonly TypeName[],
  warn: (message: string) => void,
): Promise<ListedObject[]> {
  const objects: ListedObject[] = [];
  for (const type of deletableTypes) {
    const isAsked = types.includes(type);
    if (!isAsked && !types.some((asked) => usersOf[asked]?.includes(type))) continue;
    const answers = await answersOf(type, session);
    if (Array.isArray(answers)) objects.push(...answers.map(({ id, answer }) => ({ type, id, answer })));
    else if (isAsked) warn(`${type}: skipped, because ${answers}`);
  }
  return objects;
}

/** The objects of one type, or why they cannot be seen. */
async function answersOf(type: TypeName, session: Session): Promise<{ id: string; answer: Data }[] | string> {
  const resource = resources[type];
  try {
    const found = await list(resource, contextOf(resource, {}, session));
    if (found === "unseen") return `listing needs ${undocumentedOperation}`;
    return found.map((answer) => ({ id: answer.id as string, answer }));
  } catch (error) {
    if (isSingleton(resource) && error instanceof MissingRoute)
      return `the service cannot read it: ${error.message}`;
    throw error;
  }
}
