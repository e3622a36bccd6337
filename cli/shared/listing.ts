import { type ApiError, IncompleteList, MissingObject, MissingRoute } from "../../provider/api/errors";
import { isSingleton } from "../../provider/lifecycle/definition";
import { listObjects } from "../../provider/lifecycle/observe";
import type { Resource } from "../../provider/lifecycle/resource";
import type { Context } from "../../provider/lifecycle/scope";
import { resources, type TypeName } from "../../provider/resources/registry";
import type { PropertyMap } from "../../provider/values/data";

export interface Look {
  /** The objects that the API listed, each with the `id` of its resource. */
  readonly objects: readonly PropertyMap[];
  /** The reason why the service may have more objects than it listed; undefined if the list is complete. */
  readonly doubt?: string;
  /** Set if the list is doubtful because the server has no route to list objects of this type. */
  readonly missing?: MissingRoute;
}

/** Lists the objects of one type; throws if the service refuses, does not answer, or says that the list is incomplete. */
export async function look(type: TypeName, context: Context): Promise<Look> {
  const resource: Resource = resources[type];
  const { operations } = resource;
  const { scope } = context;
  try {
    const objects = await listObjects(resource, context, { isWhole: true });
    // If a query endpoint in the list omits its allowed keys, it may allow any key, so the list counts as incomplete.
    const members = (resources.ApiKey.dependents?.() ?? []).flatMap(({ definition, members }) =>
      definition.type === type ? members : [],
    );
    const isShown = (object: PropertyMap) => members.every((name) => Array.isArray(object[name]));
    const hidden = objects.find((object) => !isShown(object));
    const place = operations.list ? String(hidden?.id) : `of service ${scope.serviceId}`;
    const doubt = `the ${resource.noun} ${place} shows no ${members.join(", ")}`;
    return { objects, ...(hidden ? { doubt } : {}) };
  } catch (error) {
    if (error instanceof MissingRoute) return { objects: [], doubt: doubtOf(error), missing: error };
    if (error instanceof IncompleteList && error.isGuess)
      return { objects: error.entries as PropertyMap[], doubt: error.message };
    if (!(error instanceof MissingObject && isSingleton(resource))) throw error;
    // Proxies and web frameworks answer "Not Found" in many formats, but only the API names the object that is missing.
    const isNamed = error.says(new RegExp(resource.noun.replace(" ", "\\W?(api\\W?)?"), "i"));
    return { objects: [], ...(isNamed ? {} : { doubt: doubtOf(error) }) };
  }
}

/** An error as the reason why a list may be incomplete: the end of a sentence. */
export function doubtOf(error: ApiError): string {
  return error instanceof MissingRoute
    ? `the server has no route for ${error.site.operation}`
    : error.message;
}

/** A message for the user about a type some of whose objects are not listed. */
export function skipped(type: TypeName, { objects, doubt, missing }: Look): string {
  if (objects.length > 0) return `${type}: more objects may exist than the service has listed: ${doubt}`;
  return `${type}: skipped, because ${missing ? `the service cannot list it: ${missing.message}` : doubt}`;
}
