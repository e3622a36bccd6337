import { sha256 } from "../../../sandbox/core/identifiers";
import type { ApiKey, Sandbox } from "../../../sandbox/index";
import { type Example, type JsonObject, organizationId } from "./example";

/** Hashes of an API key that programs declare. No message may contain them. */
export const hashData = {
  keyIdHash: "hash-of-key-id-5d41402abc",
  keyIdSuffix: "suffix-b4c7",
  keySecretHash: "hash-of-key-secret-7d793037a0",
};

const reporting = { name: "reporting", roles: ["developer"] };
const withRoles: JsonObject = {
  ...{ name: "reporting", roles: ["admin", "developer"], state: "disabled" },
  expireAt: "2999-12-31T00:00:00Z",
  ipAccessList: [{ source: "203.0.113.0/24", description: "office" }, { source: "2001:db8::1" }],
};

/** The id of an API key that tests with faults add to the sandbox, so that they need not change the key that signs requests. */
export const ownKey = "cccccccc-cccc-4ccc-8ccc-cccccccccccc";

export const apiKeyExample: Example = {
  valid: {
    ...{ organizationId, adoptId: "c6a1e9d4-2b57-4f38-8d60-7e91b3a5f204" },
    ...{ ...withRoles, hashData, keepers: { rotation: "2027-01" } },
  },
  wholes: {
    "with roles": withRoles,
    "of hashes": { ...reporting, hashData },
    "with ids of roles": {
      name: "reporting",
      assignedRoleIds: ["0d1f2a3b-4c5d-4e6f-8a7b-9c0d1e2f3a04", "0d1f2a3b-4c5d-4e6f-8a7b-9c0d1e2f3a03"],
    },
  },
  needs: { "with ids of roles": { dialect: "clickhouse" } },
  equivalents: {
    "with roles": {
      ...{ roles: ["developer", "admin"], expireAt: "2999-12-31T01:00:00+01:00" },
      ipAccessList: [{ source: "2001:db8::1" }, { source: "203.0.113.0/24", description: "office" }],
    },
  },
  programs: () => [reporting, { ...reporting, roles: ["admin"] }],
  find: ({ store }, id) => store.keys.get(id),
  furnish: ({ sandbox }) => addKey(sandbox, { id: "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaa5" }),
  home: ownKey,
  creatable: {
    id: "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbb1",
    add: ({ sandbox }, id) => addKey(sandbox, { id, roles: ["admin"] }),
  },
};

export function addKey({ store }: Sandbox, changed: Partial<ApiKey>): void {
  const record: ApiKey = {
    id: "",
    name: "reporting",
    state: "enabled",
    roles: ["developer"],
    keySuffix: "abcd",
    createdAt: new Date(0).toISOString(),
    keyIdHash: sha256(`id of ${changed.id}`),
    keySecretHash: sha256(`secret of ${changed.id}`),
    ...changed,
  };
  store.keys.set(record.id, record);
}
