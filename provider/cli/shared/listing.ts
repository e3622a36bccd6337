import { MissingRoute } from "../../api/errors";
import type { Data } from "../../lifecycle/data";
import { listObjects } from "../../lifecycle/objects";
import type { Context } from "../../lifecycle/resource";
import { undocumentedOperation } from "../../lifecycle/session";
import { resources, type TypeName } from "../../resources/registry";

/** Why the objects of a type cannot be seen: the settings forbid it, or the server, such as an older one, has no route. */
export type Unseen = "unseen" | MissingRoute;

/**
 * The objects of one type, or why they cannot be seen.
 *
 * @throws when the service refuses, does not answer, or answers a part of a list
 */
export async function listType(type: TypeName, context: Context): Promise<readonly Data[] | Unseen> {
  try {
    return await listObjects(resources[type], context);
  } catch (error) {
    if (error instanceof MissingRoute) return error;
    throw error;
  }
}

/** A line for the user about a type that is left out. */
export function skipped(type: TypeName, reason: Unseen): string {
  return reason === "unseen"
    ? `${type}: skipped, because listing needs ${undocumentedOperation}`
    : `${type}: skipped, because the service cannot list it: ${reason.message}`;
}
