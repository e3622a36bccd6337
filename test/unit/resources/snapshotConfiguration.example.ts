import { type Example, organizationId, serviceId } from "./example";

const often = { enabled: true, gap: 30, timeFrame: 1440 };

export const snapshotConfigurationExample: Example = {
  valid: { organizationId, serviceId, ...often, onDestroy: "keep" },
  wholes: { "twice an hour": often },
  alternatives: { gap: [], timeFrame: [] },
  programs: () => [often, { ...often, enabled: false }],
  find: ({ store }, id) => store.services.get(id)?.snapshotConfiguration,
};
