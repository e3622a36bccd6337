import { join } from "node:path";
import {
  type Alert,
  compareAlerts,
  type Dashboards,
  describeAlert,
  formatTime,
  type Listing,
  readDashboards,
} from "../../drawing";
import { fromHost } from "../../provider/engine/properties";
import type { Session } from "../../provider/lifecycle/session";
import { sentPart } from "../../provider/lifecycle/state";
import { resources } from "../../provider/resources/registry";
import { isObject, type PropertyMap, pick } from "../../provider/values/data";
import { printable } from "../../provider/values/printable";
import { counted } from "../../provider/values/wording";
import { Stack } from "../engine/stack";
import { type ExitCode, exitCodes, warn } from "../shared/output";
import { writeOutput } from "../shared/outputFiles";
import { openStackSession } from "../shared/session";
import { type ShownRange, valuesOfTiles } from "./knownValues";
import { fromFile, fromProgram, fromService, fromState, sourcesIn, type WarnedListing } from "./listings";
import { documentOf } from "./page";
import { isDrawn, type Picture, picturesOf, picturesOfChange } from "./pictures";

export interface DrawCommandOptions {
  readonly stack?: string;
  readonly cwd: string;
  readonly state?: boolean;
  readonly live?: boolean;
  readonly before?: string;
  readonly after?: string;
  readonly out: string;
  readonly json?: boolean;
  readonly data?: string;
  /** The length in milliseconds of the time range whose values tiles show. */
  readonly last: number;
  /** The end of the time range whose values tiles show, in milliseconds since 1970. Default: the last full minute. */
  readonly until?: number;
  readonly granularity: ShownRange["granularity"];
}

const pageName = "dashboards.html";

/** The properties of dashboards, alerts and sources that are drawn. Nothing else goes into the files: people pass them on. */
const drawnMembers = {
  dashboard: [
    "urn",
    "id",
    "url",
    ...Object.keys(sentPart(resources.Dashboard, resources.Dashboard.inputs.properties)),
  ],
  alert: [
    ...["name", "dashboardId", "dashboard", "tileId", "source", "state", "url"],
    ...["threshold", "thresholdMax", "thresholdType", "interval"],
  ],
  source: ["id", "name"],
};

const minute = 60_000;

export async function drawDashboards(options: DrawCommandOptions): Promise<ExitCode> {
  const stack = new Stack(options.cwd, options.stack);
  const session =
    options.live || options.data !== undefined ? (await openStackSession(stack)).session : undefined;
  const { listing, origin } = await listingFor(options, stack, session);
  const before = options.before === undefined ? undefined : await fromFile(options.before);
  for (const warning of [...(before?.warnings ?? []), ...listing.warnings]) warn(warning);
  const sources = [
    ...(listing.sources ?? []),
    ...(before?.sources ?? []),
    ...(session ? await sourcesIn(session) : []),
  ];
  if (options.json) {
    const dashboards = drawnPart(listing.dashboards);
    const alerts = listing.alerts.filter(isObject).map((alert) => pick(alert, drawnMembers.alert));
    const named = sources.filter(isObject).map((source) => pick(source, drawnMembers.source));
    const live = listing.isLive ? { isLive: true } : {};
    console.log(printable(JSON.stringify({ dashboards, alerts, sources: named, ...live }, null, 2)));
    return exitCodes.done;
  }

  const now = readListing({ ...listing, sources });
  const former = before && readListing({ ...before, sources });
  const range = rangeOf(options);
  const drawn = [...now.dashboards, ...(former?.dashboards ?? [])];
  const values = range && session ? await valuesOfTiles(drawn, range, session) : undefined;
  const pictures = former
    ? picturesOfChange(former, now, (tile) => values?.get(tile))
    : picturesOf(now, (tile) => values?.get(tile));
  const alertChanges = former ? compareAlerts(former, now) : [];
  const page = documentOf({
    title: former ? "Dashboards before and after" : "Dashboards",
    origin: [origin, ...(range ? [`${formatTime(range.from)} to ${formatTime(range.until)} UTC`] : [])].join(
      " · ",
    ),
    sections: pictures,
    alerts: now.alerts.map((alert) => ({ text: describeAlert(alert), url: alert.url })),
    alertChanges,
  });

  const output = {
    folder: options.out,
    mayReplace: isDrawn,
    advice: "it is no picture of this command; choose another folder with --out",
  };
  const files = pictures.map(({ file, picture }) => [file, `${picture}\n`] as const);
  await writeOutput(output, new Map([...files, [pageName, page]]));
  for (const line of report(pictures, now.alerts, alertChanges, join(options.out, pageName)))
    console.log(printable(line).replaceAll("\n", "\n      "));
  return exitCodes.done;
}

/**
 * Reads dashboards and alerts for drawing. The code that draws expects a symbol for an unknown value, and not the text by which
 * the engine represents it.
 */
function readListing({ dashboards, alerts, sources, isLive }: Listing): Dashboards {
  const listing = { dashboards: drawnPart(dashboards), alerts, sources };
  return readDashboards({ ...(fromHost(listing) as unknown as Listing), isLive });
}

function drawnPart(dashboards: Listing["dashboards"]): PropertyMap[] {
  return dashboards.filter(isObject).map((dashboard) => pick(dashboard, drawnMembers.dashboard));
}

/** The dashboards to draw, and a description of their origin (program, state, file or service). */
async function listingFor(
  options: DrawCommandOptions,
  stack: Stack,
  session: Session | undefined,
): Promise<{ listing: WarnedListing; origin: string }> {
  const { after, state, live } = options;
  if (after !== undefined) return { listing: await fromFile(after), origin: after };
  if (state) return { listing: await fromState(stack), origin: "State of the last deployment" };
  if (live && session) return { listing: await fromService(session), origin: "Live state of the service" };
  return { listing: await fromProgram(stack), origin: "Declared by the program" };
}

function rangeOf({ data, last, until, granularity }: DrawCommandOptions): ShownRange | undefined {
  if (data === undefined) return undefined;
  const end = until ?? Math.floor(Date.now() / minute) * minute;
  return { source: data, from: end - last, until: end, granularity };
}

function report(
  pictures: readonly Picture[],
  alerts: readonly Alert[],
  alertChanges: readonly string[],
  page: string,
): string[] {
  return [
    `${page} shows ${counted(pictures.length, "dashboard")}.`,
    ...pictures.flatMap(({ file, name, summary, changes }) => [
      `  ${file}  ${name}: ${summary}`,
      ...changes.map((change) => `    ${change}`),
    ]),
    ...alertChanges.map((change) => `  ${change}`),
    ...alerts.map((alert) => `  not drawn: alert ${describeAlert(alert)}`),
  ];
}
