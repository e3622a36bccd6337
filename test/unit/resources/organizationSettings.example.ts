import { type Example, organizationId } from "./example";

const named = { name: "Acme Analytics" };

export const organizationSettingsExample: Example = {
  valid: { organizationId, ...named, enableCoreDumps: false, onDestroy: "keep" },
  wholes: { "all settings": { ...named, enableCoreDumps: false }, "one setting": { enableCoreDumps: false } },
  programs: () => [named, { ...named, enableCoreDumps: false }],
  find({ store }, id) {
    const { id: own, name, enableCoreDumps = true } = store.organization;
    return own === id ? { id, name, enableCoreDumps } : undefined;
  },
};
