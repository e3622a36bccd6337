import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type Alert,
  compareAlerts,
  counted,
  describeAlert,
  formatTime,
  readDashboards,
} from "../../../drawing";
import { printable, printableLine, printableMessage } from "../../api/printable";
import { fromEnvironment, resolveSettings } from "../../api/settings";
import { stackKey } from "../../hosts/dynamic/settingKeys";
import { isObject, pick } from "../../lifecycle/data";
import { Session } from "../../lifecycle/session";
import { Stack } from "../engine/stack";
import { pageOf } from "./page";
import { type Picture, picturesOf, picturesOfChange } from "./pictures";
import { fromFile, fromProgram, fromService, fromState, type Source } from "./sources";
import { type TimeRange, valuesOfTiles } from "./values";

/** Options of `pipestack draw`. */
export interface DrawCommandOptions {
  /** Name of the stack. Default: the selected one. */
  readonly stack?: string;
  /** Folder of the Pulumi project. */
  readonly cwd: string;
  /** Whether to draw what the last deployment left. */
  readonly state?: boolean;
  /** Whether to draw what the service has. */
  readonly live?: boolean;
  /** File with what was before: a comparison is drawn. */
  readonly before?: string;
  /** File with what is to be drawn. */
  readonly after?: string;
  /** Folder of the pictures. */
  readonly out: string;
  /** Whether to print the dashboards as JSON, and draw nothing. */
  readonly json?: boolean;
  /** Name or id of a source: tiles show their values. */
  readonly data?: string;
  /** Length of the time range, in milliseconds. */
  readonly last: number;
  /** End of the time range, in milliseconds since 1970. Default: the last full minute. */
  readonly until?: number;
  /** Width of one bucket of charts over time. */
  readonly granularity: TimeRange["granularity"];
}

/** The page beside the pictures. */
const pageName = "dashboards.html";

/** What pictures are drawn from; nothing else of the service gets into files that are handed around. */
const drawnMembers = {
  dashboard: ["urn", "id", "name", "tags", "tiles"],
  alert: [
    ...["name", "dashboardId", "dashboard", "tileId", "source", "state"],
    ...["threshold", "thresholdMax", "thresholdType", "interval"],
  ],
};

const minute = 60_000;

/** Draws dashboards, or prints as JSON what would be drawn. */
export async function drawDashboards(options: DrawCommandOptions): Promise<void> {
  const stack = new Stack(options.cwd, options.stack);
  const session =
    options.live || options.data !== undefined ? await sessionFor(options.cwd, stack) : undefined;
  const { source, origin } = await sourceFor(options, stack, session);
  const before = options.before === undefined ? undefined : await fromFile(options.before);
  for (const warning of [...(before?.warnings ?? []), ...source.warnings])
    console.error(printableMessage(`warning: ${warning}`));
  if (options.json) {
    const dashboards = source.dashboards.filter(isObject).map((one) => pick(one, drawnMembers.dashboard));
    const alerts = source.alerts.filter(isObject).map((one) => pick(one, drawnMembers.alert));
    console.log(printable(JSON.stringify({ dashboards, alerts }, null, 2)));
    return;
  }

  const now = readDashboards(source);
  const former = before && readDashboards(before);
  const range = rangeOf(options);
  const drawn = [...now.dashboards, ...(former?.dashboards ?? [])];
  const values = range && session ? await valuesOfTiles(drawn, range, session) : undefined;
  const pictures = former
    ? picturesOfChange(former, now, (tile) => values?.get(tile))
    : picturesOf(now, (tile) => values?.get(tile));
  const alertChanges = former ? compareAlerts(former, now) : [];
  const page = pageOf({
    title: former ? "Dashboards before and after" : "Dashboards",
    origin: [origin, ...(range ? [`${formatTime(range.from)} to ${formatTime(range.until)} UTC`] : [])].join(
      " · ",
    ),
    sections: pictures,
    alerts: now.alerts.map(describeAlert),
    alertChanges,
  });

  await mkdir(options.out, { recursive: true });
  for (const { file, picture } of pictures) await writeFile(join(options.out, file), `${picture}\n`);
  await writeFile(join(options.out, pageName), page);
  for (const line of report(pictures, now.alerts, alertChanges, join(options.out, pageName)))
    console.log(printableLine(line));
}

/** Where the dashboards come from, for the command and in words for the page. */
async function sourceFor(
  options: DrawCommandOptions,
  stack: Stack,
  session: Session | undefined,
): Promise<{ source: Source; origin: string }> {
  const { after, state, live } = options;
  if (after !== undefined) return { source: await fromFile(after), origin: after };
  if (state) return { source: await fromState(stack), origin: "As the last deployment left them" };
  if (live && session) return { source: await fromService(session), origin: "As the service has them" };
  return { source: await fromProgram(stack), origin: "As the program declares them" };
}

/** Settings come from the environment, and in the folder of a project from the configuration of its stack, too. */
async function sessionFor(cwd: string, stack: Stack): Promise<Session> {
  const isProject = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"].some((name) => existsSync(join(cwd, name)));
  const configuration = isProject ? await stack.configuration() : undefined;
  const say = (message: string) => console.error(message);
  return new Session(() => resolveSettings([fromEnvironment, (name) => configuration?.get(stackKey(name))]), {
    warn: (message) => say(`warning: ${message}`),
    info: say,
  });
}

function rangeOf({ data, last, until, granularity }: DrawCommandOptions): TimeRange | undefined {
  if (data === undefined) return undefined;
  const end = until ?? Math.floor(Date.now() / minute) * minute;
  return { source: data, from: end - last, until: end, granularity };
}

/** What was drawn, and what has changed, as people read it. */
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
