import { type ListRequest, ListResponse } from "@pulumi/pulumi/proto/provider_pb";
import { isSingleton } from "../../lifecycle/definition";
import { listObjects } from "../../lifecycle/observe";
import type { Resource } from "../../lifecycle/resource";
import { type Context, contextOf } from "../../lifecycle/scope";
import type { Session } from "../../lifecycle/session";
import type { PropertyMap } from "../../values/data";
import { containsUnknown } from "../../values/unknown";
import { received } from "./wireValues";

/** Lists a type's objects for the engine: all pages come from one list, a page's token is the number of its first object. */
export async function listedPage(
  resource: Resource,
  request: ListRequest,
  session: Session,
): Promise<ListResponse[]> {
  const { data: scope } = received(request.getQuery());
  if (containsUnknown(scope)) return [new ListResponse().setComputed(new ListResponse.Computed())];
  // The service lists the entries of a set, and no import makes a set of them.
  if (resource.entries) return [];
  const context = contextOf(resource, scope, session);
  const objects = isSingleton(resource)
    ? await ownOfService(resource, context)
    : await listObjects(resource, context);
  const token = request.getContinuationToken() || "0";
  if (!/^\d+$/.test(token))
    throw new Error(`the page token ${token} is not valid; list from the first page on`);
  const start = Number(token);
  const size = request.getPageSize() > 0 ? request.getPageSize() : objects.length;
  const most = request.getLimit() > 0 ? Math.min(request.getLimit(), objects.length) : objects.length;
  const end = Math.min(start + size, most);
  const results = objects.slice(start, end).map(({ id, name }) => {
    const result = new ListResponse.Result().setId(String(id)).setName(String(name ?? id));
    return new ListResponse().setResult(result);
  });
  if (end >= most) return results;
  const next = new ListResponse.Continuation().setContinuationToken(String(end));
  return [...results, new ListResponse().setContinuation(next)];
}

/** The singleton of a service, if an import finds it: a service whose settings are all defaults has none to import. */
async function ownOfService(
  resource: Resource,
  { scope, session }: Context,
): Promise<readonly PropertyMap[]> {
  const { serviceId = "" } = scope;
  const live = await resource.read(serviceId, { ...scope }, session);
  return typeof live === "string" ? [] : [{ id: serviceId }];
}
