import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect } from "chai";
import { settingNames } from "../../provider/api/settingsSchema";
import { functions } from "../../provider/functions/registry";
import { goPrograms, versionOf } from "../../toolchain/goPrograms.mjs";
import { archivedNodeVersion, nodeVersions } from "../../toolchain/nodeVersions.mjs";

const checkout = resolve(__dirname, "..", "..");
const pagesIn = (folder: string) =>
  readdirSync(join(checkout, "docs", folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name));
const decisions = pagesIn("internals/decisions");
/** The pages for users, and those for contributors. */
const pages = [...pagesIn(""), ...pagesIn("internals")];
const examples = readdirSync(join(checkout, "examples")).map((name) => `examples/${name}/README.md`);
const documents = [
  ...["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "toolchain/README.md"],
  ...[...pages, ...decisions].map((name) => `docs/${name}`),
  ...examples,
].filter((path) => existsSync(join(checkout, path)));

const read = (path: string) => readFileSync(join(checkout, path), "utf8");

describe("Links in the documents", () => {
  for (const document of documents) {
    it(`links lead to existing pages and headings in ${document}`, () => {
      expect(linksIn(document).filter((link) => !leadsSomewhere(document, link))).to.deep.equal([]);
    });

    it(`file names in a document are names of existing files: ${document}`, () => {
      const named = [
        ...read(document).matchAll(
          /`((?:provider|cli|sandbox|drawing|product|test|toolchain|bench)\/[^\s`<]+)`/g,
        ),
      ];
      const missing = named.map(([, path = ""]) => path).filter((path) => !existsSync(join(checkout, path)));
      expect(missing).to.deep.equal([]);
    });
  }

  for (const name of ["architecture.md", "steps.md"])
    it(`files of the provider that a page names exist: ${name}`, () => {
      const layers = "api|engine|functions|hosts|lifecycle|resources|values";
      const named = read(`docs/internals/${name}`).matchAll(RegExp(`\`((?:${layers})/[\\w/]+\\.ts)\``, "g"));
      const files = [...named].map(([, path = ""]) => `provider/${path}`);
      expect(files).to.not.deep.equal([]);
      expect(files.filter((path) => !existsSync(join(checkout, path)))).to.deep.equal([]);
    });

  it("the index of the documents has a link to every page", () => {
    const linked = linksIn("docs/README.md").map((link) => link.replace(/#.*/, ""));
    expect(linked).to.include.members(pages.filter((name) => name !== "README.md"));
  });
});

describe("The README of a package", () => {
  const repository = "https://github.com/pipestack/pipestack";
  const manifestOf = (folder: string) => JSON.parse(read(join(folder, "package.json")));

  // npm resolves links and pictures of every README from the root of the repository, also those of the sandbox's package. So
  // the test looks for their targets from there.
  for (const folder of ["", "sandbox"]) {
    it(`every link and picture of the README leads to something: ${join(folder, "README.md")}`, () => {
      const links = linksIn(join(folder, "README.md"));
      expect(
        links.filter((link) => !link.startsWith("#") && !leadsSomewhere("README.md", link)),
      ).to.deep.equal([]);
      const { homepage, bugs, repository: source } = manifestOf(folder);
      const absolute = [...read(join(folder, "README.md")).matchAll(/https:\/\/github\.com\/[^)\s"]+/g)];
      for (const [link = ""] of [
        ...absolute,
        [homepage],
        [bugs],
        [source.url.replace(/^git\+|\.git$/g, "")],
      ]) {
        expect(link.startsWith(repository), link).to.equal(true);
        const [, path] = /^\/blob\/main\/(.+)$/.exec(link.slice(repository.length)) ?? [];
        if (path) expect(leadsSomewhere("README.md", path), link).to.equal(true);
      }
      expect(source.directory ?? "").to.equal(folder);
    });
  }
});

describe("The page of supported versions", () => {
  const page = read("docs/supported-versions.md");
  const { engines, peerDependencies } = JSON.parse(read("package.json"));

  it("the page of supported versions states the versions that the packages require", () => {
    const asked = [engines.node, peerDependencies["@pulumi/pulumi"]].join(" ").match(/\d+\.\d+(?=\.\d+)/g);
    expect(asked).to.deep.equal(["20.19", "22.12", "3.250"]);
    for (const version of asked ?? []) expect(page).to.include(`${version} and newer`);
  });

  it("the page of supported versions states the versions that CI runs", () => {
    const run = [...nodeVersions, archivedNodeVersion, versionOf(goPrograms.cli)];
    expect(run.filter((version) => !page.includes(version))).to.deep.equal([]);
  });
});

describe("The page of the toolchain", () => {
  const page = read("toolchain/README.md");
  const files = readdirSync(join(checkout, "toolchain"));

  it("the page of the toolchain names each file and folder of it", () => {
    const named = new Set(page.match(/[\w-]+(\.\w+)?/g));
    expect(files.filter((name) => !named.has(name) && name !== "README.md")).to.deep.equal([]);
  });

  it("the page of the toolchain names no script that the toolchain lacks", () => {
    const scripts = page.match(/[\w-]+\.(?:mjs|cjs|grit)/g);
    expect(scripts?.filter((name) => !files.includes(name))).to.deep.equal([]);
  });
});

describe("Tables in the documents", () => {
  it("every table in the documents has a header", () => {
    const headless = documents.filter((path) => /\n(?!\|)[^\n]*\n\|[-|: ]+\|\n/.test(read(path)));
    expect(headless).to.deep.equal([]);
  });

  const tables: Record<string, readonly string[]> = {
    "docs/resources.md": Object.keys(functions),
    "docs/settings.md": settingNames,
  };
  for (const [document, names] of Object.entries(tables)) {
    it(`a table of functions or settings has a row for each of them: ${document}`, () => {
      const cells = [...read(document).matchAll(/^\| ([^|]*) \|/gm)].map(([, cell = ""]) => cell);
      const named = new Set(cells.flatMap((cell) => cell.match(/\w+/g) ?? []));
      expect(names.filter((name) => !named.has(name))).to.deep.equal([]);
    });
  }
});

/**
 * Matches the start of links to files of the repository, in pages that are also published elsewhere, such as in Pulumi's
 * registry.
 */
const inRepository = /^https:\/\/github\.com\/pipestack\/pipestack\/(?:blob|tree)\/main\//;

function linksIn(document: string): string[] {
  const found = read(document).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g);
  return [...found]
    .map(([, link, image]) => (link ?? image ?? "").replace(inRepository, "/"))
    .filter((link) => !link.startsWith("https:"));
}

function leadsSomewhere(document: string, link: string): boolean {
  const [path = "", heading] = link.split("#");
  const folder = path.startsWith("/") ? "" : dirname(document);
  const target = path === "" ? document : join(folder, path.replace(/^\//, ""));
  if (!existsSync(join(checkout, target))) return false;
  if (heading === undefined) return true;
  const headings = [...read(target).matchAll(/^#+ (.*)$/gm)].map(([, text = ""]) =>
    text
      .toLowerCase()
      .replace(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
  return headings.includes(heading);
}
