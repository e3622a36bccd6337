import type { Context } from "../../lifecycle/scope";

/** Whether the list of services shows another primary service for this service's warehouse, to which some settings belong. */
export async function isBehindAnother(id: string, { session, scope }: Context): Promise<boolean> {
  const { organizationId } = scope;
  const service = await session.lists.find("listServices", { organizationId }, id).catch(() => undefined);
  return service?.isPrimary === false;
}
