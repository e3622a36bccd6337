import { join } from "node:path";
import { formatTime } from "../../../drawing";
import { fromHost } from "../../hosts/dynamic/hostValues";
import { ifServed } from "../../lifecycle/observe";
import { scopeOf } from "../../lifecycle/scope";
import type { Session } from "../../lifecycle/session";
import { type Data, isObject } from "../../values/data";
import { printable } from "../../values/printable";
import { counted } from "../../values/wording";
import { fromProgram, fromService, type WarnedListing } from "../draw/listings";
import { pageOf } from "../draw/page";
import { isDrawn } from "../draw/pictures";
import { Stack } from "../engine/stack";
import { sourcesOf } from "../shared/chartData";
import { type ExitCode, exitCodes, note, warn } from "../shared/output";
import { writeOutput } from "../shared/outputFiles";
import { openSession } from "../shared/session";
import { backtest, type Range } from "./backtest";
import { picturesOfAlerts } from "./pictures";
import { asJson, asTable } from "./report";
import { watchedBy } from "./watched";

/** Options of `pipestack alerts`, as its help describes them. */
export interface AlertsCommandOptions {
  readonly stack?: string;
  readonly cwd: string;
  readonly live?: boolean;
  /** Name or id of the source for series that name none. */
  readonly data?: string;
  /** Milliseconds. */
  readonly backtest: number;
  /** Milliseconds since 1970. Default: the last full minute. */
  readonly until?: number;
  readonly json?: boolean;
  /** Folder for pictures. */
  readonly draw?: string;
}

const minute = 60_000;

const pageName = "alerts.html";

/** Says when alerts would have fired. */
export async function backtestAlerts(options: AlertsCommandOptions): Promise<ExitCode> {
  const stack = new Stack(options.cwd, options.stack);
  const { session } = await openSession(stack);
  const listing = options.live ? await liveListing(session) : await fromProgram(stack);
  for (const warning of listing.warnings) warn(warning);
  const range = rangeOf(options);
  const surroundings = {
    ...(await othersOf(listing, session)),
    sourceOf: await sourcesOf(options.data, session),
  };
  const alerts = alertsIn(listing).map((alert) => ({ alert, watched: watchedBy(alert, surroundings) }));
  const results = await backtest(alerts, range, session);
  console.log(printable(options.json ? asJson(results, range) : asTable(results)));
  if (options.draw === undefined) return exitCodes.done;
  const pictures = picturesOfAlerts(results, range);
  const page = pageOf({
    title: "When alerts would have fired",
    origin: `${formatTime(range.from)} to ${formatTime(range.until)} UTC`,
    sections: pictures,
    alerts: results.flatMap((one) => ("reason" in one ? `${one.name}: ${one.reason}` : [])),
    alertChanges: [],
  });
  const output = {
    folder: options.draw,
    mayReplace: isDrawn,
    advice: "it is no picture of this command; choose another folder with --draw",
  };
  await writeOutput(
    output,
    new Map([...pictures.map(({ file, picture }) => [file, `${picture}\n`] as const), [pageName, page]]),
  );
  note(`${join(options.draw, pageName)} shows ${counted(pictures.length, "alert")}`);
  return exitCodes.done;
}

/** What the service has. Its list leaves out the charts of alerts that are on no tile and no search. */
async function liveListing(session: Session): Promise<WarnedListing> {
  const listing = await fromService(session);
  const place = scopeOf("observability", {}, session);
  const alerts = listing.alerts.filter(isObject).map(async (alert) => {
    if (alert.source !== "inline" || isObject(alert.chartConfig)) return alert;
    return (await ifServed(session.call("getAlert", { ...place, id: String(alert.id) }))) ?? alert;
  });
  return { ...listing, alerts: await Promise.all(alerts) };
}

function rangeOf({ backtest: length, until }: AlertsCommandOptions): Range {
  const end = until ?? Math.floor(Date.now() / minute) * minute;
  return { from: end - length, until: end };
}

/** Alerts in the words of programs. A value that is not known yet is a symbol. */
function alertsIn({ alerts }: WarnedListing): readonly Data[] {
  return (fromHost({ alerts }).alerts as readonly unknown[]).filter(isObject);
}

/** The dashboards and searches that alerts may watch: those of the program, and those that the service has already. */
async function othersOf({ dashboards, alerts, searches, isLive }: WarnedListing, session: Session) {
  const place = scopeOf("observability", {}, session);
  const known = new Set([...dashboards, ...searches].filter(isObject).map(({ id }) => id));
  const refersTo = (...members: string[]) =>
    alerts.filter(isObject).some((alert) => members.some((name) => alert[name] && !known.has(alert[name])));
  const [boards, found] = await Promise.all([
    !isLive && refersTo("dashboardId") ? ifServed(session.list("listDashboards", place)) : undefined,
    refersTo("savedSearch", "savedSearchId") ? ifServed(session.list("listSavedSearches", place)) : undefined,
  ]);
  const others = fromHost({ dashboards, searches }) as { dashboards: unknown[]; searches: unknown[] };
  return {
    dashboards: [...others.dashboards, ...(boards ?? [])],
    searches: [...others.searches, ...(found ?? [])],
  };
}
