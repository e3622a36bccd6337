import type { Sandbox, SavedSearch } from "../../../sandbox/index";
import { type Example, placed } from "./example";

const sourceId = "65f1c0a2b3d4e5f607182911";
const failing = { name: "Failing", sourceId, where: "SeverityText:error" };
const whole = {
  ...failing,
  ...{ select: "Timestamp, Body", whereLanguage: "lucene", orderBy: "Timestamp DESC", tags: ["a", "b"] },
  filters: [{ type: "sql", condition: "ServiceName IN ('api')" }],
};

/** The id of a saved search that another person has created and that no alert uses. */
const homeSearch = "65f1c0a2b3d4e5f607182932";

export const savedSearchExample: Example = {
  valid: placed("66f0c2d8a1b2c3d4e5f60712", whole),
  wholes: {
    "with all": whole,
    "with structured filters": {
      ...failing,
      filters: [{ type: "sql_ast", operator: "=", left: "ServiceName", right: "'api'" }],
    },
  },
  equivalents: { "with all": { tags: ["b", "a"] } },
  needs: { "with structured filters": { apis: "its page" } },
  alternatives: { sourceId: ["65f1c0a2b3d4e5f607182912"], type: [], condition: ["ServiceName IN ('b')"] },
  programs: () => [failing, { ...failing, where: "SeverityText:warn" }],
  find: ({ store }, id) => store.savedSearches.get(id),
  home: homeSearch,
  creatable: {
    id: "bbbbbbbbbbbbbbbbbbbbbbb8",
    add: ({ sandbox }, id) => addSavedSearch(sandbox, { id, where: "by hand" }),
  },
};

export function addSavedSearch({ store }: Sandbox, changed: Partial<SavedSearch>): void {
  const [seeded] = store.savedSearches.values();
  if (!seeded) throw new Error("the sandbox has no saved search");
  const record = {
    ...structuredClone(seeded),
    name: "Failing",
    where: "SeverityText:error",
    select: "",
    ...changed,
  };
  store.savedSearches.set(record.id, record);
}
