import { counted } from "../../../drawing/format";
import { printable, printableMessage } from "../../api/printable";
import { Stack } from "../engine/stack";
import { table } from "../shared/table";
import { type Drift, findDrift } from "./findDrift";

/** Options of `pipestack drift`. */
export interface DriftCommandOptions {
  /** Name of the stack. Default: the selected one. */
  readonly stack?: string;
  /** Folder of the Pulumi project. */
  readonly cwd: string;
  /** Whether to print JSON instead of a table. */
  readonly json?: boolean;
}

/** Exit code when there is drift: the one that `pulumi preview --expect-no-changes` has, too. */
const driftExitCode = 7;

/** Prints what differs between a stack and the service, and sets the exit code. */
export async function reportDrift({ stack: name, cwd, json }: DriftCommandOptions): Promise<void> {
  const stack = new Stack(cwd, name);
  const { steps, warnings } = await stack.refresh();
  const { drift, resources } = findDrift(await stack.resources(), steps);
  for (const warning of warnings) console.error(printableMessage(`warning: ${warning}`));
  const report = json ? JSON.stringify({ drift, resources, warnings }, null, 2) : readable(drift, resources);
  console.log(printable(report));
  if (drift.length > 0) process.exitCode = driftExitCode;
}

/** The report as people read it. */
export function readable(drift: readonly Drift[], resources: number): string {
  if (resources === 0) return "The stack has no resources of pipestack.";
  if (drift.length === 0) return `No drift in ${counted(resources, "resource")}.`;
  const rows = drift.map(({ type, name, kind, property, declared, found }) => [
    `${type} ${name}`,
    property ?? "(all)",
    kind === "deleted" ? "(exists)" : cell(declared),
    kind === "deleted" ? "(deleted)" : cell(found),
  ]);
  const drifted = new Set(drift.map(({ urn }) => urn)).size;
  return [
    table([["RESOURCE", "PROPERTY", "DECLARED", "FOUND"], ...rows], 48),
    "",
    `Drift in ${drifted} of ${counted(resources, "resource")}. "pulumi up --refresh" puts back what is declared.`,
  ].join("\n");
}

function cell(value: unknown): string {
  if (value === null) return "(none)";
  return value === "[secret]" ? value : JSON.stringify(value);
}
