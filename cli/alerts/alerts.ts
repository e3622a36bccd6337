import { MissingObject } from "../../provider/api/errors";
import { fromHost } from "../../provider/engine/properties";
import { ifServed } from "../../provider/lifecycle/observe";
import { scopeOf } from "../../provider/lifecycle/scope";
import type { Session } from "../../provider/lifecycle/session";
import { isObject, type PropertyMap } from "../../provider/values/data";
import { fromProgram, fromService, type WarnedListing } from "../draw/listings";
import type { Stack } from "../engine/stack";
import { sourcesOf } from "../shared/chartData";
import { lacksChart } from "../shared/inlineAlert";
import { backtest, type Range, type Result } from "./backtest";
import { nameOf } from "./names";
import { watchedBy } from "./watched";

/** The dashboards, saved searches and alerts of `pipestack alerts`, as programs declare them; an unknown value is a symbol. */
export interface AlertListing extends WarnedListing {
  readonly alerts: readonly PropertyMap[];
}

const minute = 60_000;

export async function listingOfAlerts(
  stack: Stack,
  session: Session,
  isLive: boolean,
): Promise<AlertListing> {
  const listing = isLive ? await liveListing(session) : await fromProgram(stack);
  const alerts = fromHost({ alerts: listing.alerts }).alerts as readonly unknown[];
  return { ...listing, alerts: alerts.filter(isObject) };
}

/** A time range of the given length in which the firings of alerts are computed. By default it ends at the last full minute. */
export function rangeOf(length: number, until: number | undefined): Range {
  const end = until ?? Math.floor(Date.now() / minute) * minute;
  return { from: end - length, until: end };
}

/** Computes from past data when the alerts would have fired; `source` is the data source of series that name none. */
export async function resultsOf(
  listing: AlertListing,
  range: Range,
  session: Session,
  source: string | undefined,
): Promise<readonly Result[]> {
  const surroundings = { ...(await othersOf(listing, session)), sourceOf: await sourcesOf(source, session) };
  const alerts = listing.alerts.map((alert) => ({
    ...{ alert, name: nameOf(alert, surroundings) },
    watched: watchedBy(alert, surroundings),
  }));
  return backtest(alerts, range, session);
}

/**
 * The alerts of the service. Each one is read by itself, since the list of alerts leaves out the charts of inline alerts. One that
 * has been deleted meanwhile is left out.
 */
async function liveListing(session: Session): Promise<WarnedListing> {
  const listing = await fromService(session);
  const place = scopeOf("observability", {}, session);
  const alerts = listing.alerts.filter(isObject).map(async (alert): Promise<readonly PropertyMap[]> => {
    if (!lacksChart(alert)) return [alert];
    try {
      return [(await ifServed(session.call("getAlert", { ...place, id: String(alert.id) }))) ?? alert];
    } catch (error) {
      if (error instanceof MissingObject) return [];
      throw error;
    }
  });
  return { ...listing, alerts: (await Promise.all(alerts)).flat() };
}

/** The dashboards and saved searches that alerts may refer to: those of the program, and those that exist in the service. */
async function othersOf({ dashboards, alerts, searches, isLive }: WarnedListing, session: Session) {
  const place = scopeOf("observability", {}, session);
  const ids = new Set([...dashboards, ...searches].filter(isObject).map(({ id }) => id));
  const refersTo = (...members: string[]) =>
    alerts.filter(isObject).some((alert) => members.some((name) => alert[name] && !ids.has(alert[name])));
  const [boards, liveSearches] = await Promise.all([
    !isLive && refersTo("dashboardId") ? ifServed(session.lists.read("listDashboards", place)) : undefined,
    refersTo("savedSearch", "savedSearchId")
      ? ifServed(session.lists.read("listSavedSearches", place))
      : undefined,
  ]);
  const declared = fromHost({ dashboards, searches }) as { dashboards: unknown[]; searches: unknown[] };
  return {
    dashboards: [...declared.dashboards, ...(boards ?? [])],
    searches: [...declared.searches, ...(liveSearches ?? [])],
  };
}
