import { type Example, organizationId, serviceId } from "./example";

const daily = { backupStartTime: "03:00", backupPeriodInHours: 24, backupRetentionPeriodInHours: 168 };

export const backupConfigurationExample: Example = {
  valid: { organizationId, serviceId, ...daily, onDestroy: "keep" },
  wholes: { "at an hour of the day": daily, "every few hours": { backupPeriodInHours: 12 } },
  alternatives: { backupPeriodInHours: [8, 48] },
  programs: () => [daily, { ...daily, backupRetentionPeriodInHours: 240 }],
  find: ({ store }, id) => store.services.get(id)?.backupConfiguration,
};
