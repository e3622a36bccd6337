import { forgottenCredentials } from "../../provider/api/settings";
import type { Session } from "../../provider/lifecycle/session";
import type { TypeName } from "../../provider/resources/registry";
import { printable } from "../../provider/values/printable";
import { Stack, type StateResource } from "../engine/stack";
import { type ExitCode, exitCodes, note, warn } from "../shared/output";
import { sessionFrom, settingSourcesOf } from "../shared/session";
import { type Undeclared, undeclaredLine } from "../shared/undeclared";
import { type Examination, examine } from "./examination";
import { goneReferences } from "./goneReferences";
import { doctorReport, summaryOf } from "./report";
import { examineRights, type Rights, typesIn } from "./rights";
import { settingsInUse } from "./settingsInUse";
import { undeclaredNow } from "./undeclaredNow";

export interface DoctorCommandOptions {
  readonly stack?: string;
  readonly cwd: string;
  readonly service?: string;
  readonly organization?: string;
  readonly only?: readonly TypeName[];
  readonly json?: boolean;
}

/**
 * Runs `pipestack doctor`: prints the settings in use, whether the APIs answer, which objects can be read, and which of these
 * refer to missing objects.
 */
export async function examineAccess(options: DoctorCommandOptions): Promise<ExitCode> {
  const stack = new Stack(options.cwd, options.stack);
  const sources = await settingSourcesOf(stack, options);
  const session = sessionFrom(sources);
  const examination = await examine(session, options.only);
  const settings = settingsInUse(sources, examination.missing);
  const forgotten = forgottenCredentials(session.settings);
  if (forgotten !== undefined) warn(forgotten);
  const { apis, findings: objects } = examination;
  const references = await goneReferences(objects, session);
  const isAnswering = apis.some(({ api, problem }) => api === "management" && problem === undefined);
  // Without a stack, `pipestack doctor` can only show the roles of the key, and not what the stack needs or declares.
  let unread: string | undefined;
  const resources = isAnswering
    ? await stack.resourcesIfAny().catch(({ message }: Error) => {
        unread = message;
        return [];
      })
    : [];
  const rights = isAnswering ? await rightsIn(resources, options, session) : undefined;
  const undeclared = await undeclaredNow(resources, examination, session);
  const report = options.json
    ? JSON.stringify({ settings, apis, objects, references, undeclared, ...(rights && { rights }) }, null, 2)
    : [doctorReport(settings, examination, references, rights), ...undeclaredLines(undeclared)].join("\n");
  console.log(printable(report));
  const lacking = (rights?.permissions ?? []).filter(({ isGiven }) => isGiven === "no");
  const isFine = isHealthy(examination, options.only !== undefined) && lacking.length === 0;
  if (unread !== undefined)
    note(`error: it is not known what the stack needs, since its state cannot be read: ${unread}`);
  note(`${isFine ? "" : "error: "}${summaryOf(examination, lacking)}`);
  return isFine && unread === undefined ? exitCodes.done : exitCodes.failed;
}

const undeclaredLines = (undeclared: readonly Undeclared[]) =>
  undeclared.length === 0 ? [] : ["", ...undeclared.map(undeclaredLine)];

/** Examines what the key may do by its roles, and what the types need; undefined on servers whose keys have no roles. */
async function rightsIn(
  resources: readonly StateResource[],
  { only }: DoctorCommandOptions,
  session: Session,
): Promise<Rights | undefined> {
  const { settings } = session;
  if (settings.dialect !== "clickhouse" || settings.organizationId === undefined) return undefined;
  return examineRights(only ?? typesIn(resources), session);
}

/**
 * Whether everything works that can work with the settings in use. A missing route, as on older servers, is a fault only if the
 * options name its type; a service that does not run is none.
 */
function isHealthy({ apis, findings }: Examination, areNamed: boolean): boolean {
  const isFine = ({ outcome }: Examination["findings"][number]) =>
    outcome === "readable" || outcome === "idle" || (outcome === "route" && !areNamed);
  return apis.length > 0 && apis.every(({ problem }) => problem === undefined) && findings.every(isFine);
}
