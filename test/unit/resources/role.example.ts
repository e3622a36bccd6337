import type { Role, Sandbox } from "../../../sandbox/index";
import { type Example, organizationId, serviceId } from "./example";

const view = {
  allowDeny: "ALLOW",
  permissions: ["control-plane:service:view", "control-plane:service:view-backups"],
  resources: [`instance/${serviceId}`],
};
const whole = {
  name: "Readers",
  policies: [
    { ...view, tags: { grants: ["GRANT SELECT ON default.*"], roleV2: "sql-console-readonly" } },
    {
      allowDeny: "DENY",
      permissions: ["control-plane:organization:view"],
      resources: [`organization/${organizationId}`],
    },
  ],
};

export const roleExample: Example = {
  valid: { organizationId, adoptId: "0d1f2a3b-4c5d-4e6f-8a7b-9c0d1e2f3a04", ...whole },
  wholes: {
    // A program that every organization accepts, since it refers to no object that only one organization has.
    "with policies of services": { name: "Readers", policies: [view] },
    "with policies of both scopes": whole,
  },
  alternatives: { permissions: [["control-plane:service:view"]], resources: [["instance/*"]] },
  programs: () => [
    { name: "Readers", policies: [view] },
    { name: "Readers", policies: [{ ...view, permissions: ["control-plane:service:view"] }] },
  ],
  bodyOf: (program) => ({ ...program, actors: [] }),
  isUpdatedInParts: true,
  find({ store }, id) {
    const role = store.roles.get(id);
    // The service gives the policies of a role new ids with each change, so the record that tests compare has no such ids.
    return role && { ...role, policies: role.policies?.map(({ id: _, ...policy }) => policy) };
  },
  creatable: {
    id: "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbb11",
    add: ({ sandbox }, id) => addRole(sandbox, id),
  },
};

function addRole({ store }: Sandbox, id: string): void {
  const [first] = [...store.roles.values()].filter(({ type }) => type === "custom");
  store.roles.set(id, { ...structuredClone(first as Role), ...{ id, name: "by hand" } });
}
