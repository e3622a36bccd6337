import { printable } from "../../provider/values/printable";
import { Stack } from "../engine/stack";
import { type ExitCode, exitCodes, warn } from "../shared/output";
import { openStackSession } from "../shared/session";
import { lastChanges } from "./actors";
import { asCode } from "./asCode";
import { expiringKeys, hiddenEnds } from "./expiring";
import {
  findDrift,
  isNothingSeen,
  notCompared,
  uncomparedIn,
  undeclaredFindings,
  withReplacedGone,
} from "./findDrift";
import { findingsMarkdown, findingsTable } from "./report";

export interface DriftCommandOptions {
  readonly stack?: string;
  readonly cwd: string;
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly asCode?: boolean;
  /** The number of days within which API keys that end are reported, too. */
  readonly expiring?: number;
}

export async function reportDrift(options: DriftCommandOptions): Promise<ExitCode> {
  const stack = new Stack(options.cwd, options.stack);
  const refresh = await stack.refresh();
  const resources = await stack.resources();
  const steps = withReplacedGone(refresh.steps, resources);
  const { expiring: days } = options;
  const open = async () => (await openStackSession(stack)).session;
  const driftFindings = findDrift(resources, steps);
  const findings = {
    ...driftFindings,
    uncompared: uncomparedIn(resources, refresh.warnings),
    undeclared: undeclaredFindings(resources, steps),
    ...(!options.asCode && { lastChanges: await lastChanges(driftFindings.drift, resources, open) }),
    ...(days !== undefined && { days, expiring: expiringKeys(resources, steps, days) }),
  };
  const hidden = days === undefined ? [] : hiddenEnds(resources, steps);
  const warnings = [...refresh.warnings, ...notCompared(resources), ...hidden];
  for (const warning of warnings) warn(warning);
  const isUnread = findings.uncompared.some(({ reason }) => reason === "notRunning");
  // If the refresh could compare nothing, exit code 0 would look like no drift.
  if (findings.drift.length === 0 && !isUnread && isNothingSeen(resources, refresh.warnings))
    throw new Error(
      "no resource could be compared with the service; npx pipestack doctor says whether the settings work",
    );
  const code = () => asCode(findings.drift, steps, resources);
  const report = options.json
    ? JSON.stringify({ ...findings, warnings }, null, 2)
    : options.markdown
      ? findingsMarkdown(findings, code())
      : options.asCode
        ? code()
        : findingsTable(findings);
  console.log(printable(report));
  const isQuiet = findings.drift.length === 0 && (findings.expiring ?? []).length === 0;
  if (!isQuiet) return exitCodes.findings;
  return isUnread ? exitCodes.failed : exitCodes.done;
}
