import { ApiError } from "../../provider/api/errors";
import { contextOf } from "../../provider/lifecycle/scope";
import type { Session } from "../../provider/lifecycle/session";
import { resources } from "../../provider/resources/registry";
import type { PropertyMap } from "../../provider/values/data";
import { lacksChart } from "../shared/inlineAlert";
import type { ListedObject, Listing } from "./listObjects";
import type { Holdings } from "./states";
import { isInCharts } from "./users";

/** Whether an alert has a chart of its own that the answer does not show. */
export function hidesChart({ type, answer }: ListedObject): boolean {
  return type === "Alert" && lacksChart(answer);
}

/**
 * The listing with the charts of inline alerts, which lists leave out: each of these alerts is read by itself, unless the Pulumi
 * states have everything that a chart could use.
 */
export async function withCharts(listing: Listing, holdings: Holdings, session: Session): Promise<Listing> {
  const isOpen = ({ type, id }: ListedObject) =>
    isInCharts(type) && !holdings.holds(type, id, session.settings);
  if (!listing.objects.some(isOpen)) return listing;
  const { scope } = contextOf(resources.Alert, {}, session);
  const chartOf = (id: string): Promise<PropertyMap> =>
    session.call("getAlert", { ...scope, id }).catch((error) => {
      if (error instanceof ApiError) return {};
      throw error;
    });
  const objects = listing.objects.map(async (object) =>
    hidesChart(object) ? { ...object, answer: { ...object.answer, ...(await chartOf(object.id)) } } : object,
  );
  return { ...listing, objects: await Promise.all(objects) };
}
