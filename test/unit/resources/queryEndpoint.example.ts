import fc from "fast-check";
import { ownKey } from "../faults/service";
import { changeOf, type Example, organizationId, serviceId } from "./example";

const domain = fc.stringMatching(/^https:\/\/[a-z]{1,8}\.example$/);

export const queryEndpointExample: Example = {
  valid: {
    organizationId,
    serviceId,
    roles: ["sql_console_read_only", "sql_console_admin"],
    openApiKeys: ["c6a1e9d4-2b57-4f38-8d60-7e91b3a5f204", "0b1c2d3e-4f50-4617-8293-a4b5c6d7e8f9"],
    allowedOrigins: ["https://app.example.com", "https://reports.example.com"],
  },
  programs: ({ sandbox }) => {
    const openApiKeys = [...sandbox.store.keys.keys()].slice(0, 1);
    const endpoint = { roles: ["sql_console_admin"], openApiKeys };
    return [
      { ...endpoint, allowedOrigins: "https://a.example.com" },
      { ...endpoint, allowedOrigins: "https://b.example.com" },
    ];
  },
  randomPrograms: (sandbox) =>
    fc.record(
      {
        roles: fc.subarray(["sql_console_read_only", "sql_console_admin"], { minLength: 1 }),
        openApiKeys: fc.constant([...sandbox.store.keys.keys()].slice(0, 1)),
        allowedOrigins: fc.oneof(
          fc.uniqueArray(domain, { minLength: 1, maxLength: 3 }),
          fc.uniqueArray(domain, { minLength: 1, maxLength: 3 }).map((all) => all.join(", ")),
        ),
      },
      { requiredKeys: ["roles", "openApiKeys"] },
    ),
  outsideChanges: () => [
    changeOf("roles", (old: string[]) =>
      old.length === 2 ? ["sql_console_admin"] : ["sql_console_admin", "sql_console_read_only"],
    ),
    changeOf("openApiKeys", () => []),
    changeOf("allowedOrigins", (old: string) => `${old},https://other.test`),
  ],
  find: ({ store }, id) => store.queryEndpointOf(id),
  requests: () => ({
    putQueryEndpoint: [{}, { roles: ["sql_console_admin"], openApiKeys: [ownKey], allowedOrigins: "" }],
  }),
};
