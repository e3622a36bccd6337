import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { build } from "esbuild";
import { bundleWithLicenses } from "../../../toolchain/notices.mjs";

const checkout = join(__dirname, "..", "..", "..");

function packagesOf(files: readonly string[]): string[] {
  const folders = files.map((file) => file.match(/node_modules\/(@[^/]+\/[^/]+|[^/]+)/g)?.at(-1));
  return [...new Set(folders.filter((folder) => folder !== undefined))];
}

async function inputsOf(entry: string): Promise<string[]> {
  const { metafile } = await build({
    ...{ absWorkingDir: checkout, entryPoints: [entry], bundle: true, write: false, outdir: "unused" },
    ...{ metafile: true, platform: entry.endsWith("tsx") ? "browser" : "node", logLevel: "error" },
    ...{ jsx: "automatic", jsxImportSource: "preact" },
  });
  return Object.keys(metafile.inputs);
}

/** The modules that a bundle names, as esbuild writes them. */
async function named(file: string): Promise<string[]> {
  const text = await readFile(join(checkout, file), "utf8");
  return [...text.matchAll(/__commonJS\(\{"([^"]+)"/g)].map(([, path = ""]) => path);
}

async function mapped(file: string): Promise<string[]> {
  return JSON.parse(await readFile(join(checkout, `${file}.map`), "utf8")).sources;
}

describe("Licenses of bundled packages", () => {
  /** For each bundle in a published package: its name, the files in it, and the text of the licenses beside it. */
  const shipped: [string, () => Promise<string[]>, string][] = [
    ["dist/pluginBundle.js", () => named("dist/pluginBundle.js"), "dist/plugin.LICENSES"],
    ["dist/provider/index.js", () => mapped("dist/provider/index.js"), "dist/provider/LICENSES"],
    ["dist/provider/host.js", () => mapped("dist/provider/host.js"), "dist/provider/LICENSES"],
    [
      "sandbox/dist/sandbox/page/app.js",
      () => inputsOf("sandbox/page/main.tsx"),
      "sandbox/dist/sandbox/page/LICENSES",
    ],
  ];
  for (const [bundle, files, licenses] of shipped) {
    it(`all licenses of bundled packages are beside ${bundle}`, async () => {
      const path = join(checkout, licenses);
      const text = existsSync(path) ? await readFile(path, "utf8") : "";
      const packages = packagesOf(await files());
      const missing = await Promise.all(
        packages.map(async (folder) => {
          const manifest = await readFile(join(checkout, folder, "package.json"), "utf8");
          const { name, version } = JSON.parse(manifest);
          const [, notice = ""] = text.split(new RegExp(`^${name} ${version.replaceAll(".", "\\.")}$`, "m"));
          const [own = ""] = notice.split(/^\S+ \d+\.\d+\.\d+\S*$/m);
          return /copyright|public domain/i.test(own) ? [] : [name];
        }),
      );
      expect(missing.flat()).to.deep.equal([]);
    });
  }

  it("only one module of the toolchain bundles files, and it writes their licenses", async () => {
    const files = await readdir(join(checkout, "toolchain"), { recursive: true });
    const bundling: string[] = [];
    for (const file of files.filter((name) => name.endsWith(".mjs"))) {
      const text = await readFile(join(checkout, "toolchain", file), "utf8");
      // A bundle that is not written to a file is not distributed, so it needs no licenses.
      const isWritten = !/\bwrite: false\b/.test(text);
      if (isWritten && /(from|await import\() ?"esbuild"/.test(text)) bundling.push(file);
    }
    expect(bundling).to.deep.equal(["notices.mjs"]);
  });

  describe("The licenses that a bundle has of its packages", () => {
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), "pipestack-licenses-"));
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    /** Bundles a program that imports packages with the given files, and returns the text of their licenses. */
    async function licensesOf(packages: Record<string, Record<string, string>>): Promise<string | undefined> {
      const names = Object.keys(packages);
      for (const [name, files] of Object.entries(packages)) {
        const place = join(folder, "node_modules", name);
        await mkdir(place, { recursive: true });
        const manifest = JSON.stringify({ name, version: "1.2.3", main: "main.js" });
        const all = { ...files, "package.json": manifest, "main.js": "exports.a = 1;" };
        for (const [file, text] of Object.entries(all)) await writeFile(join(place, file), text);
      }
      const program = names.map((name) => `import "${name}";`).join("\n");
      await writeFile(join(folder, "program.js"), program);
      const licenses = join(folder, "LICENSES");
      await bundleWithLicenses(
        { absWorkingDir: folder, entryPoints: ["program.js"], bundle: true, outfile: join(folder, "out.js") },
        licenses,
      );
      return existsSync(licenses) ? readFile(licenses, "utf8") : undefined;
    }

    it("the license of a package comes from its license file, or else from its README", async () => {
      const text = await licensesOf({
        "@one/first": { "LICENCE.txt": "Copyright of the first" },
        second: { "README.md": "# second\n\nLicense\n-------\n\nCopyright of the second\n\n[link]: x\n" },
        third: {
          "readme.markdown": "# third\n\n## License\n\nCopyright of the third\n\n## Thanks\n\nTo all.\n",
        },
      });
      expect(text).to.equal(
        "@one/first 1.2.3\n\nCopyright of the first\n\nsecond 1.2.3\n\nCopyright of the second\n\n[link]: x\n\nthird 1.2.3\n\nCopyright of the third\n",
      );
    });

    it("no licenses are written if a bundle contains no package", async () => {
      expect(await licensesOf({})).to.equal(undefined);
    });

    for (const [what, files] of [
      ["no file of a license", {}],
      ["a mere name of a license", { "README.md": "# it\n\n## License\n\nMIT\n" }],
    ] as const) {
      it(`the build fails if a bundled package has no text of its license: it has ${what}`, async () => {
        const error = await licensesOf({ it: files }).catch((reason: Error) => reason);
        expect(error).to.be.instanceOf(Error);
        expect((error as Error).message).to.match(/^it 1\.2\.3 has no text of its license/);
      });
    }
  });
});
