import { type Example, organizationId, serviceId } from "./example";

const withKeys = {
  roles: ["sql_console_read_only", "sql_console_admin"],
  openApiKeys: ["c6a1e9d4-2b57-4f38-8d60-7e91b3a5f204"],
  allowedOrigins: ["https://b.example.com", "https://a.example.com"],
};

export const queryEndpointExample: Example = {
  valid: { organizationId, serviceId, ...withKeys },
  wholes: {
    "with keys": withKeys,
    "with origins as a text": { roles: [], openApiKeys: [], allowedOrigins: "https://b.example.com, *" },
  },
  equivalents: {
    "with keys": {
      roles: ["sql_console_admin", "sql_console_read_only"],
      allowedOrigins: "https://a.example.com, https://b.example.com",
    },
  },
  bodyOf: ({ allowedOrigins = "", ...program }) => ({
    ...program,
    allowedOrigins: String(allowedOrigins).replaceAll(", ", ","),
  }),
  alternatives: { openApiKeys: [[]] },
  programs: ({ sandbox }) => {
    const openApiKeys = [...sandbox.store.keys.keys()].slice(0, 1);
    const endpoint = { roles: ["sql_console_admin"], openApiKeys };
    return [
      { ...endpoint, allowedOrigins: "https://a.example.com" },
      { ...endpoint, allowedOrigins: "https://b.example.com" },
    ];
  },
  find: ({ store }, id) => store.queryEndpointOf(id),
  furnish({ sandbox: { store, credentials } }) {
    const endpoint = { id: "other", serviceId: credentials.secondServiceId };
    store.queryEndpoints.set(endpoint.id, { ...endpoint, roles: [], openApiKeys: [], allowedOrigins: "" });
  },
};
