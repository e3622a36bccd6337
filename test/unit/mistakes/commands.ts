import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pipestack from "../../../provider/index";
import { settingVariables } from "../../pipestackCommand";
import { settingsOf } from "../../serviceContents";
import { runHere } from "../cli/runHere";
import { withoutEnvironment } from "../hosts/dynamic/hostProcess";
import { type Area, messageOf, type World } from "./mistake";

async function run(
  args: string[],
  variables: Record<string, string> = {},
  ...files: string[]
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "pipestack-mistake-"));
  try {
    for (const file of files) await writeFile(join(folder, file), "");
    const { stdout, stderr } = await runHere(args, folder, { PATH: folder, ...variables });
    return `${stdout}${stderr}`.replaceAll(folder, "<folder>").trim();
  } finally {
    await rm(folder, { recursive: true });
  }
}

const variablesOf = (world: World) => settingVariables(settingsOf(world.sandbox));

export const commandMistakes: Area = {
  title: "Functions and commands",
  mistakes: {
    "Called a function with an argument that it does not have": () =>
      messageOf(() =>
        pipestack.getPipe({ pipeId: "7b0f0f0e-27a2-4f0c-9f43-9c1d6a0a3c11", servceId: "x" } as never),
      ),
    "Called a function with a name in place of an id": () =>
      messageOf(() => pipestack.getPipe({ pipeId: "orders" })),
    "Looked for a webhook by a name that it does not have": async (world) => {
      const restore = withoutEnvironment();
      Object.assign(process.env, variablesOf(world));
      return messageOf(() => pipestack.getWebhook({ name: "oncall" })).finally(restore);
    },
    "Ran an unknown command": () => run(["drfit"]),
    "Ran a command with an unknown option": () => run(["drift", "--jsn"]),
    "Ran a command without the Pulumi CLI": () => run(["drift"]),
    "Ran a command in a folder that does not exist": () => run(["drift", "--cwd", "nowhere"]),
    "Ran `pipestack import` without settings": () => run(["import"]),
    "Ran `pipestack import` where its files are": () => run(["import"], {}, "index.ts", "import.json"),
    "Asked for a type that does not exist": () => run(["import", "--only", "Dashbord"]),
    "Ran `pipestack orphans --delete` in a pipeline": (world) =>
      run(["orphans", "--delete"], variablesOf(world)),
    "Gave `pipestack orphans` a file that is no state": (world) =>
      run(["orphans", "--state", "state.json"], variablesOf(world), "state.json"),
  },
};
