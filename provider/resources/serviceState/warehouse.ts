import type { Context } from "../../lifecycle/scope";

/**
 * Whether the list of services shows that the service is not the primary one of its warehouse. Some settings belong to the
 * primary service alone.
 */
export async function isBehindAnother(id: string, { session, scope }: Context): Promise<boolean> {
  const { organizationId } = scope;
  const service = await session.lists.find("listServices", { organizationId }, id).catch(() => undefined);
  return service?.isPrimary === false;
}
