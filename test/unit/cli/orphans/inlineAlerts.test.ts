import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { useServiceFixture } from "../serviceFixture";
import { deleting, type Report, resource } from "./orphansFixture";

describe("pipestack orphans and the charts of inline alerts", () => {
  const fixture = useServiceFixture({ dialect: "clickhouse", apis: "observability" });

  async function addInline(chart: object): Promise<string> {
    const { obsBaseUrl, credentials, store } = fixture.sandbox;
    const answer = await fetch(`${obsBaseUrl}/api/v2/alerts`, {
      method: "POST",
      headers: { authorization: `Bearer ${credentials.accessToken}`, "content-type": "application/json" },
      body: JSON.stringify({
        ...{ name: "Errors", source: "inline", interval: "1h", threshold: 1, thresholdType: "above" },
        ...{ chartConfig: chart, channel: { type: "webhook", webhookId: [...store.webhooks.keys()][0] } },
      }),
    });
    expect(answer.status).to.equal(200);
    return ((await answer.json()) as { data: { id: string } }).data.id;
  }

  /** What `pipestack orphans --delete` says of the sources and connections if a Pulumi state has the given resources. */
  async function reportOf(held: object[]) {
    const state = join(fixture.folder, "state.json");
    await writeFile(state, JSON.stringify({ version: 3, deployment: { manifest: {}, resources: held } }));
    const options = Object.keys(deleting).map((name) => `--${name}`);
    const args = ["orphans", "--state", state, "--only", "Source,Connection", "--json", ...options];
    fixture.sandbox.requests.length = 0;
    const { stdout, stderr } = await fixture.pipestack(args);
    expect(stderr).to.equal("");
    return (JSON.parse(stdout) as Report).orphans;
  }

  const reads = () => fixture.sandbox.requests.filter(({ operation }) => operation === "getAlert").length;
  const logs = () =>
    [...fixture.sandbox.store.sources.values()].find(({ name }) => name === "Logs")?.id ?? "";
  const countOf = (sourceId: string) => ({
    ...{ displayType: "line", sourceId, select: [{ aggFn: "count", where: "" }] },
  });
  /** Resources that hold every connection, so that only the sources are orphans. */
  const connections = () =>
    [...fixture.sandbox.store.connections.keys()].map((id) => resource("Connection", id));

  beforeEach(() => fixture.sandbox.store.savedSearches.clear());

  it("pipestack orphans --delete keeps a source that the chart of an inline alert uses", async () => {
    const sourceId = logs();
    const alert = await addInline(countOf(sourceId));
    const orphans = await reportOf(connections());
    expect(orphans.find(({ id }) => id === sourceId)?.kept).to.equal(`alert ${alert} uses it and stays`);
    expect([...fixture.sandbox.store.sources.keys()]).to.deep.equal([sourceId]);
  });

  it("pipestack orphans --delete keeps a connection that the query of an inline alert uses", async () => {
    const { sources, connections: all } = fixture.sandbox.store;
    sources.clear();
    const [[connectionId, connection] = []] = all;
    const other = "65f1c0a2b3d4e5f6071829ff";
    if (connection) all.set(other, { ...connection, id: other });
    const query = { displayType: "number", configType: "sql", connectionId, sqlTemplate: "SELECT 1" };
    const alert = await addInline(query);
    const [orphan] = await reportOf([resource("Connection", other)]);
    expect(orphan).to.include({ id: connectionId, kept: `alert ${alert} uses it and stays` });
    expect(all.size).to.equal(2);
  });

  it("pipestack orphans --delete keeps all sources if the service does not show the chart of an alert", async () => {
    const alert = await addInline(countOf(logs()));
    await fixture.sandbox.faults.set([{ kind: "403", operation: "getAlert" }]);
    const orphans = await reportOf(connections());
    await fixture.sandbox.faults.clear();
    expect(new Set(orphans.map(({ kept }) => kept))).to.deep.equal(
      new Set([`cannot tell whether alert ${alert} uses it: the service does not show its chart`]),
    );
    expect(orphans).to.have.length(fixture.sandbox.store.sources.size);
  });

  it("pipestack orphans reads no chart if the states have all sources and connections", async () => {
    await addInline(countOf(logs()));
    const sources = [...fixture.sandbox.store.sources.keys()].map((id) => resource("Source", id));
    expect(await reportOf([...connections(), ...sources])).to.deep.equal([]);
    expect(reads()).to.equal(0);
  });
});
