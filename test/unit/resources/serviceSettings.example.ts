import { type Example, organizationId, serviceId } from "./example";

const settings = { max_concurrent_queries: 500, session_timezone: "UTC" };

export const serviceSettingsExample: Example = {
  valid: { organizationId, serviceId, settings, onDestroy: "restore" },
  wholes: { "of a number and a text": { settings } },
  alternatives: { max_concurrent_queries: [600], session_timezone: ["Europe/Berlin"] },
  equivalents: { "of a number and a text": { settings: { ...settings, max_concurrent_queries: "500" } } },
  programs: () => [{ settings }, { settings: { ...settings, max_concurrent_queries: 600 } }],
  isUpdatedInParts: true,
  find: ({ store }, id) => {
    const { databaseSettings = {} } = (store.services.get(id) ?? {}) as { databaseSettings?: object };
    // The comparison converts all values of database settings to text, since a number and its text mean the same setting.
    return {
      settings: Object.fromEntries(
        Object.entries(databaseSettings).map(([name, value]) => [name, `${value}`]),
      ),
    };
  },
};
