import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "chai";

const checkout = resolve(__dirname, "..", "..");
const read = (name: string) => readFileSync(join(checkout, name), "utf8");

interface Manifest {
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

interface LockedPackage {
  version?: string;
  integrity?: string;
  link?: boolean;
  dev?: boolean;
  hasInstallScript?: boolean;
}

/**
 * The scripts that npm runs when a package or the dependencies of its folder are installed. A published package must have none
 * of them.
 */
const installScripts = [
  ...["preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare"],
  "dependencies",
];

const locked = Object.entries(
  JSON.parse(read("package-lock.json")).packages as Record<string, LockedPackage>,
);

for (const name of ["package.json", "sandbox/package.json"]) {
  const manifest = JSON.parse(read(name)) as Manifest;

  describe(`The published package ${name}`, () => {
    it(`the package ${name} runs no script when it is installed`, () => {
      expect(
        Object.keys(manifest.scripts ?? {}).filter((script) => installScripts.includes(script)),
      ).to.deep.equal([]);
    });

    it(`the package ${name} pins each dependency to the version in the lock file`, () => {
      const { dependencies, devDependencies, optionalDependencies } = manifest;
      const all = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
      expect(all.length).to.be.above(2);
      for (const [dependency, version] of all) {
        expect(version, dependency).to.match(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
        const places = [`sandbox/node_modules/${dependency}`, `node_modules/${dependency}`];
        const found = places.flatMap((place) => locked.filter(([path]) => path === place));
        expect(found[0]?.[1].version, dependency).to.equal(version);
      }
    });

    it(`the package ${name} has only the Pulumi SDK as peer dependency, which each program has anyway`, () => {
      expect(Object.keys(manifest.peerDependencies ?? {})).to.deep.equal(
        name === "package.json" ? ["@pulumi/pulumi"] : [],
      );
    });
  });
}

describe("The lock file of npm", () => {
  it("the lock file has a checksum for every package from a registry", () => {
    const open = locked.filter(
      ([path, { link, integrity }]) => path.startsWith("node_modules/") && !link && !integrity,
    );
    expect(open.map(([path]) => path)).to.deep.equal([]);
  });

  it("the installation of the provider or the sandbox runs no script of any package", () => {
    const running = locked.filter(([, { hasInstallScript, dev }]) => hasInstallScript && !dev);
    expect(running.map(([path]) => path)).to.deep.equal([]);
  });
});
