import { seededCredentials, seededTeam } from "../../../sandbox/core/credentials";
import { sha256 } from "../../../sandbox/core/identifiers";
import type { Model } from "../../../sandbox/core/model";
import type { Alert } from "../../../sandbox/core/resources/alertRecords";
import type { Dashboard, Tile } from "../../../sandbox/core/resources/dashboardRecords";
import { shownTile } from "../../../sandbox/core/resources/tileContents";
import { beginning } from "../virtualTime";
import { credentialsOf } from "./signers";

/** This module makes the objects that every simulated service has at the beginning of a history. */

const { organizationId, serviceId } = seededCredentials;

export { organizationId, serviceId };

/** Ids of objects to which all simulated programs refer. Every new sandbox has them, except for the second webhook. */
export const connectionId = "65f1c0a2b3d4e5f607182900";
export const sourceId = "65f1c0a2b3d4e5f607182911";
export const savedSearchId = "65f1c0a2b3d4e5f607182931";
export const webhookIds = ["65f1c0a2b3d4e5f607182921", "66f0c2d8a1b2c3d4e5f60719"] as const;

export const adoptable = {
  Alert: "66f0c2d8a1b2c3d4e5f60730",
  Dashboard: "66f0c2d8a1b2c3d4e5f60731",
  ApiKey: "c6a1e9d4-2b57-4f38-8d60-7e91b3a5f232",
  Webhook: "66f0c2d8a1b2c3d4e5f60733",
  SavedSearch: "66f0c2d8a1b2c3d4e5f60734",
  Connection: "66f0c2d8a1b2c3d4e5f60735",
  Source: "66f0c2d8a1b2c3d4e5f60736",
  SavedQuery: "c6a1e9d4-2b57-4f38-8d60-7e91b3a5f237",
  QueryApiEndpoint: "c6a1e9d4-2b57-4f38-8d60-7e91b3a5f238",
} as const;

/**
 * Properties of the adoptable objects that others have set before a simulated history and no program has declared, by kind and
 * id.
 */
export const setBefore = {
  [`alerts ${adoptable.Alert}`]: ["name", "message"],
  [`dashboards ${adoptable.Dashboard}`]: ["tags"],
  [`webhooks ${adoptable.Webhook}`]: ["description", "headers"],
  [`savedSearches ${adoptable.SavedSearch}`]: ["where", "tags"],
  [`connections ${adoptable.Connection}`]: ["hyperdxSettingPrefix"],
  [`sources ${adoptable.Source}`]: ["section"],
  [`savedQueries ${adoptable.SavedQuery}`]: ["parameters"],
  [`queryApiEndpoints ${adoptable.QueryApiEndpoint}`]: ["parameters", "allowedOrigins"],
} as const;

/** The id of the API key that signs the requests of the first simulated stack, whose program may adopt this key. */
export const signingKeyId = "c6a1e9d4-2b57-4f38-8d60-7e91b3a5f201";

const moment = "2027-01-01T00:00:00.000Z";
const dates = { createdAt: moment, updatedAt: moment };
const twoWeeks = 14 * 24 * 60 * 60_000;

