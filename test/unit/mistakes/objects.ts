import * as pulumi from "@pulumi/pulumi";
import { Dashboard } from "../../../provider/hosts/dynamic/dashboard";
import { checkedTileIds, declaredKeys } from "../../../provider/hosts/dynamic/tileIds";
import { readImportId } from "../../../provider/lifecycle/read";
import { resources } from "../../../provider/resources/registry";
import { threeMinutesLater } from "../drift/fixture";
import { type Area, key, messageOf, onSearch, tile, type World } from "./mistake";

const gone = "66f0c2d8a1b2c3d4e5f60718";

const webhook = { name: "On call", service: "generic", url: "https://hooks.example.com/x" };

/** An alert on a tile that was taken from somewhere by hand. */
async function onTile(world: World, given: object): Promise<string> {
  const { id, state } = await world.created("Dashboard", { name: "Ingestion", tiles: [tile] });
  const { Errors: tileId } = state.tileIds as { Errors: string };
  const alert = { ...onSearch(world.webhookId), source: "tile", dashboardId: id, tileId, ...given };
  return (await world.creation("Alert", alert)).replaceAll(id, "<dashboard>").replaceAll(tileId, "<tile>");
}

/** Ids of objects that are gone or of another kind, and objects that are there already. */
export const objectMistakes: Area = {
  title: "Objects and their ids",
  mistakes: [
    {
      made: "Named a webhook that is gone",
      play: (world) => world.creation("Alert", onSearch(gone)),
      told: "BAD_REQUEST: Webhook not found (webhookId 66f0c2d8a1b2c3d4e5f60718) (createAlert: POST /v1/organizations/<organization>/services/<service>/stack/alerts answered 400, request <id>)",
      remedy:
        "Take ids from resources (`webhook.id`) or functions (`getWebhook`), so that none grows old in a program.",
    },
    {
      made: "Named a tile that is gone",
      play: (world) => onTile(world, { tileId: gone }),
      told: "BAD_REQUEST: Tile not found (dashboardId <dashboard>, tileId 66f0c2d8a1b2c3d4e5f60718) (createAlert: POST /v1/organizations/<organization>/services/<service>/stack/alerts answered 400, request <id>)",
      remedy: 'Take it from the dashboard: `dashboard.tileIds["Errors"]`.',
    },
    {
      made: "Named a dashboard that is gone",
      play: (world) => onTile(world, { dashboardId: gone }),
      told: "BAD_REQUEST: Dashboard not found (dashboardId 66f0c2d8a1b2c3d4e5f60718) (createAlert: POST /v1/organizations/<organization>/services/<service>/stack/alerts answered 400, request <id>)",
      remedy: "Take it from the dashboard: `dashboard.id`.",
    },
    {
      made: "Gave the name of a dashboard in place of its id",
      play: (world) => onTile(world, { dashboardId: "Ingestion" }),
      told: "BAD_REQUEST: Invalid dashboard ID (dashboardId Ingestion) (createAlert: POST /v1/organizations/<organization>/services/<service>/stack/alerts answered 400, request <id>)",
      remedy:
        "Declare `dashboard.id`. `getDashboards` tells the ids of those that the program does not declare.",
    },
    {
      made: "Gave the name of a connection in place of its id",
      play: (world) =>
        world.creation("Source", {
          ...{ name: "Loading", kind: "log", connection: "Default", timestampValueExpression: "Timestamp" },
          ...{ from: { databaseName: "otel", tableName: "otel_logs" }, defaultTableSelectExpression: "Body" },
        }),
      told: "BAD_REQUEST: connection must be a valid connection id (connection Default) (createSource: POST /v1/organizations/<organization>/services/<service>/stack/sources answered 400, request <id>)",
      remedy: 'Take it from a source that there is: `getSourceOutput({ name: "Logs" })` has `connection`.',
    },
    {
      made: "Mistyped the name of a tile in `tileIds`",
      play: async () => {
        const known: { readonly [name: string]: string } = { Errors: gone };
        const tileIds = pulumi.output(known) as Parameters<typeof checkedTileIds>[0];
        const ids = checkedTileIds(tileIds, "ingestion", declaredKeys([{ name: "Errors" }]));
        const wrong = ids.Erors as unknown as { promise(): Promise<string> };
        return messageOf(() => wrong.promise());
      },
      told: 'dashboard ingestion has no tile "Erors"; it has: Errors',
      remedy: "Correct it; capitals count.",
    },
    {
      made: "Adopted an object that does not exist",
      play: (world) => world.creation("Alert", { ...onSearch(world.webhookId), adoptId: gone }),
      told: "adoptId: service <service> has no alert 66f0c2d8a1b2c3d4e5f60718",
      remedy: "Is it in another service, or of another type? `npx pipestack orphans` lists what is there.",
    },
    {
      made: "Created what has its name already",
      play: async (world) => {
        const { id } = await world.created("Webhook", webhook);
        return (await world.creation("Webhook", webhook)).replaceAll(id, "<id>");
      },
      told: "BAD_REQUEST: A webhook with this service and name already exists; to take over the webhook that exists, declare its id as adoptId, or import it: <id>; if the program has renamed the resource, give it its former name by the option aliases (createWebhook: POST /v1/organizations/<organization>/services/<service>/stack/webhooks answered 400, request <id>)",
      remedy:
        "Adopt it, import it ([import](import.md)), or choose another name. Pulumi makes a renamed resource anew unless `aliases` names the former one ([renaming](resources.md#renaming)).",
    },
    {
      made: "Changed an object that somebody deleted",
      play: async (world) => {
        const { id, state, host } = await world.created("ApiKey", key);
        world.sandbox.store.keys.delete(id);
        const news = { ...state, name: "Others" };
        // Nothing that was created just now is believed gone.
        const message = await threeMinutesLater(() =>
          messageOf(() => host.update?.(id, state, news) as Promise<unknown>),
        );
        return message.replaceAll(id, "<id>");
      },
      told: 'NOT_FOUND: key not found (updateKey: PATCH /v1/organizations/<organization>/keys/<id> answered 404, request <id>)\nIf ApiKey <id> no longer exists in the service, "pulumi up --refresh" recreates it',
      remedy: "Run what the message says. `npx pipestack drift` finds such changes before an update does.",
    },
    {
      made: "Passed the option `import` to a resource of the dynamic provider",
      play: () =>
        messageOf(async () => new Dashboard("board", { name: "Board", tiles: [] }, { import: gone })),
      told: 'Dashboard "board": the option import works with the resource plugin only; declare the id as adoptId instead',
      remedy:
        "Declare `adoptId`, or use `pulumi import` ([import](import.md)), or the plugin ([plugin](plugin.md)).",
    },
    {
      made: "Imported by an id of another form (plugin)",
      play: () => messageOf(async () => readImportId(resources.Alert, `<organization>/${gone}`)),
      told: 'the id under which to import the alert is "id" or "organizationId/serviceId/id"',
      remedy: "Give the id alone, or all three.",
    },
  ],
};
