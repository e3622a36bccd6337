import { expect } from "chai";
import { importObject } from "../../../provider/lifecycle/read";
import type { State } from "../../../provider/lifecycle/state";
import { resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import type { Declared } from "../drift/fixture";
import { setups, useLife } from "./life";
import { itKeeps, onManagement, onObservability, type Rule, warningsOf } from "./rules";
import { sourcesByKind } from "./source.example";
import { absent, validInputs } from "./validInputs";

const filterSettings = {
  ...{ databaseName: "otel", tableName: "requests" },
  columns: [{ name: "Body", label: "Text" }],
};
const column = "materializedViews[0].aggregatedColumns[1]";

const rules: readonly Rule[] = [
  [{ "from.tableName": absent }, 'from.tableName is required when kind is "log"'],
  [{ durationPrecision: 3 }, 'durationPrecision does not apply when kind is "log"'],
  [{ spanLinksValueExpression: "Links" }, 'spanLinksValueExpression does not apply when kind is "log"'],
  [{ filterSettings }, []],
  [{ metricTables: {} }, "metricTables must be an object with the table of at least one kind"],
  [
    { "materializedViews[0].minGranularity": "5 minute" },
    "materializedViews[0].minGranularity must be a count and a unit (s, m, h or d), such as 5m",
  ],
  [{ [`${column}.sourceColumn`]: absent }, `${column}.sourceColumn is required unless aggFn is count`],
  [{ ...sourcesByKind.promql, kind: unknown, durationPrecision: 3 }, []],
];

describe("The check of a source", () => {
  itKeeps({ type: "Source" }, rules);
  itKeeps({ type: "Source", valid: sourcesByKind.session }, [
    [{ traceSourceId: absent }, 'traceSourceId is required when kind is "session"'],
  ]);
  itKeeps({ type: "Source", valid: sourcesByKind.log, settings: onObservability }, [
    [
      { filterSettings },
      "filterSettings would be dropped by the server; it needs ClickHouse Cloud, with the setting observabilityVia: management",
    ],
  ]);
  const ofTraces = { displayedTimestampValueExpression: "a" };
  itKeeps({ type: "Source", valid: sourcesByKind.trace, settings: onManagement }, [[ofTraces, []]]);

  it("the check of a source warns that queries can bypass a tableFilterExpression", () => {
    const source = { ...sourcesByKind.log, tableFilterExpression: "TenantId = 1" };
    expect(warningsOf("Source", source, { observabilityVia: "observability" })).to.deep.equal([
      "Source: tableFilterExpression is deprecated: use a row policy of the database, which people cannot get around",
    ]);
    expect(warningsOf("Source", validInputs.Source)).to.deep.equal([]);
  });
});

const { log: plain } = sourcesByKind;

describe("The adoption of a source by a create whose answer was lost", () => {
  const isLike = (found: object, sent: object) =>
    resources.Source.isLike?.({ ...plain, ...found }, { ...plain, ...sent });

  it("a create whose answer is lost adopts a source that differs only by properties that the service adds", () => {
    expect(isLike({ disabled: false, querySettings: [] }, {})).to.equal(true);
  });

  for (const [what, found, sent] of [
    ["on although the program declares it off", { disabled: false }, { disabled: true }],
    ["without the expression that the program declares", { bodyExpression: "" }, { bodyExpression: "Body" }],
  ] as const)
    it(`a create whose answer is lost does not adopt a source that is ${what}`, () => {
      expect(isLike(found, sent)).to.equal(false);
    });
});

for (const api of ["the product's management API", "an observability server"] as const)
  describe(`Updates of sources, with ${api} alone`, () => {
    const life = useLife(setups[`${api} alone`]);
    const session = () => life.opened().session;
    const stored = ({ id }: Declared) => life.sandbox.store.sources.get(id);

    it("an update changes the kind of a source in place with only the properties of the new kind", async () => {
      const declared = await life.applied("Source", sourcesByKind.trace);
      Object.assign(stored(declared) ?? {}, { section: "Web", statusCodeExpression: "Status" });
      const { declared: next, paths } = await life.changed(declared, plain);
      expect(paths).to.include("kind");
      expect(next.id).to.equal(declared.id);
      const { id, serviceId, disabled, ...left } = stored(next) ?? {};
      const filledIn = Object.entries(left).filter(([, value]) => Array.isArray(value) && value.length === 0);
      expect(left).to.deep.equal({ ...plain, ...Object.fromEntries(filledIn), section: "Web" });
      expect(await next.refresh(session())).to.deep.equal([]);
    });

    if (api === "the product's management API")
      it("a create fails with the path of a source's property that the service refuses", async () => {
        const sources = life.sandbox.store.sources.size;
        const program = { ...plain, tableFilterExpression: "TenantId = 1" };
        const failure = await life.applied("Source", program).catch((error: Error) => error.message);
        expect(failure).to.match(/tableFilterExpression.*\(createSource: POST .* answered 400/);
        expect(life.sandbox.store.sources.size).to.equal(sources);
      });
  });

describe("Properties of newer servers", () => {
  const life = useLife(setups["an observability server alone"]);

  it("empty texts that a source shows for undeclared properties are no change even after an import", async () => {
    const source = await life.applied("Source", plain);
    const left = {
      eventAttributesExpression: "",
      resourceAttributesExpression: "",
      implicitColumnExpression: "",
    };
    Object.assign(life.sandbox.store.sources.get(source.id) ?? {}, left);
    const { session } = life.opened();
    expect(await source.refresh(session)).to.deep.equal([]);
    const imported = (await importObject(resources.Source, source.id, {}, session)) as {
      inputs: PropertyMap;
      state: State;
    };
    const { id } = source;
    for (const program of [source.inputs, imported.inputs])
      expect(await resources.Source.diff(id, imported.state, program, session)).to.deep.equal([]);
    expect(life.bodiesOf("PUT")).to.deep.equal([]);
  });

  it("an update of a source or a webhook sends back properties that only the server's answers have", async () => {
    const source = await life.applied("Source", sourcesByKind.log);
    const webhook = { name: "paging", service: "generic", url: "https://hooks.example.com/x" };
    const receiver = await life.applied("Webhook", webhook);
    const { sources, webhooks } = life.sandbox.store;
    Object.assign(sources.get(source.id) ?? {}, { rowKeyExpression: "cityHash64(Body)" });
    Object.assign(webhooks.get(receiver.id) ?? {}, { titleEmoji: false });
    await life.changed(source, { ...sourcesByKind.log, bodyExpression: "Body" });
    await life.changed(receiver, { ...webhook, description: "Pages" });
    expect(sources.get(source.id)).to.include({
      rowKeyExpression: "cityHash64(Body)",
      bodyExpression: "Body",
    });
    expect(webhooks.get(receiver.id)).to.include({ titleEmoji: false, description: "Pages" });
    const [, second] = life.bodiesOf("PUT") as object[];
    expect(second).to.not.have.any.keys("id", "createdAt", "updatedAt");
  });
});
