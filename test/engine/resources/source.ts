import { expect } from "chai";
import type { Source } from "../../../sandbox/index";
import { refusalOf } from "./operations";
import { type Setup, sourceId } from "./setups";
import type { ResourceTests, SuiteOf } from "./suite";

const [adoptedId, otherId] = ["65f1c0a2b3d4e5f607182961", "65f1c0a2b3d4e5f607182962"];
const missing = "65f1c0a2b3d4e5f6071829ff";

const ofAllKinds = {
  connection: "65f1c0a2b3d4e5f607182900",
  from: { databaseName: "otel", tableName: "requests" },
  timestampValueExpression: "Timestamp",
};
const plain = { name: "plain", kind: "log", ...ofAllKinds, defaultTableSelectExpression: "Body" };
const whole = {
  name: "whole",
  kind: "trace",
  ...ofAllKinds,
  section: "Web",
  disabled: true,
  querySettings: [{ setting: "max_threads", value: "2" }],
  defaultTableSelectExpression: "SpanName",
  durationExpression: "Duration",
  durationPrecision: 9,
  traceIdExpression: "TraceId",
  spanIdExpression: "SpanId",
  parentSpanIdExpression: "ParentSpanId",
  spanNameExpression: "SpanName",
  spanKindExpression: "SpanKind",
  metadataMaterializedViews: { kvRollupTable: "values", granularity: "15m" },
};
const { section, disabled, metadataMaterializedViews, ...wholeNow } = {
  ...whole,
  spanNameExpression: "Name",
};
const metrics = {
  ...{ name: "metrics", kind: "metric", ...ofAllKinds, from: { databaseName: "otel" } },
  metricTables: { gauge: "load_gauge", exponentialHistogram: "load_histogram" },
  resourceAttributesExpression: "ResourceAttributes",
};
const metricsSent = {
  ...metrics,
  from: { databaseName: "otel", tableName: "" },
  metricTables: { gauge: "load_gauge", "exponential histogram": "load_histogram" },
};

/** An expression in place of a text of the program. */
const code = (text: string) => `«${text}»`;
const source = (name: string, args: object) =>
  `const ${name} = new Source("${name}", ${JSON.stringify(args).replace(/"«(.*?)»"/g, "$1")});\n`;

export function sourceTests(suiteOf: SuiteOf, setup: Setup): ResourceTests {
  const suite = suiteOf("Source");
  const stored = (name: string) => suite.sandbox.store.sources.get(suite.id(name));
  const existing = (id: string, name: string): Source => {
    const seeded = suite.sandbox.store.sources.get(sourceId);
    if (!seeded) throw new Error("the sandbox has no source of logs");
    return { ...structuredClone(seeded), id, name };
  };
  const program = (own: object) =>
    source("whole", own) +
    source("plain", { ...plain, traceSourceId: code("whole.id") }) +
    source("metrics", metrics) +
    source("adopted", { ...plain, name: "adopted" });
  const changedProgram = () =>
    `${program(wholeNow)}const other = Source.get("other", "${otherId}");
exports.Source = pulumi.all([other.id, other.name]);
`;

  return {
    type: "Source",
    looks: ["listSources"],

    prepare() {
      for (const [id, name] of [
        [adoptedId, "by hand"],
        [otherId, "other"],
      ] as const)
        suite.sandbox.store.sources.set(id, existing(id, name));
    },

    created: {
      program: () => program(whole).replace('"name":"adopted"', `"name":"adopted","adoptId":"${adoptedId}"`),
      tests() {
        it("sends what is declared and what servers require, once for each source", () => {
          const traceSourceId = suite.id("whole");
          suite.expectSent("createSource", { ...plain, traceSourceId }, whole, metricsSent);
          expect(stored("whole")).to.deep.include(whole);
        });

        it("is adopted with adoptId, and keeps what it has", () => {
          const { severityTextExpression } = existing(adoptedId, "by hand");
          expect(stored("adopted")).to.deep.include({ ...plain, name: "adopted", severityTextExpression });
        });

        it("is in the state with what is declared", async () => {
          expect(await suite.outputsOf("whole")).to.deep.include({ ...whole, ...suite.scope() });
          expect(await suite.outputsOf("metrics")).to.deep.include(metrics);
        });
      },
    },

    changed: {
      program: changedProgram,
      tests() {
        it("is updated in place, and cleared where the program no longer says anything", async () => {
          const same = { plain: "same", metrics: "same", adopted: "same" };
          expect(suite.done()).to.deep.equal({ whole: "update", ...same, other: "read" });
          // What the service filled in is not declared, and so carried over.
          const carried = {
            highlightedRowAttributeExpressions: [],
            highlightedTraceAttributeExpressions: [],
            materializedViews: [],
          };
          suite.expectSent("updateSource", { ...wholeNow, ...carried });
          const filledIn = { disabled: false, spanNameExpression: "Name" };
          expect(stored("whole")).to.deep.include(filledIn).and.not.have.any.keys("section");
          expect(await suite.exported()).to.deep.equal([otherId, "other"]);
        });
      },
    },

    changedAgain: {
      program() {
        // Somebody else looks elsewhere.
        Object.assign(stored("plain") ?? {}, { timestampValueExpression: "Received" });
        return changedProgram();
      },
      tests() {
        it("looks where the program says, and otherwise stays as it is", () => {
          const { plain: restored, whole, metrics, adopted } = suite.done();
          expect([restored, whole, metrics, adopted]).to.deep.equal(["update", "same", "same", "same"]);
          expect(stored("plain")?.timestampValueExpression).to.equal("Timestamp");
        });
      },
    },

    beforeDestroy: () => void suite.sandbox.store.sources.delete(suite.id("metrics")),

    destroyed() {
      it("is gone from the service, which keeps those that were only read", () => {
        const left = [...suite.sandbox.store.sources.values()].map(({ name }) => name);
        expect(left).to.have.members(["Logs", "Traces", "Metrics", "other"]);
        expect(suite.asked()).to.include("deleteSource 404");
      });
    },

    refused: "createSource",
    failing: [
      {
        when: "the API refuses it",
        name: "refused",
        declaration: source("refused", { ...plain, connection: "none" }),
        message: [refusalOf(setup, "createSource"), "connection must be a valid connection id"],
      },
      {
        when: "get finds nothing",
        name: "missing",
        declaration: `Source.get("missing", "${missing}");`,
        message: [`error: Source ${missing} does not exist`],
      },
    ],
  };
}
