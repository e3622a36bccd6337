import { type Area, key } from "./mistake";

const other = "0d5f8c0e-54ce-4a1c-8a0e-0b8c6c3fb6a5";

/** Credentials that are refused, and places that are not there. */
export const accessMistakes: Area = {
  title: "Credentials and places",
  mistakes: [
    {
      made: "Set a wrong `keySecret`",
      play: (world) => world.creation("ApiKey", key, { keySecret: "not-the-secret" }),
      told: "UNAUTHORIZED: unknown key id or wrong secret; check the settings keyId and keySecret: the key must be one of this organization, enabled and not expired (createKey: POST /v1/organizations/<organization>/keys answered 401, request <id>)",
      remedy: "Check both for a missing character, and that the environment does not override them.",
    },
    {
      made: "Set a wrong `accessToken`",
      play: (world) =>
        world.creation(
          "Dashboard",
          { name: "Ingestion", tiles: [] },
          { accessToken: "not-the-token", observabilityVia: "observability" },
        ),
      told: "Unauthorized; check the setting accessToken (createDashboard: POST /api/v2/dashboards answered 401)",
      remedy: "Copy it again, without `Bearer`.",
    },
    {
      made: "Copied the `accessToken` with `Bearer`",
      play: (world) =>
        world.preview(
          "Dashboard",
          { name: "Ingestion", tiles: [] },
          { accessToken: "Bearer not-the-token", observabilityVia: "observability" },
        ),
      told: 'setting accessToken must be printable ASCII without spaces; set it with "pulumi config set --secret pipestack:accessToken <value>" or the environment variable PIPESTACK_ACCESS_TOKEN',
      remedy: "Set the token alone. A line break at its end is no harm.",
    },
    {
      made: "Used a key that has expired",
      play: (world) => {
        for (const record of world.sandbox.store.keys.values()) record.expireAt = "2020-01-01T00:00:00Z";
        return world.creation("ApiKey", key);
      },
      told: "UNAUTHORIZED: the key has expired; check the settings keyId and keySecret: the key must be one of this organization, enabled and not expired (createKey: POST /v1/organizations/<organization>/keys answered 401, request <id>)",
      remedy:
        "Create another key, and set it in the environment, so that `refresh` and `destroy` have it, too ([credentials](credentials.md)).",
    },
    {
      made: "Used a key whose role is too weak",
      play: (world) => world.failingCreation("403", "ApiKey", key),
      told: "FORBIDDEN: not allowed; the key of the setting keyId needs the role admin for this, and its IP access list must include this machine (createKey: POST /v1/organizations/<organization>/keys answered 403, request <id>)",
      remedy: "Give the key the role, or use another one ([roles](roles.md)).",
    },
    {
      made: "Ran behind a firewall that refuses the request",
      play: (world) => world.failingCreation("403-firewall", "ApiKey", key),
      told: "Request blocked; the API itself does not answer like this: a firewall or a proxy may have refused it (createKey: POST /v1/organizations/<organization>/keys answered 403)",
      remedy: "Ask for access to the address of the API from this machine ([network](network.md)).",
    },
    {
      made: "Set another organization",
      play: (world) => world.creation("ApiKey", key, { organizationId: other }),
      told: "NOT_FOUND: organization not found; check the property organizationId, or the setting organizationId (PIPESTACK_ORGANIZATION_ID) (createKey: POST /v1/organizations/0d5f8c0e-54ce-4a1c-8a0e-0b8c6c3fb6a5/keys answered 404, request <id>)",
      remedy: "The id is wrong, or the key is one of another organization.",
    },
    {
      made: "Set a service that does not exist",
      play: (world) => world.creation("QueryEndpoint", { roles: [], openApiKeys: [] }, { serviceId: other }),
      told: "NOT_FOUND: service not found; check the property serviceId, or the setting serviceId (PIPESTACK_SERVICE_ID) (getQueryEndpoint: GET /v1/organizations/<organization>/services/0d5f8c0e-54ce-4a1c-8a0e-0b8c6c3fb6a5/serviceQueryEndpoint answered 404, request <id>)",
      remedy: "The service is in another organization, or was deleted.",
    },
    {
      made: "Set a service that does not exist, for its scaling",
      play: (world) => world.creation("ServiceScaling", { numReplicas: 3 }, { serviceId: other }),
      told: "NOT_FOUND: service not found; check the property serviceId, or the setting serviceId (PIPESTACK_SERVICE_ID) (getService: GET /v1/organizations/<organization>/services/0d5f8c0e-54ce-4a1c-8a0e-0b8c6c3fb6a5 answered 404, request <id>)",
      remedy: "Likewise.",
    },
    {
      made: "Used a service that is asleep or stopped",
      play: (world) => world.failingCreation("503", "Dashboard", { name: "Ingestion", tiles: [] }),
      told: 'SERVICE_UNAVAILABLE: not available for now (createDashboard: POST /v1/organizations/<organization>/services/<service>/stack/dashboards answered 503, request <id>)\nThe request may have been carried out, or may still be: before you run the update again, run npx pipestack orphans; if it lists a dashboard named "Ingestion" on service <service>, adopt it with adoptId or delete it',
      remedy:
        "Start the service. An object that was created in spite of it is found by `npx pipestack orphans` ([orphans](orphans.md)).",
    },
  ],
};
