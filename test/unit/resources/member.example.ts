import { type Example, organizationId } from "./example";

const reports = "5e1d7c90-84ab-4f26-b3d9-6c0e2a9f1b11";
const developer = "0d1f2a3b-4c5d-4e6f-8a7b-9c0d1e2f3a02";
const ann = { email: "ann@example.com", assignedRoleIds: [reports] };

export const memberExample: Example = {
  valid: { organizationId, ...ann, removeOnDelete: true },
  wholes: { "with a role": ann },
  equivalents: { "with a role": { email: "Ann@Example.com" } },
  alternatives: { assignedRoleIds: [[developer]] },
  programs: () => [ann, { ...ann, assignedRoleIds: [developer] }],
  isUpdatedInParts: true,
  find({ store }, email) {
    const people = [...store.members.values(), ...store.invitations.values()];
    const person = people.find((each) => each.email === email);
    // An update of an open invitation replaces it by one with another id, so the compared record contains no id.
    return person && { email: person.email, roleIds: person.roleIds };
  },
};
