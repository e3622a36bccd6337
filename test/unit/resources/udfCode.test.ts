import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { resources } from "../../../provider/resources/registry";
import { archiveAt } from "../../../provider/resources/udf/archive";
import type { PropertyMap } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import { sourceFiles } from "../../../sandbox/core/resources/udfUploads";
import { seededCredentials } from "../../../sandbox/index";
import { useService } from "../lifecycle/scriptedService";

const { organizationId } = seededCredentials;

describe("The code of user-defined functions", () => {
  const service = useService({ dialect: "clickhouse" });

  let folder: string;
  const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "udf-"));
    put("main.py", "print(1)\n");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const program = (changed: PropertyMap = {}) => ({
    ...{ organizationId, functionName: "echo", sourcePath: folder, runtime: "python3.11" },
    ...{ type: "executable", arguments: [{ name: "line", type: "String" }], returnType: "String" },
    ...changed,
  });
  const refusals = async (inputs: PropertyMap) => {
    const { failures } = await resources.Udf.check(
      {},
      inputs,
      service.open({ dialect: "clickhouse" }).session,
    );
    return failures.map(({ path, message }) => `${path} ${message}`);
  };

  it("the check refuses Python without a main.py at the root of the code", async () => {
    mkdirSync(join(folder, "lib"));
    renameSync(join(folder, "main.py"), join(folder, "lib", "main.py"));
    put("other.py", "");
    const missing = "has no main.py at its root, with which Python starts: put it there";
    expect(await refusals(program())).to.deep.equal([`sourcePath ${folder} ${missing}`]);
    const file = join(folder, "other.py");
    expect(await refusals(program({ sourcePath: file }))).to.deep.equal([`sourcePath ${file} ${missing}`]);
    const zip = join(folder, "code.zip");
    writeFileSync(zip, archiveAt(folder).bytes);
    expect(await refusals(program({ sourcePath: zip }))).to.deep.equal([`sourcePath ${zip} ${missing}`]);
    writeFileSync(zip, archiveAt(join(folder, "lib")).bytes);
    expect(await refusals(program({ sourcePath: zip }))).to.deep.equal([]);
    expect(await refusals(program({ runtime: "native" }))).to.deep.equal([]);
    expect(await refusals(program({ runtime: unknown }))).to.deep.equal([]);
  });

  it("the check refuses a ZIP that is none", async () => {
    const zip = join(folder, "code.zip");
    renameSync(join(folder, "main.py"), join(folder, "other.py"));
    writeFileSync(zip, "print(1)");
    expect(await refusals(program({ sourcePath: zip }))).to.deep.equal([
      `sourcePath ${zip} is no ZIP archive`,
    ]);
  });

  describe("The archive that is uploaded", () => {
    it("has the files of a folder without what tools leave and hide", () => {
      mkdirSync(join(folder, "lib", "__pycache__"), { recursive: true });
      mkdirSync(join(folder, ".git"));
      for (const name of ["lib/b.py", "lib/__pycache__/b.pyc", ".git/HEAD", ".env", "a.py"]) put(name, name);
      const { bytes, hash } = archiveAt(folder);
      expect(sourceFiles(bytes)).to.deep.equal(["a.py", "lib/b.py", "main.py"]);
      put("lib/__pycache__/c.pyc", "c");
      expect(archiveAt(folder).hash).to.equal(hash);
      put("a.py", "other");
      expect(archiveAt(folder).hash).to.not.equal(hash);
    });

    it("has a single file under its name", () => {
      expect(sourceFiles(archiveAt(join(folder, "main.py")).bytes)).to.deep.equal(["main.py"]);
    });

    it("is a ZIP itself as it is", () => {
      const archive = archiveAt(join(folder, "main.py"));
      writeFileSync(join(folder, "code.zip"), archive.bytes);
      expect(archiveAt(join(folder, "code.zip"))).to.deep.equal(archive);
    });

    // A symbolic link would lead elsewhere on another machine.
    it("takes no symbolic link", () => {
      symlinkSync("main.py", join(folder, "link.py"));
      expect(() => archiveAt(folder)).to.throw(
        /link\.py is a symbolic link: put the file itself in its place/,
      );
    });

    it("takes no empty folder", () => {
      mkdirSync(join(folder, "empty"));
      expect(() => archiveAt(join(folder, "empty"))).to.throw(/has no files/);
    });
  });
});
