import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { programOf } from "../../../cli/import/program";
import { python } from "../../../cli/import/python";
import { secretsOf } from "../../../provider/lifecycle/definition";
import { resources, typeNames } from "../../../provider/resources/registry";
import { type PropertyMap, pick } from "../../../provider/values/data";
import { pythonEnvironment } from "../../../toolchain/languages.mjs";
import { builtPipestack } from "../../pipestackCommand";
import { fillService } from "../../serviceContents";
import { examples as examplesOf } from "../../unit/resources/examples";
import { useFixture } from "../fixture";
import { examples, projectIn } from "./examplePrograms";
import { useLanguages } from "./languageHosts";

describe("Python programs, for type checkers", () => {
  const fixture = useFixture({ language: "typescript", projectFile: projectIn("plugin", "python") });
  useLanguages(fixture);

  before(() => fillService(fixture.sandbox));

  /** Writes Python programs by name, and returns the names of those in which a type checker finds errors, and its output. */
  async function refused(checker: "mypy" | "pyright", programs: ReadonlyMap<string, string>) {
    const packages = fixture.environment.PYTHONPATH ?? "";
    const interpreter = join(await pythonEnvironment(), "python");
    const cache = join(fixture.folder, "cache");
    const fileOf = (name: string) => join(fixture.folder, `${name}.py`);
    await Promise.all([...programs].map(([name, text]) => writeFile(fileOf(name), text)));
    const [program, ...args] = {
      // For users the Python SDK is an installed package, in which type checkers report no errors. So mypy gets an option
      // by which it reports only errors in the checked programs.
      mypy: [interpreter, "-m", "mypy", "--follow-imports", "silent", "--cache-dir", cache],
      pyright: [process.execPath, require.resolve("pyright"), "--pythonpath", interpreter],
    }[checker];
    const env = { ...process.env, PYTHONPATH: packages, MYPYPATH: packages };
    const files = [...programs.keys()].map(fileOf);
    const { code, stdout, stderr } = await promisify(execFile)(program as string, [...args, ...files], {
      env,
    }).then(
      (ran) => ({ ...ran, code: 0 }),
      (failed: { code: number; stdout: string; stderr: string }) => failed,
    );
    const names = [...programs.keys()].filter((name) =>
      new RegExp(`\\b${name}\\.py:\\d.*error`).test(stdout),
    );
    // A type checker that could not run finds no errors either, but fails.
    expect(code !== 0, `exit code ${code}: ${stdout}${stderr}`).to.equal(names.length > 0);
    return { names, stdout };
  }

  const exampleIn = (name: string) => readFile(join(examples, name, "python", "__main__.py"), "utf8");

  for (const checker of ["mypy", "pyright"] as const) {
    it(`the Python program of the example plugin passes ${checker}, which finds wrong properties in changed copies`, async () => {
      const text = await exampleIn("plugin");
      const mistakes = [
        ['"group_by"', '"sql_template"'],
        ['"line"', '"flame"'],
        ['"select"', '"selects"'],
      ] as const;
      const copies = mistakes.map(
        ([right, wrong], index) => [`wrong${index}`, text.replace(right, wrong)] as const,
      );
      const { names, stdout } = await refused(checker, new Map([["right", text], ...copies]));
      expect(names, stdout).to.deep.equal(["wrong0", "wrong1", "wrong2"]);
    });

    it(`the Python program of every example passes ${checker}`, async () => {
      const folders = await readdir(examples);
      const written = folders.filter((name) => existsSync(join(examples, name, "python", "__main__.py")));
      const programs = await Promise.all(
        written.map(async (name) => [name.replaceAll("-", "_"), await exampleIn(name)] as const),
      );
      expect(programs).to.have.length.above(4);
      const { names, stdout } = await refused(checker, new Map(programs));
      expect(names, stdout).to.deep.equal([]);
    });

    it(`Python programs as pipestack import writes them pass ${checker}, with every property of each type`, async () => {
      const programs = typeNames.flatMap((type) => {
        const secrets = secretsOf(resources[type]);
        const objects = Object.values<PropertyMap>(examplesOf[type].wholes).map((whole, at) => ({
          ...{ type, id: `id ${at}`, name: `object ${at}`, variable: `object${at}`, state: {} },
          declared: pick(
            whole,
            Object.keys(whole).filter((name) => !secrets.includes(name)),
          ),
        }));
        const files = programOf({ objects, lookups: [] }, {}, false, python);
        return [...files.values()].map((text) => [`every_${type}`, text] as const);
      });
      const { names, stdout } = await refused(checker, new Map(programs));
      expect(names, stdout).to.deep.equal([]);
    });

    it(`the Python program that pipestack import writes of a whole service passes ${checker}`, async () => {
      const out = join(fixture.folder, "imported");
      const args = ["import", "--plugin", "python", "--out", out, "--force"];
      const { code, stderr } = await builtPipestack(args, fixture.folder, fixture.environment);
      expect(code, stderr).to.equal(0);
      const text = await readFile(join(out, "__main__.py"), "utf8");
      expect(text).to.include("pipestack.ApiKeyRole(");
      const { names, stdout } = await refused(checker, new Map([["whole_service", text]]));
      expect(names, stdout).to.deep.equal([]);
    });
  }
});
