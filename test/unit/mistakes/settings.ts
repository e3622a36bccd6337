import { Provider } from "../../../provider/hosts/dynamic/provider";
import { configurationFailures } from "../../../provider/hosts/plugin/configuration";
import { type Area, key, messageOf, onSearch, tile } from "./mistake";

const noCredentials = { keyId: undefined, keySecret: undefined, accessToken: undefined };

/** Settings that are missing or wrong. */
export const settingMistakes: Area = {
  title: "Settings",
  mistakes: {
    "Set nothing at all": (world) =>
      world.preview(
        "ApiKey",
        key,
        Object.fromEntries(Object.keys(world.settings()).map((name) => [name, undefined])),
      ),
    "Set no credential": (world) =>
      world.preview("Dashboard", { name: "Ingestion", tiles: [] }, noCredentials),
    "Forgot `keySecret`": (world) => world.preview("ApiKey", key, { keySecret: undefined }),
    "Forgot `keySecret`, beside an `accessToken`": (world) =>
      world.preview("Dashboard", { name: "Ingestion", tiles: [tile] }, { keySecret: undefined }),
    "Forgot `accessToken`, with `observabilityVia: observability`": (world) =>
      world.preview("Alert", onSearch(world.webhookId), {
        accessToken: undefined,
        observabilityVia: "observability",
      }),
    "Set an address with http": (world) =>
      world.preview("ApiKey", key, { baseUrl: "http://api.example.com" }),
    "Set an address with the path of the requests": (world) =>
      world.preview(
        "Dashboard",
        { name: "Errors", tiles: [] },
        { obsBaseUrl: "https://logs.example.com/api/v2" },
      ),
    "Set a name as `organizationId`, and two more wrong values": (world) =>
      world.preview("ApiKey", key, {
        organizationId: "my-company",
        dialect: "ClickHouse",
        timeoutSeconds: "30s",
      }),
    "Mistyped the name of a setting (plugin)": async () =>
      configurationFailures({ organisationId: "x" })
        .map(({ message }) => message)
        .join("\n"),
    "Mistyped the name of an argument of `Provider`": async () =>
      messageOf(async () => new Provider("production", { serviceID: "x" } as object)),
    "Set the address of a web page": (world) => world.failingCreation("not-json", "ApiKey", key),
    "Set the wrong `dialect`": (world) =>
      world.creation(
        "Dashboard",
        { name: "Ingestion", tiles: [] },
        { dialect: "clickhouse", observabilityVia: "management" },
      ),
  },
};
