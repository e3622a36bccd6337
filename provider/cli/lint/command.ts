import { join } from "node:path";
import { fromHost } from "../../hosts/dynamic/hostValues";
import { ifServed } from "../../lifecycle/observe";
import { isServed } from "../../lifecycle/resource";
import { scopeOf } from "../../lifecycle/scope";
import type { Session } from "../../lifecycle/session";
import { resources } from "../../resources/registry";
import { type Data, isObject } from "../../values/data";
import { printable } from "../../values/printable";
import { type AlertListing, listingOfAlerts, rangeOf, resultsOf } from "../alerts/alerts";
import { Stack } from "../engine/stack";
import { type ExitCode, exitCodes, warn } from "../shared/output";
import { openStackSession } from "../shared/session";
import { exclusionsFile, readExclusions, withoutExcluded } from "./exclusions";
import { lintMarkdown, lintTable } from "./report";
import { findingsIn, type Linted } from "./rules";

/** Options of `pipestack lint`, as its help describes them. */
export interface LintCommandOptions {
  readonly stack?: string;
  readonly cwd: string;
  readonly live?: boolean;
  /** Milliseconds. Default: no backtest. */
  readonly backtest?: number;
  /** Milliseconds since 1970. Default: the last full minute. */
  readonly until?: number;
  readonly data?: string;
  readonly json?: boolean;
  readonly markdown?: boolean;
}

/** Names probable mistakes in dashboards and alerts. */
export async function lint(options: LintCommandOptions): Promise<ExitCode> {
  const exclusions = await readExclusions(join(options.cwd, exclusionsFile));
  const stack = new Stack(options.cwd, options.stack);
  const { session } = await openStackSession(stack);
  const listing = await listingOfAlerts(stack, session, options.live === true);
  for (const warning of listing.warnings) warn(warning);
  const { backtest, until, data } = options;
  const results =
    backtest === undefined ? [] : await resultsOf(listing, rangeOf(backtest, until), session, data);
  const linted = { ...(await existingFor(listing, session)), alerts: listing.alerts, results };
  const report = withoutExcluded(findingsIn(linted), exclusions);
  const text = options.json
    ? JSON.stringify(report, null, 2)
    : options.markdown
      ? lintMarkdown(report)
      : lintTable(report);
  console.log(printable(text));
  return report.findings.length + report.unused.length > 0 ? exitCodes.findings : exitCodes.done;
}

/** The dashboards to look at, and the ids of all that the service and the program have. */
async function existingFor(
  listing: AlertListing,
  session: Session,
): Promise<Pick<Linted, "dashboards" | "existing">> {
  const place = scopeOf("observability", {}, session);
  const objectsOf = async (type: "Source" | "Connection" | "Webhook" | "SavedSearch" | "Dashboard") => {
    const { list } = resources[type].operations;
    return list && isServed(resources[type], session) ? ifServed(session.list(list, place)) : undefined;
  };
  const idsOf = (live: readonly unknown[] | undefined, declared: readonly unknown[] = []) =>
    live && new Set([...live, ...declared].filter(isObject).map(({ id }) => String(id)));
  const [sources, connections, webhooks, searches, boards] = await Promise.all([
    objectsOf("Source"),
    objectsOf("Connection"),
    objectsOf("Webhook"),
    objectsOf("SavedSearch"),
    listing.isLive ? listing.dashboards : objectsOf("Dashboard"),
  ]);
  const declaredBoards = fromHost({ dashboards: listing.dashboards }).dashboards as readonly Data[];
  const tiles = boards && [...boards, ...declaredBoards].filter(isObject).flatMap(({ tiles }) => tiles);
  return {
    dashboards: declaredBoards,
    existing: {
      sources: idsOf(sources, listing.sources),
      connections: idsOf(connections),
      webhooks: idsOf(webhooks),
      searches: idsOf(searches, listing.searches),
      dashboards: idsOf(boards, declaredBoards),
      tiles: idsOf(tiles),
    },
  };
}
