import type { QueryApiEndpoint, Sandbox } from "../../../sandbox/index";
import { type Example, placed } from "./example";

const key = "c6a1e9d4-2b57-4f38-8d60-7e91b3a5f204";

const revenue = {
  ...{ name: "Revenue", sql: "SELECT sum(price)\nFROM orders\n", database: "default" },
  ...{ apiKeyIds: [key], roles: ["sql_console_read_only"] },
};
const whole = {
  ...{ ...revenue, roles: ["sql_console_read_only", "reporting"], parameters: { year: "2026", month: "" } },
  allowedOrigins: ["https://b.example.com", "https://a.example.com"],
};

const homeEndpoint = "6d1c7b52-8f3a-4e60-9a2b-0c4d5e6f7a82";

export const queryApiEndpointExample: Example = {
  valid: placed("5b0e9d8c-7f6a-4b5c-8d9e-0f1a2b3c4d5e", whole),
  wholes: { "with parameters and origins": whole },
  equivalents: {
    "with parameters and origins": {
      apiKeyIds: [key],
      roles: ["reporting", "sql_console_read_only"],
      allowedOrigins: ["https://a.example.com", "https://b.example.com"],
    },
  },
  alternatives: { parameters: [{ year: "2027" }], apiKeyIds: [] },
  programs: () => [revenue, { ...revenue, sql: "SELECT sum(price)\nFROM orders\nWHERE paid\n" }],
  find: ({ store }, id) => store.queryApiEndpoints.get(id),
  isListedInPart: true,
  furnish: ({ sandbox }) => addEndpoint(sandbox, { id: homeEndpoint, name: "Home" }),
  home: homeEndpoint,
  creatable: {
    id: "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbb9",
    add: ({ sandbox }, id) => addEndpoint(sandbox, { id, sql: "SELECT 'by hand'" }),
  },
};

export function addEndpoint({ store, credentials }: Sandbox, changed: Partial<QueryApiEndpoint>): void {
  const { serviceId } = credentials;
  const ownerType = "queryApiEndpoint";
  const record = { id: "", serviceId, ...revenue, parameters: {}, allowedOrigins: [], ownerType, ...changed };
  store.queryApiEndpoints.set(record.id, record as QueryApiEndpoint);
}
