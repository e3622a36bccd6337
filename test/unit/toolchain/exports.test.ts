import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { root } from "../../../toolchain/checkout.mjs";

const sourceFile = /\.(c|m)?[jt]sx?$/;

function textsIn(...folders: readonly string[]): ReadonlyMap<string, string> {
  const paths = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => sourceFile.test(path) && !/node_modules|\bdist\b/.test(path))
      .map((path) => join(folder, path)),
  );
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

describe("Exports of modules that no other file uses", () => {
  it("each export of a module is used by another file or published", () => {
    const texts = textsIn("provider", "cli", "drawing", "sandbox", "product", "test", "toolchain", "bench");
    const words = new Map([...texts].map(([path, text]) => [path, new Set(text.match(/\w+/g))]));
    const isUsedBeside = (own: string, name: string) =>
      [...words].some(([path, used]) => path !== own && used.has(name));
    // The package publishes each provider function, so an export in the folder `functions` needs no other file that uses it.
    const isPublished = (path: string) => /^provider.hosts.dynamic.functions/.test(path);
    const dead = [...texts].flatMap(([path, text]) =>
      /^(provider|cli|drawing|sandbox)\b/.test(path) && !isPublished(path)
        ? [...text.matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gm)]
            .filter(([, name = ""]) => !isUsedBeside(path, name))
            .map(([, name]) => `${path}: ${name}`)
        : [],
    );
    expect(dead).to.deep.equal([]);
  });
});
