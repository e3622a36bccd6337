import * as pulumi from "@pulumi/pulumi";
import { declarationName } from "../../../provider/engine/names";
import { Dashboard } from "../../../provider/hosts/dynamic/dashboard";
import { checkedTileIds, declaredNames } from "../../../provider/hosts/dynamic/tileIds";
import { readImportId } from "../../../provider/lifecycle/read";
import { resources } from "../../../provider/resources/registry";
import { send } from "../../serviceContents";
import { threeMinutesLater } from "../drift/fixture";
import { captureWarnings, hostWith } from "../hosts/dynamic/hostProcess";
import { type Area, type Changes, creationOf, key, messageOf, onSearch, tile, type World } from "./mistake";

const missingId = "66f0c2d8a1b2c3d4e5f60718";

const webhook = { name: "On call", service: "generic", url: "https://hooks.example.com/x" };

async function onTile(world: World, members: object): Promise<string> {
  const { id, state } = await world.created("Dashboard", { name: "Ingestion", tiles: [tile] });
  const { Errors: tileId } = state.tileIds as { Errors: string };
  const alert = { ...onSearch, source: "tile", dashboardId: id, tileId, ...members };
  return (await world.creation("Alert", alert)).replaceAll(id, "<dashboard>").replaceAll(tileId, "<tile>");
}

async function overEndpoint(world: World, changes: Changes): Promise<string> {
  const { serviceId } = world.sandbox.credentials;
  const { key: theirs } = await send<{ key: { id: string } }>(world.sandbox, "POST", "/keys", key);
  await send(world.sandbox, "POST", `/services/${serviceId}/serviceQueryEndpoint`, {
    ...{ roles: ["sql_console_admin"], openApiKeys: [theirs.id], allowedOrigins: "" },
  });
  const declared = { roles: ["sql_console_admin"], openApiKeys: [] };
  return (await world.preview("QueryEndpoint", declared, changes)).replaceAll(theirs.id, "<key>");
}

async function withRefused(world: World, onConflict: "warn" | "fail"): Promise<string> {
  const board = { name: "Ingestion", tiles: [tile] };
  const { id, state } = await world.created("Dashboard", board);
  const record = world.sandbox.store.dashboards.get(id);
  for (const { series = [] } of record?.tiles ?? [])
    for (const each of series) each.numberFormat = { output: "percent" };
  const host = hostWith(world.settings({ observabilityVia: "management", onConflict })).Dashboard;
  const { lines, restore } = captureWarnings();
  try {
    const error = await host.update?.(id, state, { ...state, name: "Errors" }).then(
      () => "",
      (failure: Error) => failure.message,
    );
    return [error, ...lines].join("\n").trim().replaceAll(id, "<dashboard>");
  } finally {
    restore();
  }
}

export const objectMistakes: Area = {
  title: "Objects and their ids",
  mistakes: {
    "Named a webhook that is gone": creationOf("Alert", {
      ...onSearch,
      channel: { type: "webhook", webhookId: missingId },
    }),
    "Named a tile that is gone": (world) => onTile(world, { tileId: missingId }),
    "Named a dashboard that is gone": (world) => onTile(world, { dashboardId: missingId }),
    "Gave the name of a dashboard in place of its id": (world) => onTile(world, { dashboardId: "Ingestion" }),
    "Gave the name of a connection in place of its id": creationOf("Source", {
      ...{ name: "Loading", kind: "log", connection: "Default", timestampValueExpression: "Timestamp" },
      ...{ from: { databaseName: "otel", tableName: "otel_logs" }, defaultTableSelectExpression: "Body" },
    }),
    "Mistyped the name of a tile in `tileIds`": async () => {
      const idsByName: { readonly [name: string]: string } = { Errors: missingId };
      const tileIds = pulumi.output(idsByName) as Parameters<typeof checkedTileIds>[0];
      const ids = checkedTileIds(tileIds, "ingestion", declaredNames([{ name: "Errors" }]));
      const wrong = ids.Erors as unknown as { promise(): Promise<string> };
      return messageOf(() => wrong.promise());
    },
    "Adopted an object that does not exist": creationOf("Alert", { ...onSearch, adoptId: missingId }),
    "Adopted what another resource of the program has": async (world) => {
      const { id, host } = await world.created("Webhook", webhook);
      const { failures = [] } = await host.check(
        {},
        { ...webhook, adoptId: id, [declarationName]: "1 other" },
      );
      return failures
        .map(({ reason }) => reason)
        .join("\n")
        .replaceAll(id, "<id>");
    },
    "Declared a query endpoint where others have one": (world) => overEndpoint(world, {}),
    "Declared a query endpoint where others have one, with `onConflict: fail`": (world) =>
      overEndpoint(world, { onConflict: "fail" }),
    "Changed a dashboard in which somebody has set what the API shows and refuses": (world) =>
      withRefused(world, "warn"),
    "The same, with `onConflict: fail`": (world) => withRefused(world, "fail"),
    "Created what has its name already": async (world) => {
      const { id } = await world.created("Webhook", webhook);
      return (await world.creation("Webhook", webhook)).replaceAll(id, "<id>");
    },
    "Changed an object that somebody deleted": async (world) => {
      const { id, state, host } = await world.created("ApiKey", key);
      world.sandbox.store.keys.delete(id);
      const news = { ...state, name: "Others" };
      // The provider regards a missing new object as gone only three minutes after its creation, so the update comes later.
      const message = await threeMinutesLater(() =>
        messageOf(() => host.update?.(id, state, news) as Promise<unknown>),
      );
      return message.replaceAll(id, "<id>");
    },
    "Passed the option `import` to a resource of the dynamic provider": () =>
      messageOf(async () => new Dashboard("board", { name: "Board", tiles: [] }, { import: missingId })),
    "Imported by an id of another form (plugin)": () =>
      messageOf(async () => readImportId(resources.Alert, `<organization>/${missingId}`)),
  },
};
