import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { parse } from "yaml";
import { platforms } from "../../../toolchain/archive.mjs";
import { nodeVersions } from "../../../toolchain/nodeVersions.mjs";
import { publish, tryPublishing } from "../../../toolchain/release/publish.mjs";
import { pendingIn, problemsIn, readFacts, releaseNotes } from "../../../toolchain/release/versions.mjs";

type Facts = Awaited<ReturnType<typeof readFacts>>;

const checkout = join(__dirname, "..", "..", "..");
const read = (name: string) => readFileSync(join(checkout, name), "utf8");

describe("The checks before a release", () => {
  let checkoutFacts: Facts;

  before(async () => {
    checkoutFacts = await readFacts();
  });

  it("the checks before a release accept this checkout", () => {
    expect(Object.keys(checkoutFacts.texts)).to.include.members(["README.md", "examples/plugin/go/go.mod"]);
    expect(problemsIn(checkoutFacts)).to.deep.equal([]);
  });

  const address = "https://example.test";
  const manifest = {
    ...{ version: "1.2.3", license: "Apache-2.0", repository: {}, homepage: address, bugs: address },
    engines: { node: ">=22" },
  };
  const facts: Facts = {
    manifests: { "package.json": manifest, "sandbox/package.json": manifest },
    locked: { "": "1.2.3", sandbox: "1.2.3" },
    texts: {
      "README.md":
        "npm install ../pipestack-1.2.3.tgz; pulumi plugin install resource pipestack 1.2.3 --file a",
      "package.json": '"pipestack": "^1.2.3"',
      "go.mod": "github.com/pipestack/pipestack/sdk/go v1.2.3\ngithub.com/pulumi/pulumi/sdk/v3 v3.259.0",
    },
    changelog: "# Changelog\n\n## 1.2.3 (2026-11-22)\n\n### Added\n\n- One.\n\n## 1.2.2\n\n- Two.\n",
    tags: ["v1.2.3", "nightly"],
    changes: [],
  };

  it("the checks accept a tagged commit whose packages, pages and changelog have the tag's version", () => {
    expect([...problemsIn(facts), ...pendingIn(facts)]).to.deep.equal([]);
  });

  const withSandbox = (changed: object) => ({
    manifests: { ...facts.manifests, "sandbox/package.json": { ...manifest, ...changed } },
  });
  const wrong: Record<string, [Partial<Facts>, string]> = {
    "the tag": [
      { tags: ["v1.3.0"] },
      "the commit has the tag v1.3.0, but the packages have the version 1.2.3",
    ],
    "the other package": [
      withSandbox({ version: "1.2.2" }),
      "sandbox/package.json: the version is 1.2.2, not 1.2.3",
    ],
    "the lock file": [
      { locked: { "": "1.2.3", sandbox: "1.2.2" } },
      'package-lock.json: the version of "sandbox" is 1.2.2, not 1.2.3; run npm install',
    ],
    "a page": [
      { texts: { "docs/plugin.md": "pulumi-resource-pipestack-v1.2.2-linux-amd64.tar.gz" } },
      'docs/plugin.md: "pipestack-v1.2.2" is not of version 1.2.3',
    ],
    "the changelog": [
      { changelog: "# Changelog\n\n## 1.2.2\n\n- Two.\n" },
      'CHANGELOG.md: neither "## 1.2.3" nor "## Unreleased" has an entry',
    ],
    "a manifest without its bugs": [
      withSandbox({ bugs: undefined }),
      "sandbox/package.json: bugs is missing",
    ],
  };
  for (const [place, [change, problem]] of Object.entries(wrong)) {
    it(`the checks before a release name the place that has another version or lacks a property: ${place}`, () => {
      expect(problemsIn({ ...facts, ...change })).to.deep.equal([problem]);
    });
  }

  it("a dry run of a release only names the steps that are still to be done", () => {
    const changelog = "## Unreleased\n\n- One.\n";
    const texts = { "README.md": "It is not on npm yet, so pack it." };
    const early = { ...facts, tags: [], changes: [" M README.md"], changelog, texts };
    expect(problemsIn(early)).to.deep.equal([]);
    expect(pendingIn(early)).to.deep.equal([
      'CHANGELOG.md: call the section "## Unreleased" "## 1.2.3"',
      'README.md: it says "not on npm yet"',
      "commit README.md",
      "tag the commit v1.2.3",
    ]);
  });

  it("the notes of a release are one section of the changelog", () => {
    expect(releaseNotes(facts.changelog, "1.2.3")).to.equal("### Added\n\n- One.");
    expect(releaseNotes(facts.changelog, "1.2")).to.equal("");
  });
});

