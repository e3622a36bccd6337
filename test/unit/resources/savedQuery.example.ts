import type { Sandbox, SavedQuery } from "../../../sandbox/index";
import { type Example, placed } from "./example";

const slow = { name: "Slow", sql: "SELECT query\nFROM query_log\n", database: "system" };
const whole = { ...slow, parameters: { least: "1000", most: "" } };

const homeQuery = "6d1c7b52-8f3a-4e60-9a2b-0c4d5e6f7a81";

export const savedQueryExample: Example = {
  valid: placed("5b0e9d8c-7f6a-4b5c-8d9e-0f1a2b3c4d5e", whole),
  wholes: { "with parameters": whole },
  alternatives: { parameters: [{ least: "2000" }] },
  programs: () => [slow, { ...slow, sql: "SELECT query\nFROM query_log\nLIMIT 1\n" }],
  find: ({ store }, id) => store.savedQueries.get(id),
  isListedInPart: true,
  furnish: ({ sandbox }) => addSavedQuery(sandbox, { id: homeQuery, name: "Home" }),
  home: homeQuery,
  creatable: {
    id: "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbb8",
    hasUniqueName: true,
    add: ({ sandbox }, id) => addSavedQuery(sandbox, { id, sql: "SELECT 'by hand'" }),
  },
};

function addSavedQuery({ store, credentials }: Sandbox, changed: Partial<SavedQuery>): void {
  const { serviceId } = credentials;
  const record = { id: "", serviceId, ...slow, parameters: {}, ...changed };
  store.savedQueries.set(record.id, record);
}
