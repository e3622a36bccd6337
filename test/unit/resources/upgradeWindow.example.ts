import { type Example, organizationId, serviceId } from "./example";

const sundays = { weekday: 0, startHourUtc: 6 };

export const upgradeWindowExample: Example = {
  valid: { organizationId, serviceId, ...sundays, onDestroy: "keep" },
  wholes: { "on a day": { weekday: 3, startHourUtc: 12 } },
  programs: () => [sundays, { ...sundays, startHourUtc: 18 }],
  find: ({ store }, id) => store.services.get(id)?.upgradeWindow,
};
