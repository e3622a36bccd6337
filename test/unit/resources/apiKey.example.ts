import fc from "fast-check";
import { addKey, ownKey } from "../faults/service";
import { changeOf, type Example, organizationId, word } from "./example";

/** Hashes that no message may show. */
export const hashData = {
  keyIdHash: "hash-of-key-id-5d41402abc",
  keyIdSuffix: "suffix-b4c7",
  keySecretHash: "hash-of-key-secret-7d793037a0",
};

const reporting = { name: "reporting", roles: ["developer"] };

export const apiKeyExample: Example = {
  valid: {
    organizationId,
    adoptId: "c6a1e9d4-2b57-4f38-8d60-7e91b3a5f204",
    name: "reporting",
    roles: ["admin", "developer"],
    state: "enabled",
    expireAt: "2999-12-31T00:00:00Z",
    ipAccessList: [
      { source: "203.0.113.0/24", description: "office" },
      { source: "2001:db8::1", description: "" },
    ],
    hashData,
    keepers: { rotation: "2027-01" },
  },
  programs: () => [reporting, { ...reporting, roles: ["admin"] }],
  randomPrograms: () =>
    fc.record(
      {
        name: word,
        roles: fc.subarray(["admin", "developer", "query_endpoints"], { minLength: 1 }),
        state: fc.constantFrom("enabled", "disabled"),
        expireAt: fc.constantFrom("2031-01-01T00:00:00Z", "2032-02-03T04:05:06.700+02:00", ""),
        ipAccessList: fc.uniqueArray(
          fc.record({ source: fc.ipV4(), description: word }, { requiredKeys: ["source"] }),
          { minLength: 1, maxLength: 3, selector: ({ source }) => source },
        ),
      },
      { requiredKeys: ["name", "roles"] },
    ),
  outsideChanges: () => [
    changeOf("name", (old: string) => `${old} 2`),
    changeOf("roles", (old: string[]) =>
      old.length === 3 ? ["admin"] : ["admin", "developer", "query_endpoints"],
    ),
    changeOf("state", (old: string) => (old === "enabled" ? "disabled" : "enabled")),
    changeOf("expireAt", () => "2040-01-01T00:00:00.000Z"),
    changeOf("ipAccessList", (old: unknown[]) => [...old, { source: "2001:db8::/32" }]),
  ],
  find: ({ store }, id) => store.keys.get(id),
  requests: () => ({
    createKey: [{}, reporting],
    getKey: [{ id: ownKey }],
    updateKey: [{ id: ownKey }, { ...reporting, name: "changed" }],
    deleteKey: [{ id: ownKey }],
  }),
  creatable: {
    operation: "createKey",
    list: "listKeys",
    id: "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbb1",
    add: ({ sandbox }, id) => addKey(sandbox, { id, roles: ["admin"] }),
  },
};
