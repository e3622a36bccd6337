import { settingNames } from "../../../provider/api/settingsSchema";
import { Provider } from "../../../provider/hosts/dynamic/provider";
import { configurationFailures } from "../../../provider/hosts/plugin/configuration";
import {
  type Area,
  type Changes,
  creationOf,
  failingCreationOf,
  key,
  messageOf,
  onSearch,
  previewOf,
  tile,
} from "./mistake";

const dashboard = { name: "Ingestion", tiles: [] };
const keyWith = (settings: Changes) => previewOf("ApiKey", key, settings);
const without = (...names: string[]): Changes => Object.fromEntries(names.map((name) => [name, undefined]));

export const settingMistakes: Area = {
  title: "Settings",
  mistakes: {
    "Set nothing at all": keyWith(without(...settingNames)),
    "Set no credential": previewOf("Dashboard", dashboard, without("keyId", "keySecret", "accessToken")),
    "Forgot `keySecret`": keyWith(without("keySecret")),
    "Forgot `keySecret`, beside an `accessToken`": previewOf(
      "Dashboard",
      { name: "Ingestion", tiles: [tile] },
      without("keySecret"),
    ),
    "Forgot `accessToken`, with `observabilityVia: observability`": previewOf("Alert", onSearch, {
      ...without("accessToken"),
      observabilityVia: "observability",
    }),
    "Set an address with http": keyWith({ baseUrl: "http://api.example.com" }),
    "Set an address with the path of the requests": previewOf("Dashboard", dashboard, {
      obsBaseUrl: "https://logs.example.com/api/v2",
    }),
    "Set a name as `organizationId`, and two more wrong values": keyWith({
      ...{ organizationId: "my-company", dialect: "ClickHouse", timeoutSeconds: "30s" },
    }),
    "Mistyped the name of a setting (plugin)": async () =>
      configurationFailures({ organisationId: "x" })
        .map(({ message }) => message)
        .join("\n"),
    "Mistyped the name of an argument of `Provider`": async () =>
      messageOf(async () => new Provider("production", { serviceID: "x" } as object)),
    "Set the address of a web page": failingCreationOf("not-json"),
    "Set the wrong `dialect`": creationOf("Dashboard", dashboard, {
      ...{ dialect: "clickhouse", observabilityVia: "management" },
    }),
  },
};
