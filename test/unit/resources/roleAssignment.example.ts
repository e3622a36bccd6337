import { addKey } from "./apiKey.example";
import { type Example, organizationId } from "./example";

const roleId = "5e1d7c90-84ab-4f26-b3d9-6c0e2a9f1b11";
const apiKeyId = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaa12";
const userId = "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbb1";

export const roleAssignmentExample: Example = {
  valid: { organizationId, roleId, userId },
  wholes: { "of a user": { roleId, userId }, "of a key": { roleId, apiKeyId } },
  programs: () => [
    { roleId, userId },
    { roleId, userId },
  ],
  bodyOf: ({ apiKeyId: key }) => ({ actors: [key ? `apiKey/${key}` : `user/${userId}`] }),
  find: ({ store }, id) => {
    const [role = "", , actor = ""] = id.split(":");
    const roles = [
      ...(store.members.get(actor)?.roleIds ?? []),
      ...(store.keys.get(actor)?.assignedRoles ?? []).map((each) => each.roleId),
    ];
    return roles.includes(role) ? { id } : undefined;
  },
  furnish({ sandbox }) {
    const { store } = sandbox;
    addKey(sandbox, { id: apiKeyId, name: "Reporting", roles: [], assignedRoles: [] });
    store.members.set(userId, {
      ...{ id: userId, email: "ben@example.com", name: "Ben" },
      ...{ joinedAt: "2026-01-01T00:00:00Z", roleIds: [] },
    });
  },
};
