import { join } from "node:path";
import { expect } from "chai";
import { build } from "esbuild";

const root = join(__dirname, "..", "..", "..");

describe("the code that draws", () => {
  it("runs in a browser: it imports nothing from outside its folder", async () => {
    const { metafile } = await build({
      entryPoints: [join(root, "drawing", "index.ts")],
      absWorkingDir: root,
      bundle: true,
      write: false,
      metafile: true,
      platform: "browser",
    });
    const inputs = Object.entries(metafile.inputs);
    expect(inputs).to.have.length.above(5);
    for (const [path, { imports }] of inputs) {
      expect(path).to.match(/^drawing\//);
      expect(imports.filter(({ external }) => external)).to.deep.equal([]);
    }
  });
});
