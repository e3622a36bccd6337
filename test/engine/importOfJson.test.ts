import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { builtPipestack } from "../pipestackCommand";
import { pageFile } from "../unit/cli/import/pageFile";
import { useFixture } from "./fixture";

describe("A program generated from a dashboard that ClickStack's page has exported", () => {
  const sandbox = { dialect: "clickhouse", apis: "observability" } as const;
  const fixture = useFixture({ host: "dynamic", language: "typescript", sandbox });

  before(async () => {
    await writeFile(join(fixture.folder, "board.json"), JSON.stringify(pageFile));
    const args = ["import", "--json", "board.json"];
    const { code, stderr } = await builtPipestack(args, fixture.folder, fixture.environment);
    expect(code, stderr).to.equal(0);
  });

  it("the program generated from an exported dashboard creates one dashboard", async () => {
    expect((await fixture.up()).summary).to.deep.equal({ create: 1 });
  });

  it("a second update of the program generated from an exported dashboard changes nothing", async () => {
    expect((await fixture.up({ args: ["--refresh"] })).summary).to.deep.equal({ same: 1 });
    expect((await fixture.preview({ args: ["--refresh", "--expect-no-changes"] })).code).to.equal(0);
  });

  it("the tiles of the generated program have the ids of the service's own sources", async () => {
    const { dashboards, sources } = fixture.sandbox.store;
    const [traces] = [...sources.values()].filter(({ name }) => name === "Traces");
    const [dashboard] = dashboards.values();
    expect(dashboard?.tiles.map(({ name }) => name)).to.deep.equal(
      pageFile.tiles.flatMap(({ config: { name } }) => (name === "Load" ? [] : [name])),
    );
    expect(dashboard?.tiles[0]?.config).to.deep.include({ sourceId: traces?.id, asRatio: true });
    expect(await readFile(join(fixture.folder, "index.ts"), "utf8")).to.not.include(traces?.id);
  });
});
