import { expect } from "chai";
import { importObject } from "../../../provider/lifecycle/read";
import { resources } from "../../../provider/resources/registry";
import type { Data } from "../../../provider/values/data";
import { Declared, threeMinutesLater } from "../drift/fixture";
import { setups, useLife } from "./life";
import { failuresOf, itKeeps, type Rule, required, scopeRules, text } from "./rules";
import { absent, validInputs } from "./validInputs";

const rules: readonly Rule[] = [
  ...scopeRules,
  ["name", absent, required],
  ["name", " Errors", "must be a text that neither begins nor ends with a blank"],
  ["sourceId", absent, required],
  ["sourceId", "", text],
  ["whereLanguage", "promql", "must be one of lucene, sql"],
  ["tags[1]", "a", "contains a duplicate: entries 0 and 1 are equal", "tags"],
  ["filters[0].type", "promql", "must be one of sql, lucene, sql_ast"],
  ["filters[0].condition", absent, required],
];

describe("SavedSearch", () => {
  itKeeps("SavedSearch", rules);

  it("has a structured filter with all of its members, through the observability API", () => {
    const comparison = { type: "sql_ast", operator: "=", left: "ServiceName", right: "'api'" };
    const failures = (filters: Data[], settings: object = {}) =>
      failuresOf("SavedSearch", { ...validInputs.SavedSearch, filters }, settings);
    expect(
      failures([comparison, { type: "lucene", condition: "a:b" }, { condition: "a IN (1)" }]),
    ).to.deep.equal([]);
    expect(failures([{ type: "sql_ast" }])).to.deep.equal([
      ...["operator", "left", "right"].map((member) => `filters[0].${member} is required`),
    ]);
    expect(failures([{ ...comparison, operator: "~" }])).to.deep.equal([
      "filters[0].operator must be one of =, <, >, !=, <=, >=",
    ]);
    const cloud = { dialect: "clickhouse", observabilityVia: "management" };
    expect(failures([comparison], cloud)).to.deep.equal([
      "filters[0].type must be sql, unless the setting observabilityVia is observability",
    ]);
  });

  it("has at most what the product takes", () => {
    const long = { ...validInputs.SavedSearch, where: "a".repeat(8193), tags: ["a".repeat(33)] };
    expect(failuresOf("SavedSearch", long)).to.deep.equal([]);
    expect(failuresOf("SavedSearch", long, { dialect: "clickhouse" })).to.deep.equal([
      "where must be a string of at most 8192 characters",
      "tags[0] must be a string of at most 32 characters",
    ]);
  });
});

const { adoptId, organizationId, serviceId, ...whole } = validInputs.SavedSearch as Data;
const plain = { name: whole.name, sourceId: whole.sourceId };

for (const [title, setup] of Object.entries(setups)) {
  describe(`A saved search, with ${title}`, () => {
    const life = useLife(setup);
    const session = () => life.opened().session;
    const stored = ({ id }: Declared) => life.sandbox.store.savedSearches.get(id);

    it("may leave out the type of a filter, which is then the service's default", async () => {
      const filters = [{ condition: "ServiceName IN ('api')" }];
      const declared = await life.applied("SavedSearch", { ...plain, filters });
      expect(life.sent("POST")).to.deep.equal([{ ...plain, filters }]);
      expect(stored(declared)?.filters).to.deep.equal([{ type: "sql", ...filters[0] }]);
      expect(await declared.refresh(session())).to.deep.equal([]);
    });

    if (setup.apis !== "management")
      it("keeps filters that people made on the page, as they are, through adoption, import and update", async () => {
        const declared = await life.applied("SavedSearch", plain);
        const filters = [
          { type: "lucene", condition: "level:error" },
          { type: "sql_ast", operator: ">=", left: "Duration", right: "100" },
          { type: "sql", condition: "Duration > 5" },
        ];
        Object.assign(stored(declared) ?? {}, { filters });
        await life.applied("SavedSearch", { ...plain, name: "Adopted", adoptId: declared.id });
        expect(stored(declared)).to.deep.include({ name: "Adopted", filters });

        const imported = await importObject(resources.SavedSearch, declared.id, {}, session());
        if (typeof imported === "string") throw new Error(imported);
        expect(imported.inputs.filters).to.deep.equal(filters);
        const before = Object.assign(new Declared("SavedSearch", {}), imported);
        const { declared: next } = await life.changed(before, { ...imported.inputs, name: "Imported" });
        expect(stored(next)).to.deep.include({ name: "Imported", filters });
        expect(await next.refresh(session())).to.deep.equal([]);
      });

    if (setup.dialect === "clickhouse")
      it("takes the alerts on it along when it is deleted, as the service does", async () => {
        const declared = await life.applied("SavedSearch", plain);
        const channel = { type: "webhook", webhookId: [...life.sandbox.store.webhooks.keys()][0] };
        const alert = await life.applied("Alert", {
          ...{ source: "search", savedSearch: declared.id, channel },
          ...{ threshold: 1, thresholdType: "below", interval: "1h" },
        });
        await declared.delete(session());
        expect(await threeMinutesLater(() => alert.refresh(session()))).to.equal("gone");
      });
  });
}