/** Adds the objects that simulated histories need to a new sandbox. */
export function furnish({ store, ids, vocabulary }: Model): void {
  const isOfProduct = vocabulary.dialect === "clickhouse";
  const copy = <Item extends { id: string }>(
    records: Map<string, Item>,
    from: string,
    changed: Partial<Item>,
  ) => {
    const record = { ...(records.get(from) as Item), ...changed };
    records.set(record.id, record);
  };
  copy(store.connections, connectionId, {
    ...{ id: adoptable.Connection, name: "Of the team", username: "team" },
    ...{ password: "p4ssw0rd-by-hand", hyperdxSettingPrefix: "by_hand" },
  });
  copy(store.sources, sourceId, { id: adoptable.Source, name: "Of the team", section: "by hand" });
  for (const id of [webhookIds[1], adoptable.Webhook])
    copy(store.webhooks, webhookIds[0], {
      ...{ id, name: `hook ${id.slice(-2)}`, url: `https://hooks.example.com/T0K3N${id.slice(-2)}` },
      ...{ description: "by hand", headers: { "x-by": "h34d3r-by-hand" } },
    });
  copy(store.savedSearches, savedSearchId, {
    ...{ id: adoptable.SavedSearch, name: "Of the team", where: "by:hand", tags: ["by hand"] },
  });
  const query = {
    ...{ serviceId, name: "Of the team", sql: "SELECT 'by hand'", database: "default" },
    parameters: { by: "hand" },
  };
  store.savedQueries.set(adoptable.SavedQuery, { id: adoptable.SavedQuery, ...query });
  store.queryApiEndpoints.set(adoptable.QueryApiEndpoint, {
    ...{ id: adoptable.QueryApiEndpoint, ...query, apiKeyIds: [signingKeyId], roles: ["by_hand"] },
    ...{ allowedOrigins: ["https://by.hand.example"], ownerType: "queryApiEndpoint" },
  });
  for (const signer of ["a", "b", "other"] as const) {
    const { keyId, keySecret, accessToken } = credentialsOf(signer);
    const id = signer === "a" ? signingKeyId : ids.uuid();
    const own = { name: `signing ${signer}`, roles: ["admin" as const], keySuffix: keyId.slice(-4) };
    const hashes = { keyIdHash: sha256(keyId), keySecretHash: sha256(keySecret) };
    store.keys.set(id, { id, ...own, state: "enabled", ...hashes, createdAt: moment });
    const tokenId = ids.object(beginning);
    store.accessTokens.set(tokenId, { id: tokenId, serviceId, tokenHash: sha256(accessToken) });
  }
  const own = { name: "To adopt", roles: ["developer" as const], keySuffix: "dopt" };
  const hashes = { keyIdHash: sha256("adopt"), keySecretHash: sha256("adopt") };
  store.keys.set(adoptable.ApiKey, {
    id: adoptable.ApiKey,
    ...own,
    state: "enabled",
    ...hashes,
    createdAt: moment,
  });
  const old = () => ids.object(beginning - twoWeeks);
  const board = dashboardOf("Of the team", old(), old(), isOfProduct);
  const adopted = dashboardOf("To adopt", adoptable.Dashboard, old(), isOfProduct);
  store.dashboards.set(board.id, board);
  store.dashboards.set(adopted.id, { ...adopted, tags: ["by hand"] });
  const channel = { type: "webhook", webhookId: webhookIds[0] };
  const alert: Alert = {
    ...{ id: old(), serviceId, name: "Of the team", message: "by hand", threshold: 77, interval: "5m" },
    ...{ thresholdType: "above", source: "search", state: "inactive", team: seededTeam, channel, ...dates },
  };
  const searched = isOfProduct ? { savedSearch: savedSearchId } : {};
  const onTile = { source: "tile", dashboard: board.id, tileId: board.tiles[0]?.id } as const;
  store.alerts.set(alert.id, { ...alert, ...onTile });
  store.alerts.set(adoptable.Alert, { ...alert, ...searched, id: adoptable.Alert });
}

export function dashboardOf(name: string, id: string, tileId: string, isOfProduct: boolean): Dashboard {
  const product = { filters: [], savedQuery: null, savedQueryLanguage: null, savedFilterValues: [] };
  return {
    ...{ id, serviceId, name, tags: [], tiles: [tileOf("Errors", tileId, 0, isOfProduct)] },
    ...(isOfProduct && product),
  };
}

export function tileOf(name: string, id: string, y: number, isOfProduct: boolean): Tile {
  const series = [{ type: "number", aggFn: "count", where: "", sourceId }];
  const tile = { id, name, x: 0, y, w: 6, h: 4, series };
  return isOfProduct ? shownTile(tile) : tile;
}
