import { Provider } from "../../../provider/hosts/dynamic/provider";
import { configurationFailures } from "../../../provider/hosts/plugin/configuration";
import { type Area, key, messageOf, onSearch, tile } from "./mistake";

const noCredentials = { keyId: undefined, keySecret: undefined, accessToken: undefined };

/** Settings that are missing or wrong. */
export const settingMistakes: Area = {
  title: "Settings",
  mistakes: [
    {
      made: "Set nothing at all",
      play: (world) =>
        world.preview(
          "ApiKey",
          key,
          Object.fromEntries(Object.keys(world.settings()).map((name) => [name, undefined])),
        ),
      told: 'settings organizationId, baseUrl, keyId and keySecret are missing; set each with "pulumi config set pipestack:<name> <value>" (--secret for keySecret) or the environment variables PIPESTACK_ORGANIZATION_ID, PIPESTACK_BASE_URL, PIPESTACK_KEY_ID and PIPESTACK_KEY_SECRET',
      remedy: "Set them all; `npx pipestack sandbox` prints a complete set to try ([settings](settings.md)).",
    },
    {
      made: "Set no credential",
      play: (world) => world.preview("Dashboard", { name: "Ingestion", tiles: [] }, noCredentials),
      told: 'settings keyId and keySecret are missing; set each with "pulumi config set pipestack:<name> <value>" (--secret for keySecret) or the environment variables PIPESTACK_KEY_ID and PIPESTACK_KEY_SECRET; a server with the observability API alone needs only obsBaseUrl and accessToken',
      remedy:
        "A service in the cloud takes a key, a server of your own an access token ([which API serves what](settings.md#which-api-serves-dashboards-and-alerts)).",
    },
    {
      made: "Forgot `keySecret`",
      play: (world) => world.preview("ApiKey", key, { keySecret: undefined }),
      told: 'setting keySecret is missing; set it with "pulumi config set --secret pipestack:keySecret <value>" or the environment variable PIPESTACK_KEY_SECRET',
      remedy:
        "Set it as a secret. Lost? Nobody can show it again: create another key ([credentials](credentials.md)).",
    },
    {
      made: "Forgot `keySecret`, beside an `accessToken`",
      play: (world) =>
        world.preview("Dashboard", { name: "Ingestion", tiles: [tile] }, { keySecret: undefined }),
      told: "warning: pipestack: dashboards and alerts go through the observability API alone, since keyId is set without keySecret; if you mean that, set observabilityVia to observability",
      remedy: "Set `keySecret`, or say that the other API is meant.",
    },
    {
      made: "Forgot `accessToken`, with `observabilityVia: observability`",
      play: (world) =>
        world.preview("Alert", onSearch(world.webhookId), {
          accessToken: undefined,
          observabilityVia: "observability",
        }),
      told: 'setting accessToken is missing; set it with "pulumi config set --secret pipestack:accessToken <value>" or the environment variable PIPESTACK_ACCESS_TOKEN',
      remedy: "Set it, or leave `observabilityVia` out.",
    },
    {
      made: "Set an address with http",
      play: (world) => world.preview("ApiKey", key, { baseUrl: "http://api.example.com" }),
      told: 'setting baseUrl must be an https:// address (http:// only for this machine\'s loopback addresses, since it carries credentials), without user, query or fragment, and without /v1, which each request adds (found "http://api.example.com"); set it with "pulumi config set pipestack:baseUrl <value>" or the environment variable PIPESTACK_BASE_URL',
      remedy: "Use https. Plain http is for `localhost` alone, such as the sandbox.",
    },
    {
      made: "Set an address with the path of the requests",
      play: (world) =>
        world.preview(
          "Dashboard",
          { name: "Errors", tiles: [] },
          { obsBaseUrl: "https://logs.example.com/api/v2" },
        ),
      told: 'setting obsBaseUrl must be an https:// address (http:// only for this machine\'s loopback addresses, since it carries credentials), without user, query or fragment, and without /api/v2, which each request adds (found "https://logs.example.com/api/v2"); set it with "pulumi config set pipestack:obsBaseUrl <value>" or the environment variable PIPESTACK_OBS_BASE_URL',
      remedy: "Leave `/api/v2` out: `https://logs.example.com`.",
    },
    {
      made: "Set a name as `organizationId`, and two more wrong values",
      play: (world) =>
        world.preview("ApiKey", key, {
          organizationId: "my-company",
          dialect: "ClickHouse",
          timeoutSeconds: "30s",
        }),
      told: 'setting organizationId must be a uuid, such as 7b0f0f0e-27a2-4f0c-9f43-9c1d6a0a3c11 (found "my-company"); set it with "pulumi config set pipestack:organizationId <value>" or the environment variable PIPESTACK_ORGANIZATION_ID\nsetting dialect must be neutral or clickhouse (found "ClickHouse"); set it with "pulumi config set pipestack:dialect <value>" or the environment variable PIPESTACK_DIALECT\nsetting timeoutSeconds must be a number of seconds from 1 to 600 (found "30s"); set it with "pulumi config set pipestack:timeoutSeconds <value>" or the environment variable PIPESTACK_TIMEOUT_SECONDS',
      remedy: "The ids stand in the addresses of the console. Names of dialects are in lower case.",
    },
    {
      made: "Mistyped the name of a setting (plugin)",
      play: async () =>
        configurationFailures({ organisationId: "x" })
          .map(({ message }) => message)
          .join("\n"),
      told: "organisationId is not a setting; did you mean organizationId?",
      remedy:
        "Correct it. The dynamic provider does not see configuration of other names: there, the setting is said to be missing.",
    },
    {
      made: "Mistyped the name of an argument of `Provider`",
      play: async () => messageOf(async () => new Provider("production", { serviceID: "x" } as object)),
      told: 'Provider "production": serviceID is not a setting; did you mean serviceId?',
      remedy: "Correct it; capitals count.",
    },
    {
      made: "Set the address of a web page",
      play: (world) => world.failingCreation("not-json", "ApiKey", key),
      told: 'the answer is a web page, not the API\'s JSON; check the setting baseUrl (PIPESTACK_BASE_URL): it must be the address of the API itself (createKey: POST /v1/organizations/<organization>/keys answered 200)\nThe request may have been carried out, or may still be: before you run the update again, run npx pipestack orphans; if it lists an API key named "Reports" in organization <organization>, delete it, since its keySecret is lost',
      remedy: "Set the address of the API, such as `https://api.example.com`, not that of the console.",
    },
    {
      made: "Set the wrong `dialect`",
      play: (world) =>
        world.creation(
          "Dashboard",
          { name: "Ingestion", tiles: [] },
          { dialect: "clickhouse", observabilityVia: "management" },
        ),
      told: "Cannot POST /v1/organizations/<organization>/services/<service>/clickstack/dashboards; the API itself does not answer like this, so check the settings baseUrl and dialect, or update the server: it may be too old for createDashboard (createDashboard: POST /v1/organizations/<organization>/services/<service>/clickstack/dashboards answered 404)",
      remedy:
        "`clickhouse` is for ClickHouse Cloud and HyperDX, `neutral` for servers of the API document ([dialects](settings.md#clickhouse-cloud-and-hyperdx)).",
    },
  ],
};
