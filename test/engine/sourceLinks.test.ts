import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { builtPipestack, settingVariables } from "../pipestackCommand";
import { selected } from "../seed";
import { useFixture } from "./fixture";

/** Sources of logs and of traces, each of which has the id of the other. */
const programWith = (links: string, ofLogs = "") => `
const common = { connection: "65f1c0a2b3d4e5f607182900", timestampValueExpression: "Timestamp" };
const logs = new Source("my-logs", {
  ...common, kind: "log", from: { databaseName: "otel", tableName: "otel_logs" },
  defaultTableSelectExpression: "Timestamp, Body", ${ofLogs}
});
const traces = new Source("my-traces", {
  ...common, kind: "trace", from: { databaseName: "otel", tableName: "otel_traces" },
  defaultTableSelectExpression: "Timestamp, SpanName", durationExpression: "Duration",
  traceIdExpression: "TraceId", spanIdExpression: "SpanId", parentSpanIdExpression: "ParentSpanId",
  spanNameExpression: "SpanName", spanKindExpression: "SpanKind", logSourceId: logs.id,
});
${links}
`;
const toTraces = `new SourceLinks("links", { sourceId: logs.id, traceSourceId: traces.id });`;

for (const host of selected(["dynamic", "plugin"] as const, 2, 1))
  describe(`Two sources that refer to each other, in the ${host} host`, () => {
    const fixture = useFixture({ host, sandbox: { dialect: "clickhouse" } });
    const sourceNamed = (name: string) => {
      const all = [...fixture.sandbox.store.sources.values()];
      return all.find((source) => source.name === name);
    };

    before(() => {
      Object.assign(
        fixture.environment,
        settingVariables({ dialect: "clickhouse", requestsPerSecond: "1000" }),
      );
    });

    it("one update links both, and neither the next preview nor a refresh shows a change", async () => {
      await fixture.write(programWith(toTraces));
      const { output } = await fixture.up();
      expect(output).to.not.include("warning");
      const [logs, traces] = ["my-logs", "my-traces"].map(sourceNamed);
      expect(logs).to.include({ traceSourceId: traces?.id });
      expect(traces).to.include({ logSourceId: logs?.id });
      await fixture.preview({ args: ["--expect-no-changes"] });
      await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
    });

    it("a change of the source keeps its links, and a second declaration of one is refused in the preview", async () => {
      await fixture.write(programWith(toTraces, `section: "Web",`));
      await fixture.up({ args: ["--skip-preview"] });
      expect(sourceNamed("my-logs")).to.include({
        section: "Web",
        traceSourceId: sourceNamed("my-traces")?.id,
      });
      const twice = `traceSourceId: ${JSON.stringify(sourceNamed("my-traces")?.id)},`;
      await fixture.write(programWith(toTraces, twice));
      const { output } = await fixture.preview({ expect: "failure" });
      expect(output).to.match(/traceSourceId.*is declared by the Source, too; declare it in one of the two/s);
    });

    it("a link that moves into the source stays, and a destroy takes everything away without a warning", async () => {
      const traces = sourceNamed("my-traces")?.id;
      await fixture.write(programWith("", `traceSourceId: ${JSON.stringify(traces)},`));
      await fixture.up({ args: ["--skip-preview"] });
      expect(sourceNamed("my-logs")).to.include({ traceSourceId: traces });
      await fixture.write(programWith(toTraces));
      await fixture.up({ args: ["--skip-preview"] });
      expect(sourceNamed("my-logs")).to.include({ traceSourceId: traces });
      const { output } = await fixture.destroy();
      expect(output).to.not.include("warning");
      expect([sourceNamed("my-logs"), sourceNamed("my-traces")]).to.deep.equal([undefined, undefined]);
    });
  });

describe("pipestack import of sources that refer to each other", () => {
  const fixture = useFixture({ host: "dynamic", language: "typescript", sandbox: { dialect: "clickhouse" } });

  it("a SourceLinks declares the link that no source can declare, and the engine finds no difference after the import", async () => {
    const settings = { dialect: "clickhouse", requestsPerSecond: "1000" };
    Object.assign(fixture.environment, settingVariables(settings));
    const { sources } = fixture.sandbox.store;
    const kindOf = (kind: string) => [...sources.values()].find((source) => source.kind === kind);
    const [logs, traces] = [kindOf("log"), kindOf("trace")];
    expect(traces?.logSourceId).to.equal(logs?.id);
    Object.assign(logs ?? {}, { traceSourceId: traces?.id });
    const stored = structuredClone([...sources.values()]);
    const args = ["import", "--only", "Source"];
    const { code, stderr } = await builtPipestack(args, fixture.folder, fixture.environment);
    expect(code, stderr).to.equal(0);
    const program = await readFile(join(fixture.folder, "index.ts"), "utf8");
    expect(program).to.match(
      /new pipestack\.SourceLinks\("[\w-]+", \{\s+sourceId: (\w+)\.id,\s+traceSourceId: (\w+)\.id,\s+\}/,
    );
    expect(program)
      .to.match(/logSourceId: \w+\.id/)
      .and.not.include(logs?.id);
    await fixture.run([
      "import",
      "--file",
      "import.json",
      "--generate-code=false",
      "--protect=false",
      "--yes",
    ]);
    await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
    expect([...sources.values()]).to.deep.equal(stored);
  });
});
