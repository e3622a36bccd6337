import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { forget, projectIn, useFixture } from "./fixture";
import { useLanguages } from "./languages/languageHosts";

const example = join(__dirname, "..", "..", "examples", "overview");

describe("The example program overview", () => {
  const fixture = useFixture({
    host: "dynamic",
    language: "typescript",
    projectFile: projectIn(example),
    sandbox: { dialect: "clickhouse" },
  });
  const languages = useLanguages(fixture);
  let made: unknown;

  before(() => {
    // The provider's own rate limit is lifted, since it would only slow down the test.
    fixture.environment.PIPESTACK_REQUESTS_PER_SECOND = "1000";
  });

  /** Returns the only dashboard in the sandbox, without the ids that the service gave. */
  function dashboard() {
    const all = [...fixture.sandbox.store.dashboards.values()];
    expect(all).to.have.length(1);
    return JSON.parse(JSON.stringify(all[0], (key, value) => (key === "id" ? undefined : value)));
  }

  it("the TypeScript program of the example overview creates its dashboard without a warning", async () => {
    const { summary, output } = await fixture.up();
    expect(summary).to.deep.equal({ create: 1 });
    expect(output).to.not.include("warning");
    made = dashboard();
  });

  it("the dashboard of the example overview has rows of three tiles, and between them a table of full width", () => {
    expect(
      dashboard().tiles.map(({ name, x, y }: { [member: string]: unknown }) => [name, x, y]),
    ).to.deep.equal([
      ...[
        ["Requests", 0, 0],
        ["Error rate", 8, 0],
        ["Duration", 16, 0],
      ],
      ["Slowest operations", 0, 8],
      ...[
        ["Errors by service", 0, 16],
        ["Recent errors", 8, 16],
      ],
    ]);
  });

  it("the Python program of the example overview finds nothing to change in the stack of its TypeScript program", async () => {
    await writeFile(join(fixture.folder, "Pulumi.yaml"), projectIn(join(example, "python")));
    fixture.environment.PATH = languages.python;
    forget(fixture.sandbox);
    expect((await fixture.up()).summary).to.deep.equal({ same: 1 });
    expect(fixture.sandbox.requests.filter(({ method }) => method !== "GET")).to.deep.equal([]);
  });

  it("after a destroy, the Python program of the example overview creates the dashboard of its TypeScript program again", async () => {
    await fixture.destroy();
    expect(fixture.sandbox.store.dashboards.size).to.equal(0);
    expect((await fixture.up()).summary).to.deep.equal({ create: 1 });
    expect(dashboard()).to.deep.equal(made);
  });
});
