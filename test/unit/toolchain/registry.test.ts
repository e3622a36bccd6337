import { readFileSync } from "node:fs";
import { expect } from "chai";
import { parse } from "yaml";
import { inCheckout } from "../../../toolchain/checkout.mjs";

const read = (...path: string[]) => readFileSync(inCheckout(...path), "utf8");

const schema: {
  name: string;
  displayName: string;
  version: string;
  description: string;
  keywords: string[];
  repository: string;
  logoUrl: string;
  publisher: string;
  pluginDownloadURL: string;
  config: { variables: { [setting: string]: object } };
  resources: { [token: string]: { description: string } };
  language: {
    nodejs: { packageName: string };
    python: { packageName: string };
    go: { importBasePath: string };
  };
} = JSON.parse(read("provider", "schema.json"));

const raw = schema.repository.replace("github.com", "raw.githubusercontent.com");

/** What Pulumi's registry requires of a package's schema, pages and logo before it lists a release. */
describe("The requirements of Pulumi's registry", () => {
  it("the committed schema has the properties that Pulumi's registry requires", () => {
    expect(schema.version).to.match(/^\d+\.\d+\.\d+$/);
    expect(schema.publisher).to.equal("pipestack");
    expect(schema.description).to.have.length.within(20, 200);
    // Pulumi's registry derives the name of a provider from the name of its repository, so the schema must have the same name.
    expect(schema.repository.replace(/^.*\/(?:pulumi-)?/, "")).to.equal(schema.name);
    expect(schema.pluginDownloadURL).to.equal(
      schema.repository.replace("https://github.com", "github://api.github.com"),
    );
  });

  it("the first sentences in the registry, in npm and in the README name the products", () => {
    const firstOf = (page: string) => page.split("\n\n").find((part) => /^[a-z]+ is|^The /i.test(part)) ?? "";
    const { description } = JSON.parse(read("package.json"));
    const pages = [read("README.md"), read("docs", "_index.md")].map(firstOf);
    for (const text of [schema.description, description, ...pages])
      expect(text).to.match(/^.{0,100}ClickHouse Cloud.{1,100}HyperDX.{1,5}ClickStack/s);
  });

  it("the keywords of the package schema have one category and one kind that the registry knows", () => {
    const after = (prefix: string) =>
      schema.keywords.filter((word) => word.startsWith(prefix)).map((word) => word.slice(prefix.length));
    expect(after("category/")).to.have.length(1);
    expect("cloud database infrastructure monitoring network utility vcs".split(" ")).to.include.members(
      after("category/"),
    );
    expect(after("kind/")).to.deep.equal(["native"]);
  });

  it("the logo for Pulumi's registry is small and self-contained: without text, scripts or other files", () => {
    expect(schema.logoUrl).to.equal(`${raw}/main/docs/logo.svg`);
    const logo = read("docs", "logo.svg");
    expect(logo).to.match(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 [\d.]+ [\d.]+" /);
    expect(logo.length).to.be.below(4096);
    expect(logo).to.not.match(/<(?:text|script|style|image|use|foreignObject)\b|href|url\(/i);
  });
});

const pages = {
  "_index.md": "pipestack",
  "installation-configuration.md": "pipestack Installation & Configuration",
};

for (const [name, title] of Object.entries(pages)) {
  const text = read("docs", name);
  const [, frontMatter = "", body = ""] = /^---\n([\s\S]*?)^---\n([\s\S]*)/m.exec(text) ?? [];
  const headings = [...body.replace(/^```[\s\S]*?^```/gm, "").matchAll(/^(#+) (.*)$/gm)];

  describe(`The page of Pulumi's registry from docs/${name}`, () => {
    it(`a page for Pulumi's registry has complete front matter before its first text: ${name}`, () => {
      expect(text.startsWith("---\n")).to.equal(true);
      const { meta_desc, ...members } = parse(frontMatter);
      expect(members).to.deep.equal({ title, layout: "package" });
      expect(meta_desc).to.have.length.within(50, 160).and.include(schema.name);
    });

    it(`the headings of a page for Pulumi's registry begin at the second level: ${name}`, () => {
      expect(headings.filter(([, level]) => level !== "##" && level !== "###")).to.deep.equal([]);
      const sections = headings.filter(([, level]) => level === "##").map(([, , heading]) => heading);
      const examples = name === "_index.md" ? ["Example Usage"] : [];
      expect(sections.slice(0, 2 + examples.length)).to.deep.equal([
        "Installation",
        ...examples,
        "Configuration",
      ]);
    });

    it(`every link of a page for Pulumi's registry has an absolute URL, since the page is read elsewhere: ${name}`, () => {
      const links = [...body.matchAll(/\]\(([^)\s]+)\)|(?:src|href)=["']([^"']+)/g)];
      const targets = links.map(([, link, attribute]) => link ?? attribute ?? "");
      expect(targets).to.not.be.empty;
      expect(targets.filter((target) => !target.startsWith("https://"))).to.deep.equal([]);
    });
  });
}

describe("The overview page for Pulumi's registry", () => {
  const sections = Object.fromEntries(
    read("docs", "_index.md")
      .split(/^## /m)
      .slice(1)
      .map((section) => [section.slice(0, section.indexOf("\n")), section]),
  );

  /** Returns the contents of a language chooser on a page for Pulumi's registry, by language. */
  function choicesIn(section = ""): Record<string, string> {
    const [, languages = "", inside = ""] =
      /^\{\{< chooser language "([^"]*)" >\}\}\n([\s\S]*?)^\{\{< \/chooser >\}\}$/m.exec(section) ?? [];
    const choices = [
      ...inside.matchAll(/^\{\{% choosable language (\w+) %\}\}\n([\s\S]*?)^\{\{% \/choosable %\}\}$/gm),
    ];
    expect(languages.split(",")).to.deep.equal(choices.map(([, language]) => language));
    // The language chooser may contain no other tag of the registry's page generator, which would break the page without an
    // error.
    expect(section.match(/\{\{/g)).to.have.length(2 + 2 * choices.length);
    return Object.fromEntries(choices.map(([, language, text = ""]) => [language, text]));
  }

  it("the overview page says how to install the SDK in each language of the registry", () => {
    const commands = choicesIn(sections.Installation);
    expect(Object.keys(commands)).to.have.members("typescript python go csharp java yaml hcl".split(" "));
    const { nodejs, python, go } = schema.language;
    expect(commands.typescript).to.include(`npm install ${nodejs.packageName}\n`);
    expect(commands.python).to.include(`pip install ${python.packageName.replaceAll("_", "-")}\n`);
    expect(commands.go).to.include(`go get ${go.importBasePath.replace(/\/[^/]*$/, "")}\n`);
    expect(commands.hcl).to.include(`version = "${schema.version}"`);
  });

  it("the overview page has a complete program in each language of the package schema's examples", () => {
    const [{ description } = { description: "" }] = Object.values(schema.resources);
    const supported = [...description.matchAll(/^```(\w+)\n/gm)].map(([, language]) => language);
    const programs = choicesIn(sections["Example Usage"]);
    expect(Object.keys(programs)).to.have.members(supported);
    for (const [language, text] of Object.entries(programs))
      expect(text).to.match(new RegExp(`^\\n\`\`\`${language}\\n[\\s\\S]{100,}\`\`\`\\n\\n$`));
  });

  it("the overview page for Pulumi's registry lists every setting of the package schema", () => {
    const listed = [...(sections.Configuration ?? "").matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    expect(listed).to.have.members(Object.keys(schema.config.variables));
  });

  it("the installation page links to each SDK, and installs the plugin in the schema's version", () => {
    const page = read("docs", "installation-configuration.md");
    const { nodejs, python, go } = schema.language;
    const addresses = [
      `https://www.npmjs.com/package/${nodejs.packageName}`,
      `https://pypi.org/project/${python.packageName.replaceAll("_", "-")}/`,
      `https://pkg.go.dev/${go.importBasePath}`,
    ];
    for (const address of addresses) expect(page).to.include(`](${address})`);
    expect(page).to.include(
      `pulumi plugin install resource ${schema.name} ${schema.version} --server ${schema.pluginDownloadURL}\n`,
    );
  });
});
