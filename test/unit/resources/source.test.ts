import { expect } from "chai";
import type { Data } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import type { Declared } from "../drift/fixture";
import { setups, useLife } from "./life";
import { failuresOf, itKeeps, type Rule, required, scopeRules, text, warningsOf } from "./rules";
import { sourcesByKind } from "./source.example";
import { absent, validInputs } from "./validInputs";

const period = "must be a count and a unit (s, m, h or d), such as 5m";
const column = "materializedViews[0].aggregatedColumns[1]";

const rules: readonly Rule[] = [
  ...scopeRules,
  ["name", absent, required],
  ["name", "", text],
  ["kind", absent, required],
  ["kind", "profile", "must be one of log, trace, metric, session, promql"],
  ["connection", absent, required],
  ["from", absent, required],
  ["from.databaseName", absent, required],
  ["from.tableName", absent, 'is required when kind is "log"'],
  ["from.tabelName", "a", "is not a valid property; did you mean tableName?"],
  ["timestampValueExpression", absent, required],
  ["defaultTableSelectExpression", absent, 'is required when kind is "log"'],
  ["bodyExpression", "", text],
  ["durationPrecision", 10, "must be a whole number from 0 to 9"],
  ["durationPrecision", 3, 'does not apply when kind is "log"'],
  ["spanLinksValueExpression", "Links", "needs the setting observabilityVia to be observability"],
  ["filterSettings", filterSettings(), "needs the setting observabilityVia to be management"],
  ["useTextIndexForImplicitColumn", true, "must be one of auto, enabled, disabled"],
  ["metricTables", {}, "must be an object with the table of at least one kind"],
  ["materializedViews[0].minGranularity", "5 minute", period],
  ["materializedViews[0].aggregatedColumns", [], "must be a list with at least one entry"],
  [`${column}.sourceColumn`, absent, "is required unless aggFn is count"],
  ["metadataMaterializedViews.kvRollupTable", absent, required],
];

function filterSettings() {
  return { databaseName: "otel", tableName: "requests", columns: [{ name: "Body", label: "Text" }] };
}

describe("Source", () => {
  itKeeps("Source", rules);

  for (const [kind, source] of Object.entries(sourcesByKind)) {
    const ofEveryKind = Object.keys(sourcesByKind.promql);
    const needed = Object.keys(source).filter((name) => !ofEveryKind.includes(name));

    it(`of the kind ${kind} needs ${needed.join(", ") || "nothing of its own"}`, () => {
      expect(failuresOf("Source", { ...place, ...source })).to.deep.equal([]);
      for (const name of needed) {
        const { [name]: _, ...rest } = source as Data;
        expect(failuresOf("Source", { ...place, ...rest })).to.deep.equal([
          `${name} is required when kind is "${kind}"`,
        ]);
      }
    });
  }

  it("passes as long as its kind is not known yet", () => {
    const later = { ...sourcesByKind.promql, kind: unknown, durationPrecision: 3 };
    expect(failuresOf("Source", { ...place, ...later })).to.deep.equal([]);
  });

  it("has at most what the product takes", () => {
    const long = {
      ...validInputs.Source,
      section: "a".repeat(257),
      querySettings: Array.from({ length: 11 }, () => ({ setting: "a", value: "b" })),
    };
    expect(failuresOf("Source", long)).to.deep.equal([]);
    expect(failuresOf("Source", long, { dialect: "clickhouse" })).to.deep.equal([
      "section must be a string of at most 256 characters",
      "querySettings must be a list of at most 10 entries",
    ]);
  });

  it("is told of a member that of its kind one API alone takes", () => {
    const onManagement = { dialect: "clickhouse", observabilityVia: "management" } as const;
    const onObservability = { dialect: "clickhouse", observabilityVia: "observability" } as const;
    for (const [kind, member] of [
      ["trace", "displayedTimestampValueExpression"],
      ["metric", "serviceNameExpression"],
      ["session", "resourceAttributesExpression"],
    ] as const) {
      const source = { ...place, ...sourcesByKind[kind], [member]: "a" };
      expect(failuresOf("Source", source, onManagement)).to.deep.equal([
        `${member} needs the setting observabilityVia to be observability when kind is "${kind}"`,
      ]);
      expect(failuresOf("Source", source, onObservability)).to.deep.equal([]);
    }
  });

  it("is warned of a condition that people can get around", () => {
    const source = { ...place, ...sourcesByKind.log, tableFilterExpression: "TenantId = 1" };
    expect(warningsOf("Source", source, { observabilityVia: "observability" })).to.deep.equal([
      "Source: tableFilterExpression is deprecated: use a row policy of the database, which people cannot get around",
    ]);
  });
});

const { organizationId, serviceId } = validInputs.Source;
const place = { organizationId, serviceId };
const { log: plain } = sourcesByKind;

/** What the server adds to a source of logs that declares none of it. */
const filledIn = {
  disabled: false,
  querySettings: [],
  highlightedTraceAttributeExpressions: [],
  highlightedRowAttributeExpressions: [],
  materializedViews: [],
};

for (const [title, setup] of Object.entries(setups)) {
  describe(`A source, with ${title}`, () => {
    const life = useLife(setup);
    const session = () => life.opened().session;
    const applied = (program: Data) => life.applied("Source", program);
    const stored = ({ id }: Declared) => life.sandbox.store.sources.get(id);
    const isObservability = setup.apis === "observability";

    it("becomes one of another kind in place, and takes along only what that kind has", async () => {
      const declared = await applied(sourcesByKind.trace);
      Object.assign(stored(declared) ?? {}, { section: "Web", statusCodeExpression: "Status" });
      const { declared: next, paths } = await life.changed(declared, plain);
      expect(paths).to.include("kind");
      expect(next.id).to.equal(declared.id);
      const { id, serviceId, ...left } = stored(next) ?? {};
      expect(left).to.deep.equal({ ...plain, ...filledIn, section: "Web" });
      expect(await next.refresh(session())).to.deep.equal([]);
    });

    it("keeps what only the observability API knows, or says that an update loses it", async () => {
      const declared = await applied(plain);
      Object.assign(stored(declared) ?? {}, { orderByExpression: "Timestamp DESC" });
      await declared.refresh(session());
      const { warnings, session: later } = life.opened();
      const next = Object.assign(declared, { program: { ...plain, bodyExpression: "Body" } });
      await next.up(later);
      if (isObservability) {
        expect(stored(next)?.orderByExpression).to.equal("Timestamp DESC");
        expect(warnings).to.deep.equal([]);
      } else {
        expect(stored(next)).to.not.have.property("orderByExpression");
        expect(warnings.join()).to.include("the update loses orderByExpression");
      }
    });

    it("is refused without a connection, in the words of the service", async () => {
      const error = await applied({ ...plain, connection: "none" }).catch(String);
      expect(error).to.include("connection must be a valid connection id");
    });
  });
}
