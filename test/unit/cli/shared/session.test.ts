import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { settingVariables } from "../../../pipestackCommand";
import { settingsOf } from "../../../serviceContents";
import { errorOf, pulumiThatAnswers, runHere } from "../runHere";
import { useServiceFixture } from "../serviceFixture";

interface Answers {
  readonly configuration?: Record<string, string>;
  readonly error?: string;
  readonly stacks?: readonly { name: string; current: boolean }[];
}

describe("The settings of a pipestack command", () => {
  const fixture = useServiceFixture();
  const own = () => settingsOf(fixture.sandbox);
  const noCli = { PIPESTACK_PULUMI: "nowhere" };

  /** Writes a Pulumi project into the given folder, and a script that replaces the Pulumi CLI and gives the given answers. */
  async function project({ configuration = {}, error = "", stacks = [] }: Answers) {
    await writeFile(join(fixture.folder, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");
    const entries = Object.entries(configuration).map(([name, value]) => [`pipestack:${name}`, { value }]);
    const refuse = `echo "error: ${error}" >&2; exit 1`;
    return pulumiThatAnswers(fixture.folder, {
      stack: `echo '${JSON.stringify(stacks)}'`,
      "*": error ? refuse : `echo '${JSON.stringify(Object.fromEntries(entries))}'`,
    });
  }

  async function run(
    args: string[],
    program: Record<string, string>,
    settings: Record<string, string>,
    folder = fixture.folder,
  ) {
    fixture.sandbox.requests.length = 0;
    const variables = { ...settingVariables(settings), ...program };
    const result = await runHere(args, folder, variables);
    const services = fixture.sandbox.requests.map(({ path }) => /\/services\/([^/]+)/.exec(path)?.[1]);
    return { ...result, services: [...new Set(services)] };
  }

  if (process.platform !== "win32") {
    const readers = [
      ["import", ["import", "--only", "Dashboard"], 0],
      ["draw", ["draw", "--live", "--json"], 0],
      ["orphans", ["orphans", "--cwd", ".", "--only", "Dashboard"], 1],
    ] as const;
    for (const [command, args, code] of readers)
      describe(`The settings of the stack for pipestack ${command}`, () => {
        let program: Record<string, string>;

        beforeEach(async () => {
          program = await project({ configuration: own() });
        });

        it(`pipestack ${command} finds the stack's settings in the project's folder and below it`, async () => {
          const below = join(fixture.folder, "below");
          await mkdir(below);
          for (const folder of [fixture.folder, below]) {
            const { code: ended, services, stderr } = await run([...args], program, {}, folder);
            expect(ended, stderr).to.equal(code);
            expect(services).to.deep.equal([fixture.sandbox.credentials.serviceId]);
          }
        });

        it(`pipestack ${command} takes settings from the environment before those of the stack`, async () => {
          const { secondServiceId } = fixture.sandbox.credentials;
          const { services } = await run([...args], program, { serviceId: secondServiceId });
          expect(services).to.deep.equal([secondServiceId]);
        });
      });

    it("a pipestack command takes settings from the environment alone if no stack is selected", async () => {
      const stacks = [{ name: "dev", current: false }];
      const program = await project({ error: "no stack selected", stacks });
      const { services } = await run(["import", "--only", "Dashboard"], program, own());
      expect(services).to.deep.equal([fixture.sandbox.credentials.serviceId]);
    });

    for (const stack of [[], ["--stack", "dev"]])
      it(`a pipestack command fails if the configuration of its stack cannot be read: ${stack.join(" ")}`, async () => {
        const program = await project({
          error: "incorrect passphrase",
          stacks: [{ name: "dev", current: stack.length === 0 }],
        });
        const result = await run(["import", ...stack], program, own());
        expect(result).to.include({ code: 1, stderr: "error: incorrect passphrase\n" });
        expect(result.services).to.deep.equal([]);
      });

    it("a pipestack command that reads a state from a file needs no CLI for its settings", async () => {
      const state = JSON.stringify({ version: 3, deployment: null });
      await writeFile(join(fixture.folder, "state.json"), state);
      await project({});
      const args = ["orphans", "--state", "state.json", "--only", "Dashboard"];
      expect((await run(args, noCli, own())).code).to.equal(0);
    });
  }

  it("the options of a pipestack command take precedence over all other settings", async () => {
    const { secondServiceId } = fixture.sandbox.credentials;
    const args = ["import", "--only", "Dashboard", "--service", secondServiceId];
    const { services, stderr } = await run(args, noCli, own());
    expect(stderr).to.equal("");
    expect(services).to.deep.equal([secondServiceId]);
  });

  it("a pipestack command fails if the project's folder is missing", async () => {
    expect(await errorOf(run(["import", "--cwd", "nowhere"], noCli, own()))).to.equal(
      `error: there is no folder ${join(fixture.folder, "nowhere")}; check --cwd\n`,
    );
  });
});
