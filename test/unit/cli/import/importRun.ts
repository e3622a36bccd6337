import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CommandResult } from "../../../pipestackCommand";
import type { ServiceFixture } from "../serviceFixture";

export interface Imported extends CommandResult {
  program: string;
  resources: { type: string; name: string; id: string; inputs: object; outputs: object }[];
}

export async function runImport(
  { folder, pipestack }: ServiceFixture,
  args: string[] = [],
  settings?: Record<string, string>,
): Promise<Imported> {
  const result = await pipestack(["import", ...args], settings);
  const written = async (name: string) =>
    existsSync(join(folder, name)) ? await readFile(join(folder, name), "utf8") : undefined;
  return {
    ...result,
    program: (await written("index.ts")) ?? "",
    resources: JSON.parse((await written("import.json")) ?? '{"resources":[]}').resources,
  };
}
