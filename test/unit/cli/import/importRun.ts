import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type CommandResult, settingVariables } from "../../../pipestackCommand";
import { settingsOf } from "../../../serviceContents";
import { runHere } from "../runHere";
import type { ServiceFixture } from "../serviceFixture";

export interface Imported extends CommandResult {
  program: string;
  resources: { type: string; name: string; id: string; inputs: object; outputs: object }[];
}

export async function runImport(
  { sandbox, folder }: ServiceFixture,
  args: string[] = [],
  settings: Record<string, string> = {},
): Promise<Imported> {
  const variables = settingVariables({ ...settingsOf(sandbox), ...settings });
  const result = await runHere(["import", ...args], folder, variables);
  const written = async (name: string) =>
    existsSync(join(folder, name)) ? await readFile(join(folder, name), "utf8") : undefined;
  return {
    ...result,
    program: (await written("index.ts")) ?? "",
    resources: JSON.parse((await written("import.json")) ?? '{"resources":[]}').resources,
  };
}
