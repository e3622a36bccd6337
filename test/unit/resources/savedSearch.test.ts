import { expect } from "chai";
import type { Declared } from "../drift/fixture";
import { setups, useLife } from "./life";
import { itKeeps, onManagement, type Rule } from "./rules";

const comparison = { type: "sql_ast", operator: "=", left: "ServiceName", right: "'api'" };

const rules: readonly Rule[] = [
  [{ name: " Errors" }, "name must be a text that neither begins nor ends with a blank"],
  [{ filters: [comparison, { type: "lucene", condition: "a:b" }, { condition: "a IN (1)" }] }, []],
];

describe("The check of a saved search", () => {
  itKeeps({ type: "SavedSearch" }, rules);
  itKeeps({ type: "SavedSearch", settings: onManagement }, [
    [
      { filters: [comparison] },
      "filters[0].type must be sql, unless the setting observabilityVia is observability",
    ],
  ]);
});

describe("Saved searches of a self-hosted server", () => {
  const life = useLife(setups["an observability server alone"]);
  const session = () => life.opened().session;
  const stored = ({ id }: Declared) => life.sandbox.store.savedSearches.get(id);
  const plain = { name: "Failing", sourceId: "65f1c0a2b3d4e5f607182911" };

  it("a saved search filter without a type gets the service's default type and shows no drift", async () => {
    const filters = [{ condition: "ServiceName IN ('api')" }];
    const declared = await life.applied("SavedSearch", { ...plain, filters });
    expect(life.bodiesOf("POST")).to.deep.equal([{ ...plain, filters }]);
    expect(stored(declared)?.filters).to.deep.equal([{ type: "sql", ...filters[0] }]);
    expect(await declared.refresh(session())).to.deep.equal([]);
  });
});
