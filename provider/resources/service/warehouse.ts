import type { Context } from "../../lifecycle/scope";

/** Whether a list says of a service that another one is the first of its warehouse, which some settings belong to. */
export async function isBehindAnother(id: string, { session, scope }: Context): Promise<boolean> {
  const { organizationId } = scope;
  const service = await session.lists.find("listServices", { organizationId }, id).catch(() => undefined);
  return service?.isPrimary === false;
}
