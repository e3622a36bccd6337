import { sourcesByKind } from "../resources/source.example";
import { type Area, creationOf, failingCreationOf, key, previewOf, World } from "./mistake";

const otherId = "0d5f8c0e-54ce-4a1c-8a0e-0b8c6c3fb6a5";
const dashboard = { name: "Ingestion", tiles: [] };
const withToken = (accessToken: string) => ({ accessToken, observabilityVia: "observability" });

export const accessMistakes: Area = {
  title: "Credentials and places",
  mistakes: {
    "Set a wrong `keySecret`": creationOf("ApiKey", key, { keySecret: "not-the-secret" }),
    "Set a wrong `accessToken`": creationOf("Dashboard", dashboard, withToken("not-the-token")),
    "Copied the `accessToken` with `Bearer`": previewOf(
      "Dashboard",
      dashboard,
      withToken("Bearer not-the-token"),
    ),
    "Used a key that has expired": (world) => {
      for (const record of world.sandbox.store.keys.values()) record.expireAt = "2020-01-01T00:00:00Z";
      return world.creation("ApiKey", key);
    },
    "Used a key whose role is too weak": failingCreationOf("403"),
    "Declared a `Source` in fully managed ClickHouse Observability": () =>
      World.use(
        async (cloud) => {
          await cloud.sandbox.faults.add({ kind: "403", operation: "createSource" });
          const inCloud = {
            dialect: "clickhouse",
            observabilityVia: "management",
            accessToken: undefined,
            obsBaseUrl: undefined,
          };
          return cloud.creation("Source", sourcesByKind.log, inCloud);
        },
        { dialect: "clickhouse" },
      ),
    "Ran behind a firewall that refuses the request": failingCreationOf("403-firewall"),
    "Set another organization": creationOf("ApiKey", key, { organizationId: otherId }),
    "Set a service that does not exist": creationOf(
      "QueryEndpoint",
      { roles: [], openApiKeys: [] },
      { serviceId: otherId },
    ),
    "Set a service that does not exist, for its scaling": creationOf(
      "ServiceScaling",
      { numReplicas: 3 },
      { serviceId: otherId },
    ),
    "Used a service that is asleep or stopped": failingCreationOf("503", "Dashboard", dashboard),
  },
};
