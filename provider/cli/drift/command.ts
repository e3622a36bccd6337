import { printable } from "../../api/printable";
import { Stack } from "../engine/stack";
import { counted } from "../shared/counted";
import { type ExitCode, exitCodes } from "../shared/exitCodes";
import { warn } from "../shared/messages";
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

/** Prints what differs between a stack and the service. */
export async function reportDrift({ stack: name, cwd, json }: DriftCommandOptions): Promise<ExitCode> {
  const stack = new Stack(cwd, name);
  const { steps, warnings } = await stack.refresh();
  const { drift, resources } = findDrift(await stack.resources(), steps);
  for (const warning of warnings) warn(warning);
  const report = json ? JSON.stringify({ drift, resources, warnings }, null, 2) : readable(drift, resources);
  console.log(printable(report));
  return drift.length > 0 ? exitCodes.found : exitCodes.done;
}

/** The report as people read it. */
export function readable(drift: readonly Drift[], resources: number): string {
  if (resources === 0) return "The stack has no pipestack resources.";
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
    `Drift in ${drifted} of ${counted(resources, "resource")}. "pulumi up --refresh" restores the declared values.`,
  ].join("\n");
}

function cell(value: unknown): string {
  if (value === null) return "(none)";
  return value === "[secret]" ? value : JSON.stringify(value);
}
