import { expect } from "chai";
import type { Data } from "../../../provider/lifecycle/data";
import { createSandbox, type Sandbox } from "../../../sandbox/src";
import { Declared, sessionOf } from "../drift/fixture";
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
  ["filters[0].type", "sql_ast", "must be one of sql"],
  ["filters[0].condition", absent, required],
];

describe("SavedSearch", () => {
  itKeeps("SavedSearch", rules);

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

const setups = {
  "both APIs of the document": { dialect: "neutral", apis: "both" },
  "the product's management API alone": { dialect: "clickhouse", apis: "management" },
  "an observability server alone": { dialect: "clickhouse", apis: "observability" },
} as const;

for (const [title, options] of Object.entries(setups)) {
  describe(`A saved search, with ${title}`, () => {
    let sandbox: Sandbox;
    before(async () => {
      sandbox = await createSandbox(options);
    });
    beforeEach(async () => {
      await sandbox.reset();
      sandbox.requests.length = 0;
    });
    after(() => sandbox.close());

    const opened = () => sessionOf(sandbox, { dialect: options.dialect, requestsPerSecond: "1000" }).session;
    const applied = async (type: "SavedSearch" | "Alert", program: Data) => {
      const declared = new Declared(type, program);
      await declared.up(opened());
      return declared;
    };
    const changed = async (before: Declared, program: Data) => {
      const { id, state, inputs } = before;
      const declared = Object.assign(new Declared("SavedSearch", program), { id, state, inputs });
      return { declared, paths: (await declared.up(opened())).map(({ path }) => path) };
    };
    const sent = (method: string) =>
      sandbox.requests.filter((request) => request.method === method).map(({ requestBody }) => requestBody);

    it("is created, found unchanged, updated in place and deleted, with what is declared and nothing else", async () => {
      const declared = await applied("SavedSearch", whole);
      expect(sent("POST")).to.deep.equal([whole]);
      expect(sandbox.store.savedSearches.get(declared.id)).to.deep.include(whole);
      expect(await declared.refresh(opened())).to.deep.equal([]);

      const { declared: next, paths } = await changed(declared, { ...whole, where: "level:warn" });
      expect(paths).to.deep.equal(["where"]);
      expect(sent("PUT")).to.deep.equal([{ ...whole, where: "level:warn" }]);
      expect(await next.refresh(opened())).to.deep.equal([]);

      await next.delete(opened());
      expect(await next.refresh(opened())).to.equal("gone");
      expect(sandbox.requests.filter(({ status }) => status !== 200 && status !== 404)).to.deep.equal([]);
    });

    it("is reset where the program no longer says anything", async () => {
      const { declared } = await changed(await applied("SavedSearch", whole), plain);
      expect(sandbox.store.savedSearches.get(declared.id)).to.deep.include({
        ...plain,
        ...{ select: "", where: "", whereLanguage: "lucene", orderBy: "", tags: [], filters: [] },
      });
      expect(await declared.refresh(opened())).to.deep.equal([]);
    });

    it("keeps what the program does not declare", async () => {
      const declared = await applied("SavedSearch", plain);
      Object.assign(sandbox.store.savedSearches.get(declared.id) ?? {}, { where: "by hand", tags: ["c"] });
      const { declared: next } = await changed(declared, { ...plain, name: "Other" });
      expect(sandbox.store.savedSearches.get(next.id)).to.deep.include({
        name: "Other",
        where: "by hand",
        tags: ["c"],
      });
    });

    if (options.dialect === "clickhouse")
      it("takes the alerts on it along when it is deleted, as the service does", async () => {
        const declared = await applied("SavedSearch", plain);
        const channel = { type: "webhook", webhookId: [...sandbox.store.webhooks.keys()][0] };
        const alert = await applied("Alert", {
          ...{ source: "search", savedSearch: declared.id, channel },
          ...{ threshold: 1, thresholdType: "below", interval: "1h" },
        });
        await declared.delete(opened());
        expect(await alert.refresh(opened())).to.equal("gone");
      });
  });
}
