import { forgottenCredentials } from "../../api/settings";
import type { TypeName } from "../../resources/registry";
import { printable } from "../../values/printable";
import { Stack } from "../engine/stack";
import { type ExitCode, exitCodes, note, warn } from "../shared/output";
import { sessionFrom, settingSourcesOf } from "../shared/session";
import { type Examination, examine } from "./examination";
import { goneReferences } from "./goneReferences";
import { doctorReport, summaryOf } from "./report";
import { settingsInUse } from "./settingsInUse";

/** Options of `pipestack doctor`, as its help describes them. */
export interface DoctorCommandOptions {
  readonly stack?: string;
  readonly cwd: string;
  readonly service?: string;
  readonly organization?: string;
  readonly only?: readonly TypeName[];
  readonly json?: boolean;
}

/**
 * Prints the settings in use, whether the APIs answer them, which objects they can read, and which of these refer to objects that
 * are gone.
 */
export async function examineAccess(options: DoctorCommandOptions): Promise<ExitCode> {
  const sources = await settingSourcesOf(new Stack(options.cwd, options.stack), options);
  const session = sessionFrom(sources);
  const examination = await examine(session, options.only);
  const settings = settingsInUse(sources, examination.missing);
  const forgotten = forgottenCredentials(session.settings);
  if (forgotten !== undefined) warn(forgotten);
  const { apis, findings: objects } = examination;
  const references = await goneReferences(objects, session);
  const report = options.json
    ? JSON.stringify({ settings, apis, objects, references }, null, 2)
    : doctorReport(settings, examination, references);
  console.log(printable(report));
  const isFine = isHealthy(examination, options.only !== undefined);
  note(`${isFine ? "" : "error: "}${summaryOf(examination)}`);
  return isFine ? exitCodes.done : exitCodes.failed;
}

/**
 * Whether all works that can work. An older server lacks routes for types that a program need not have: that counts only
 * where the types are named.
 */
function isHealthy({ apis, findings }: Examination, areNamed: boolean): boolean {
  const isFine = ({ outcome }: Examination["findings"][number]) =>
    outcome === "readable" || (outcome === "route" && !areNamed);
  return apis.length > 0 && apis.every(({ problem }) => problem === undefined) && findings.every(isFine);
}
