import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { Stack } from "../../../../cli/engine/stack";

const from = (host: string) => ({
  severity: "warning",
  message: `warning: using pulumi-language-${host} from $PATH\n`,
});

/** The diagnostics of failing programs, recorded from version 3.259 of the Pulumi CLI, and the messages that pipestack shows for them. */
const failures = {
  "an exception in Python": [
    [
      from("python"),
      {
        severity: "error",
        message:
          'error: Program failed with an unhandled exception:\nTraceback (most recent call last):\n  File "/p/__main__.py", line 5, in <module>\n    f()\n  File "/p/__main__.py", line 4, in f\n    return x["tilez"]\n           ~^^^^^^^^^\nKeyError: \'tilez\'\n\n',
      },
    ],
    "KeyError: 'tilez'\nFile \"/p/__main__.py\", line 4, in f",
  ],
  "an error of its own in Python": [
    [
      from("python"),
      { severity: "error", message: "error: not now\n" },
      {
        severity: "error",
        message: "error: an unhandled error occurred: program exited with non-zero exit code: 1\n",
      },
    ],
    "not now\n(and 1 more)",
  ],
  "a name that is not there in YAML": [
    [
      from("yaml"),
      {
        severity: "info#err",
        message: '\u001b[31mError\u001b[0m: resource, variable, or config value "b" not found\n\n',
      },
      { severity: "info#err", message: "  on Pulumi.yaml line 7:\n\n" },
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the reference that YAML quotes
      { severity: "info#err", message: "   7:       nam: \u001b[1;4m${b.id}\u001b[0m\n\n" },
    ],
    'resource, variable, or config value "b" not found\non Pulumi.yaml line 7',
  ],
} as const;

describe("What a command learns from the Pulumi CLI", () => {
  if (process.platform === "win32") return;
  let folder: string;
  const { PIPESTACK_PULUMI: before } = process.env;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "pipestack-cli-"));
    process.env.PIPESTACK_PULUMI = join(folder, "pulumi");
  });
  afterEach(async () => {
    if (before === undefined) delete process.env.PIPESTACK_PULUMI;
    else process.env.PIPESTACK_PULUMI = before;
    await rm(folder, { recursive: true });
  });

  for (const [what, [diagnostics, text]] of Object.entries(failures))
    it(`the error of a failed preview repeats the program's own error: ${what}`, async () => {
      await writeFile(join(folder, "preview.json"), JSON.stringify({ steps: [], diagnostics }));
      const script = `#!/bin/sh\ncat "${folder}/preview.json"\necho "warning: using a host from \\$PATH" >&2\nexit 255\n`;
      await writeFile(join(folder, "pulumi"), script, { mode: 0o755 });
      const failure = await new Stack(folder, "dev").preview({}).catch(({ message }: Error) => message);
      expect(failure).to.equal(text);
    });

  const overridden = {
    "tells changed inputs, although the environment has the engine compare outputs alone":
      "PULUMI_ENABLE_LEGACY_REFRESH_DIFF",
    "runs no program, although the environment has the engine run it": "PULUMI_RUN_PROGRAM",
  };
  for (const [title, variable] of Object.entries(overridden))
    it(`a refresh ${title}`, async () => {
      const { [variable]: given } = process.env;
      process.env[variable] = "true";
      try {
        const metadata = { op: `$${variable}`, urn: "u" };
        const event = JSON.stringify({ resOutputsEvent: { metadata } }).replaceAll('"', '\\"');
        await writeFile(join(folder, "pulumi"), `#!/bin/sh\necho "${event}"\n`, { mode: 0o755 });
        const { steps } = await new Stack(folder, "dev").refresh();
        expect(steps.map(({ op }) => op)).to.deep.equal(["false"]);
      } finally {
        if (given === undefined) delete process.env[variable];
        else process.env[variable] = given;
      }
    });

  it("the Pulumi CLI takes no option from the environment but those that say where it works", async () => {
    const { env } = process;
    const names = ["RUN_PROGRAM", "SHOW_SECRETS", "TARGET", "STACK_NAME", "STACK", "CWD"];
    process.env = { ...env, ...Object.fromEntries(names.map((name) => [`PULUMI_OPTION_${name}`, "true"])) };
    try {
      await writeFile(join(folder, "pulumi"), "#!/bin/sh\nenv | grep ^PULUMI_OPTION_ | sort\n", {
        mode: 0o755,
      });
      const taken = await new Stack(folder, "dev").export();
      expect(taken).to.equal("PULUMI_OPTION_CWD=true\nPULUMI_OPTION_STACK=true\n");
    } finally {
      process.env = env;
    }
  });
});
