import { join } from "node:path";
import { formatTime } from "../../drawing";
import { printable } from "../../provider/values/printable";
import { counted } from "../../provider/values/wording";
import { documentOf } from "../draw/page";
import { isDrawn } from "../draw/pictures";
import { Stack } from "../engine/stack";
import { type ExitCode, exitCodes, note, warn } from "../shared/output";
import { writeOutput } from "../shared/outputFiles";
import { openStackSession } from "../shared/session";
import { listingOfAlerts, rangeOf, resultsOf } from "./alerts";
import { picturesOfAlerts } from "./pictures";
import { asJson, backtestTable } from "./report";

export interface AlertsCommandOptions {
  readonly stack?: string;
  readonly cwd: string;
  readonly live?: boolean;
  /** The name or id of the data source for series that name none. */
  readonly data?: string;
  /** The length in milliseconds of the time range for which the firings of alerts are computed. */
  readonly backtest: number;
  /** The end of the backtested time range, in milliseconds since 1970. Default: the last full minute. */
  readonly until?: number;
  readonly json?: boolean;
  readonly draw?: string;
}

const pageName = "alerts.html";

export async function backtestAlerts(options: AlertsCommandOptions): Promise<ExitCode> {
  const stack = new Stack(options.cwd, options.stack);
  const { session } = await openStackSession(stack);
  const listing = await listingOfAlerts(stack, session, options.live === true);
  for (const warning of listing.warnings) warn(warning);
  const range = rangeOf(options.backtest, options.until);
  const results = await resultsOf(listing, range, session, options.data);
  console.log(printable(options.json ? asJson(results, range) : backtestTable(results)));
  if (options.draw === undefined) return exitCodes.done;
  const pictures = picturesOfAlerts(results, range);
  const page = documentOf({
    title: "When alerts would have fired",
    origin: `${formatTime(range.from)} to ${formatTime(range.until)} UTC`,
    sections: pictures,
    alerts: results.flatMap((result) => ("reason" in result ? `${result.name}: ${result.reason}` : [])),
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
