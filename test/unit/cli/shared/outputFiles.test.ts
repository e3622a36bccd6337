import { link, lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { errorOf } from "../runHere";
import { useServiceFixture } from "../serviceFixture";

describe("Commands that write files", () => {
  const fixture = useServiceFixture();
  let elsewhere: string;
  beforeEach(async () => {
    elsewhere = await mkdtemp(join(tmpdir(), "pipestack-elsewhere-"));
    await writeFile(join(elsewhere, "precious"), "precious");
    const dashboards = [{ id: "1", name: "Main", tiles: [] }];
    await writeFile(join(fixture.folder, "dashboards.json"), JSON.stringify({ dashboards }));
  });
  afterEach(() => rm(elsewhere, { recursive: true }));

  const commands = [
    { name: "draw", args: ["draw", "--after", "dashboards.json"], files: ["1-main.svg", "dashboards.html"] },
    { name: "import", args: ["import"], files: ["index.ts", "import.json"] },
    { name: "import --force", args: ["import", "--force"], files: ["index.ts", "import.json"] },
    { name: "import --plugin", args: ["import", "--force", "--plugin", "python"], files: ["__main__.py"] },
  ];
  const run = (args: readonly string[]) => fixture.pipestack([...args, "--out", "out"]);
  const out = (...parts: string[]) => join(fixture.folder, "out", ...parts);

  for (const { name, args, files } of commands) {
    for (const file of files) {
      for (const target of ["precious", "missing"])
        it(`pipestack ${name} refuses to write ${file} through a link to a ${target} file`, async () => {
          await mkdir(out());
          await symlink(join(elsewhere, target), out(file));
          expect(await errorOf(run(args))).to.equal(
            `error: ${join("out", file)} is a link, or not a file; remove it, or choose another folder with --out\n`,
          );
          expect(await readFile(join(elsewhere, "precious"), "utf8")).to.equal("precious");
          expect(await readdir(elsewhere)).to.deep.equal(["precious"]);
          expect(await readdir(out())).to.deep.equal([file]);
        });
    }

    it(`pipestack ${name} refuses an output folder that is a link`, async () => {
      await symlink(elsewhere, out());
      expect(await errorOf(run(args))).to.equal(
        "error: out is a link, or not a folder; choose another folder with --out\n",
      );
      expect(await readdir(elsewhere)).to.deep.equal(["precious"]);
    });

    if (!args.includes("--force"))
      it(`pipestack ${name} refuses to overwrite a file that it has not written`, async () => {
        await mkdir(out());
        await writeFile(out(files[0] ?? ""), "precious");
        expect(await errorOf(run(args))).to.include(`${join("out", files[0] ?? "")} would be overwritten`);
        expect(await readdir(out())).to.deep.equal([files[0]]);
        expect(await readFile(out(files[0] ?? ""), "utf8")).to.equal("precious");
      });
  }

  it("pipestack draw replaces exactly its own files", async () => {
    expect((await run(["draw", "--after", "dashboards.json"])).code).to.equal(0);
    const page = await readFile(out("dashboards.html"), "utf8");
    await writeFile(out("dashboards.html"), page.replace("No tiles.", "Some tiles."));
    expect((await run(["draw", "--after", "dashboards.json"])).code).to.equal(0);
    expect(await readFile(out("dashboards.html"), "utf8")).to.equal(page);
    expect(await readdir(out())).to.have.members(["1-main.svg", "dashboards.html"]);
  });

  it("pipestack import --force replaces a hard link and does not change the file it points to", async () => {
    await mkdir(out());
    await link(join(elsewhere, "precious"), out("index.ts"));
    expect((await run(["import", "--force"])).code).to.equal(0);
    expect(await readFile(join(elsewhere, "precious"), "utf8")).to.equal("precious");
    expect((await lstat(out("index.ts"))).isFile()).to.equal(true);
  });
});
