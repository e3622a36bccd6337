import type { Context } from "../../lifecycle/scope";

/**
 * Whether the list of services shows that another service is the primary one of this service's warehouse. Some settings belong
 * to the primary one.
 */
export async function isBehindAnother(id: string, { session, scope }: Context): Promise<boolean> {
  const { organizationId } = scope;
  const service = await session.lists.find("listServices", { organizationId }, id).catch(() => undefined);
  return service?.isPrimary === false;
}
