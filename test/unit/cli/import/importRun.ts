import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type CommandResult, settingVariables } from "../../../pipestackCommand";
import { settingsOf } from "../../../serviceContents";
import { runHere } from "../runHere";
import type { ServiceFixture } from "../serviceFixture";

/** The result of `pipestack import` with the files that it has written: the program and the resources of the import file. */
export interface Imported extends CommandResult {
  program: string;
  resources: { type: string; name: string; id: string; inputs: object; outputs: object }[];
}

/** Runs `pipestack import` in the folder of a test, with the settings of its sandbox and the given ones. */
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
