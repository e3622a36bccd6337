import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pipestack from "../../../provider/index";
import { settingVariables } from "../../pipestackCommand";
import { settingsOf } from "../../serviceContents";
import { runHere } from "../cli/runHere";
import { withoutEnvironment } from "../hosts/dynamic/hostProcess";
import { type Area, messageOf, type World } from "./mistake";

/** What a command prints in an empty folder, or in one with these files. */
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

/** Functions with wrong arguments, and commands with wrong options. */
export const commandMistakes: Area = {
  title: "Functions and commands",
  mistakes: [
    {
      made: "Called a function with an argument that it does not have",
      play: () =>
        messageOf(() =>
          pipestack.getPipe({ pipeId: "7b0f0f0e-27a2-4f0c-9f43-9c1d6a0a3c11", servceId: "x" } as never),
        ),
      told: "pipestack.getPipe: servceId is not a valid property; did you mean serviceId?",
      remedy: "Correct it.",
    },
    {
      made: "Called a function with a name in place of an id",
      play: () => messageOf(() => pipestack.getPipe({ pipeId: "orders" })),
      told: 'pipestack.getPipe: pipeId must be a uuid, such as 7b0f0f0e-27a2-4f0c-9f43-9c1d6a0a3c11, not "orders"',
      remedy: '`getPipes({ name: "orders" })` finds it by name.',
    },
    {
      made: "Looked for a webhook by a name that it does not have",
      play: async (world) => {
        const restore = withoutEnvironment();
        Object.assign(process.env, variablesOf(world));
        return messageOf(() => pipestack.getWebhook({ name: "oncall" })).finally(restore);
      },
      told: 'pipestack.getWebhook: the service has no webhook named "oncall"; it has "on-call" (generic)',
      remedy: "Correct the name. What the same program declares, refer to by its resource: `webhook.id`.",
    },
    {
      made: "Ran an unknown command",
      play: () => run(["drfit"]),
      told: "error: unknown command 'drfit'\n(Did you mean drift?)\nThe commands are sandbox, drift, draw, import, orphans; --help says more.",
      remedy: "Run `npx pipestack --help`.",
    },
    {
      made: "Ran a command with an unknown option",
      play: () => run(["drift", "--jsn"]),
      told: "error: unknown option '--jsn'\n(Did you mean --json?)",
      remedy: "Run the command with `--help`.",
    },
    {
      made: "Ran a command without the Pulumi CLI",
      play: () => run(["drift"]),
      told: "error: pulumi was not found; install the Pulumi CLI (https://www.pulumi.com/docs/install/) or set PIPESTACK_PULUMI to its path",
      remedy: "Install it, or name it.",
    },
    {
      made: "Ran a command in a folder that does not exist",
      play: () => run(["drift", "--cwd", "nowhere"]),
      told: "error: there is no folder <folder>/nowhere",
      remedy: "Correct `--cwd`.",
    },
    {
      made: "Ran `pipestack import` without settings",
      play: () => run(["import"]),
      told: 'error: settings organizationId, serviceId, baseUrl, keyId and keySecret are missing; set each with "pulumi config set pipestack:<name> <value>" (--secret for keySecret) or the environment variables PIPESTACK_ORGANIZATION_ID, PIPESTACK_SERVICE_ID, PIPESTACK_BASE_URL, PIPESTACK_KEY_ID and PIPESTACK_KEY_SECRET; a server with the observability API alone needs only obsBaseUrl and accessToken',
      remedy: "Run it in the project of a stack with settings, or set the variables.",
    },
    {
      made: "Ran `pipestack import` where its files are",
      play: () => run(["import"], {}, "index.ts", "import.json"),
      told: "error: index.ts and import.json would be overwritten; choose another folder with --out, or add --force",
      remedy: "Choose another folder, or let it overwrite them.",
    },
    {
      made: "Asked for a type that does not exist",
      play: () => run(["import", "--only", "Dashbord"]),
      told: "error: option '--only <types>' argument 'Dashbord' is invalid. Expected one or more of <types>. Did you mean Dashboard?",
      remedy: "Name the types as they are, separated by commas.",
    },
    {
      made: "Ran `pipestack orphans --delete` in a pipeline",
      play: (world) => run(["orphans", "--delete"], variablesOf(world)),
      told: "error: --delete cannot ask without a terminal; add --yes to delete without asking",
      remedy: "Read the list first; then add `--yes` ([orphans](orphans.md)).",
    },
    {
      made: "Gave `pipestack orphans` a file that is no state",
      play: (world) => run(["orphans", "--state", "state.json"], variablesOf(world), "state.json"),
      told: 'error: state.json is not an export of a stack; write it with "pulumi stack export"',
      remedy: "Write it with `pulumi stack export --file state.json`.",
    },
  ],
};
