/**
 * Checks a stack for drift with the Automation API: `tsx checkDrift.ts <folder of the project> <stack>`.
 * Exit codes: 0 no drift, 7 drift, 1 error.
 */
import { type EngineEvent, LocalWorkspace } from "@pulumi/pulumi/automation";

async function main([workDir, stackName]: string[]): Promise<void> {
  if (!workDir || !stackName) throw new Error("usage: checkDrift <folder of the project> <stack>");
  const stack = await LocalWorkspace.selectStack({ workDir, stackName });

  // Refreshes and previews: shows what the next update would do, and changes neither the state nor the service.
  const drifted: string[] = [];
  await stack.preview({
    refresh: true,
    onEvent: (event) => {
      const line = describe(event);
      if (line) drifted.push(line);
    },
  });

  if (drifted.length === 0) {
    console.log(`No drift in ${stackName}.`);
    return;
  }
  console.log([`Drift in ${stackName}:`, ...drifted.sort()].join("\n"));
  process.exitCode = 7;
}

/** Describes a resource that differs from the program; undefined for all others. */
function describe({ resOutputsEvent }: EngineEvent): string | undefined {
  const { op, urn = "", old, new: planned } = resOutputsEvent?.metadata ?? {};
  if (op === undefined || ["same", "read", "refresh"].includes(op)) return undefined;
  const name = urn.split("::").slice(-2).join(" ");
  if (op === "create") return `  ${name} is gone`;
  if (op !== "update") return `  ${name}: ${op}`;
  const [found, declared] = [old?.inputs ?? {}, planned?.inputs ?? {}];
  const differs = (property: string) =>
    JSON.stringify(found[property]) !== JSON.stringify(declared[property]);
  const properties = Object.keys(declared).filter(differs);
  return `  ${name}: ${properties.join(", ") || "a secret property"}`;
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