describe("The publication of a release", () => {
  const release = {
    version: "1.2.3",
    packages: [
      { name: "pipestack", integrity: "sha512-a", tarball: "a.tgz" },
      { name: "pipestack-sandbox", integrity: "sha512-b", tarball: "b.tgz" },
    ],
    go: { tag: "sdk/go/v1.2.3", commit: "c0ffee" },
    notes: "notes.md",
    files: ["a.tgz", "SHA256SUMS"],
  };

  /**
   * Replaces npm, git and GitHub's CLI by programs for which the given versions and tags already exist with the given contents.
   */
  function recorder(published: Record<string, string> = {}, refusal = "npm error code E404") {
    const commands: string[] = [];
    const run = async (program: string, args: string[]) => {
      commands.push([program, ...args].join(" "));
      const found = published[args[args[0] === "ls-remote" ? 2 : 1] ?? ""];
      const isMissing = args[0] === "view" && found === undefined;
      const stdout = `${found ?? ""}\n`;
      return isMissing
        ? { code: 1, stdout: "", stderr: refusal, output: refusal }
        : { code: 0, stdout, stderr: "", output: stdout };
    };
    return { commands, run };
  }

  const options = "--access public --provenance --ignore-scripts";
  const onGitHub =
    "gh release create v1.2.3 --verify-tag --title pipestack 1.2.3 --notes-file notes.md a.tgz SHA256SUMS";

  const goTag = "refs/tags/sdk/go/v1.2.3";

  it("the publication creates the release only after the packages and the tag for Go", async () => {
    const { commands, run } = recorder();
    await publish(release, run);
    expect(commands).to.deep.equal([
      "npm view pipestack@1.2.3 dist.integrity",
      `npm publish a.tgz ${options}`,
      "npm view pipestack-sandbox@1.2.3 dist.integrity",
      `npm publish b.tgz ${options}`,
      `git ls-remote origin ${goTag}`,
      `git push origin c0ffee:${goTag}`,
      onGitHub,
    ]);
  });

  it("the publication continues after a failure with the packages and the tag that are not published yet", async () => {
    const looks = /^(npm view|git ls-remote) /;
    for (const [published, left] of [
      [
        { "pipestack@1.2.3": "sha512-a" },
        [`npm publish b.tgz ${options}`, `git push origin c0ffee:${goTag}`],
      ],
      [
        { "pipestack@1.2.3": "sha512-a", "pipestack-sandbox@1.2.3": "sha512-b", [goTag]: `c0ffee\t${goTag}` },
        [],
      ],
    ] as const) {
      const { commands, run } = recorder(published);
      await publish(release, run);
      expect(commands.filter((line) => !looks.test(line))).to.deep.equal([...left, onGitHub]);
    }
  });

  it("the publication creates no release if the tag for Go exists with other contents", async () => {
    const { commands, run } = recorder({ [goTag]: `decade\t${goTag}` });
    const failure = await publish(release, run).catch((error: Error) => error.message);
    expect(failure).to.match(/^the tag sdk\/go\/v1\.2\.3 exists with other contents/);
    expect(commands.at(-1)).to.equal(`git ls-remote origin ${goTag}`);
  });

  it("the publication stops if npm has the version with other contents, or does not answer", async () => {
    for (const [{ commands, run }, message] of [
      [recorder({ "pipestack@1.2.3": "sha512-x" }), /pipestack@1\.2\.3 is published with other contents/],
      [recorder({}, "npm error code ECONNRESET"), /npm does not tell whether pipestack@1\.2\.3 is published/],
    ] as const) {
      const failure = await publish(release, run).catch((error: Error) => error.message);
      expect(failure).to.match(message);
      expect(commands).to.have.length(1);
    }
  });

  it("a dry run of the publication publishes nothing", async () => {
    const { commands, run } = recorder();
    await tryPublishing(["a.tgz"], run);
    expect(commands).to.deep.equal([`npm publish a.tgz --dry-run ${options}`]);
  });
});

describe("The GitHub workflow of a release", () => {
  interface Job {
    if?: string;
    needs?: string[];
    permissions?: Record<string, string>;
    strategy?: { matrix: { include: { platform: string }[] } };
  }
  const workflow: { permissions: Record<string, string>; jobs: Record<string, Job> } = parse(
    read(".github/workflows/release.yml"),
    { strict: true, uniqueKeys: true },
  );
  const { check, archive, publish: last } = workflow.jobs;

  it("the release workflow builds the archive for each platform of a release", () => {
    const built = archive?.strategy?.matrix.include.map(({ platform }) => platform);
    expect(built).to.have.members(platforms);
  });

  it("the release workflow publishes only a tag that has passed all checks", () => {
    expect(last).to.include({ if: "github.ref_type == 'tag'" });
    expect(last?.needs).to.have.members(["check", "archive"]);
  });

  it("only the last job of the release workflow has write access", () => {
    expect(last?.permissions).to.deep.equal({ contents: "write", "id-token": "write" });
    expect(workflow.permissions).to.deep.equal({ contents: "read" });
    expect([check, archive].map((job) => job?.permissions)).to.deep.equal([undefined, undefined]);
  });
});

describe("The versions of Node that a package accepts", () => {
  for (const name of ["package.json", "sandbox/package.json"]) {
    it(`CI tests the lowest versions of Node that a package accepts: ${name}`, () => {
      const lowest = [...JSON.parse(read(name)).engines.node.matchAll(/(?:\^|>=)(\S+)/g)].map(([, it]) => it);
      expect(lowest).to.have.length(2);
      expect(nodeVersions).to.include.members(lowest);
    });
  }
});
