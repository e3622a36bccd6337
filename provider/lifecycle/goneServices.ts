import { ApiError, MissingObject } from "../api/errors";
import { isNew } from "../values/age";
import type { Definition } from "./definition";
import { contextOf, elsewhere, isWithoutScope } from "./scope";
import type { Session } from "./session";
import { declaredIn, type State, stampIn } from "./state";

/**
 * Whether a step failed because the object's service is gone: a complete list lacks the service, and the API says it is
 * missing.
 * @param error the failure of the step; a 404 alone may have other reasons
 */
export async function hasGoneWithService(
  definition: Definition,
  id: string,
  state: State,
  error: unknown,
  session: Session,
): Promise<boolean> {
  const { scope: kind } = definition;
  if (!(error instanceof ApiError) || error.site.status !== 404) return false;
  if (kind === "organization" || isWithoutScope(kind, session)) return false;
  // The service is that of the settings, in which the object need not have been.
  if (elsewhere(definition, id, state, session)) return false;
  // The service of a new object never counts as gone, since it may be new itself, and lists that lag do not show it yet.
  if (isNew({ createdAt: state.createdAt }, stampIn(state))) return false;
  const { scope } = contextOf(definition, declaredIn(definition, state), session);
  const { organizationId, serviceId = "" } = scope;
  try {
    if (await session.lists.find("listServices", { organizationId }, serviceId)) return false;
    await session.call("getService", scope);
    return false;
  } catch (failure) {
    return failure instanceof MissingObject && failure.site.operation === "getService";
  }
}
