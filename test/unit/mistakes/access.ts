import { type Area, key } from "./mistake";

const other = "0d5f8c0e-54ce-4a1c-8a0e-0b8c6c3fb6a5";

/** Credentials that are refused, and places that are not there. */
export const accessMistakes: Area = {
  title: "Credentials and places",
  mistakes: {
    "Set a wrong `keySecret`": (world) => world.creation("ApiKey", key, { keySecret: "not-the-secret" }),
    "Set a wrong `accessToken`": (world) =>
      world.creation(
        "Dashboard",
        { name: "Ingestion", tiles: [] },
        { accessToken: "not-the-token", observabilityVia: "observability" },
      ),
    "Copied the `accessToken` with `Bearer`": (world) =>
      world.preview(
        "Dashboard",
        { name: "Ingestion", tiles: [] },
        { accessToken: "Bearer not-the-token", observabilityVia: "observability" },
      ),
    "Used a key that has expired": (world) => {
      for (const record of world.sandbox.store.keys.values()) record.expireAt = "2020-01-01T00:00:00Z";
      return world.creation("ApiKey", key);
    },
    "Used a key whose role is too weak": (world) => world.failingCreation("403", "ApiKey", key),
    "Ran behind a firewall that refuses the request": (world) =>
      world.failingCreation("403-firewall", "ApiKey", key),
    "Set another organization": (world) => world.creation("ApiKey", key, { organizationId: other }),
    "Set a service that does not exist": (world) =>
      world.creation("QueryEndpoint", { roles: [], openApiKeys: [] }, { serviceId: other }),
    "Set a service that does not exist, for its scaling": (world) =>
      world.creation("ServiceScaling", { numReplicas: 3 }, { serviceId: other }),
    "Used a service that is asleep or stopped": (world) =>
      world.failingCreation("503", "Dashboard", { name: "Ingestion", tiles: [] }),
  },
};
