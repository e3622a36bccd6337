import { expect } from "chai";
import type { SavedSearch } from "../../../sandbox/index";
import { refusalOf } from "./operations";
import { type Setup, sourceId } from "./setups";
import type { ResourceTests, SuiteOf } from "./suite";

const [adoptedId, otherId] = ["65f1c0a2b3d4e5f607182951", "65f1c0a2b3d4e5f607182952"];
const missing = "65f1c0a2b3d4e5f6071829ff";

const plain = { name: "plain", sourceId };
const whole = {
  ...plain,
  name: "whole",
  select: "Timestamp, Body",
  where: "SeverityText:error",
  whereLanguage: "lucene",
  orderBy: "Timestamp DESC",
  tags: ["a", "b"],
  filters: [{ type: "sql", condition: "ServiceName IN ('api')" }],
};
const { orderBy, tags, ...wholeNow } = { ...whole, where: "SeverityText:warn" };

const search = (name: string, args: object) => `new SavedSearch("${name}", ${JSON.stringify(args)});\n`;

export function savedSearchTests(suiteOf: SuiteOf, setup: Setup): ResourceTests {
  const suite = suiteOf("SavedSearch");
  const stored = (name: string) => suite.sandbox.store.savedSearches.get(suite.id(name));
  const existing = (id: string, name: string): SavedSearch => {
    const [seeded] = suite.sandbox.store.savedSearches.values();
    if (!seeded) throw new Error("the sandbox has no saved search");
    return { ...structuredClone(seeded), id, name };
  };
  const changedProgram = () =>
    search("plain", plain) +
    search("whole", wholeNow) +
    search("adopted", { ...plain, name: "adopted" }) +
    `const other = SavedSearch.get("other", "${otherId}");
exports.SavedSearch = pulumi.all([other.id, other.name]);
`;

  return {
    type: "SavedSearch",
    looks: ["listSavedSearches"],

    prepare() {
      for (const [id, name] of [
        [adoptedId, "by hand"],
        [otherId, "other"],
      ] as const)
        suite.sandbox.store.savedSearches.set(id, existing(id, name));
    },

    created: {
      program: () =>
        search("plain", plain) +
        search("whole", whole) +
        search("adopted", { ...plain, name: "adopted", adoptId: adoptedId }),
      tests() {
        it("sends what is declared and nothing else, once for each search", () => {
          suite.expectSent("createSavedSearch", plain, whole);
          expect(stored("whole")).to.deep.include(whole);
        });

        it("is adopted with adoptId, and keeps what it has", () => {
          const { select, where } = existing(adoptedId, "by hand");
          expect(stored("adopted")).to.deep.include({ id: adoptedId, name: "adopted", select, where });
        });

        it("is in the state with what the service says of it", async () => {
          const { createdAt } = stored("whole") ?? {};
          expect(await suite.outputsOf("whole")).to.deep.include({ ...whole, ...suite.scope(), createdAt });
        });
      },
    },

    changed: {
      program: changedProgram,
      tests() {
        it("is updated in place, and reset where the program no longer says anything", async () => {
          const expected = { plain: "same", whole: "update", adopted: "same", other: "read" };
          expect(suite.done()).to.deep.equal(expected);
          suite.expectSent("updateSavedSearch", { ...wholeNow, orderBy: "", tags: [] });
          expect(stored("whole")).to.deep.include({ ...wholeNow, orderBy: "", tags: [] });
          expect(await suite.exported()).to.deep.equal([otherId, "other"]);
        });
      },
    },

    changedAgain: {
      program: changedProgram,
      tests() {
        it("stays as it is", () => {
          const { plain, whole, adopted } = suite.done();
          expect([plain, whole, adopted]).to.deep.equal(["same", "same", "same"]);
        });
      },
    },

    beforeDestroy: () => void suite.sandbox.store.savedSearches.delete(suite.id("whole")),

    destroyed() {
      it("is gone from the service, which keeps those that were only read", () => {
        const left = [...suite.sandbox.store.savedSearches.values()].map(({ name }) => name);
        expect(left).to.include("other").and.not.include.members(["plain", "adopted"]);
        expect(suite.asked()).to.include("deleteSavedSearch 404");
      });
    },

    refused: "createSavedSearch",
    failing: [
      {
        when: "the API refuses it",
        name: "refused",
        declaration: search("refused", { ...plain, sourceId: missing }),
        message: [refusalOf(setup, "createSavedSearch"), "sourceId must be an existing source id"],
      },
      {
        when: "get finds nothing",
        name: "missing",
        declaration: `SavedSearch.get("missing", "${missing}");`,
        message: [`error: SavedSearch ${missing} does not exist`],
      },
    ],
  };
}
