import type { Context } from "../../lifecycle/scope";

/**
 * Whether the list of services shows that the service is not the primary one of its warehouse. Some settings belong to the
 * primary service alone. The updates of many services share a list.
 */
export async function isBehindAnother(id: string, { session, scope }: Context): Promise<boolean> {
  const { organizationId } = scope;
  const asOf = session.hasWritten ? "write" : "run";
  const listed = session.lists.find("listServices", { organizationId }, id, asOf);
  const service = await listed.catch(() => undefined);
  return service?.isPrimary === false;
}
