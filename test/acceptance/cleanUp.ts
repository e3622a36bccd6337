import { setTimeout as pause } from "node:timers/promises";
import { isObject } from "../../provider/values/data";
import type { Api } from "../productJudge";
import { type Client, contentOf } from "./client";
import type { Ledger, Made } from "./ledger";

/** The ends of the collections' paths whose objects refer to others: what comes first is deleted first. */
const order = [
  "alerts",
  "dashboards",
  "saved-searches",
  "webhooks",
  "sources",
  "connections",
  "services",
  "keys",
  "roles",
];

/** Deletes objects of a run, those that refer to others first, and returns the paths of those that are still there. */
export async function deleteAll(made: readonly Made[], ledger: Ledger, client: Client): Promise<string[]> {
  const rank = ({ collection }: Made) => order.indexOf(collection.split("/").at(-1) ?? "");
  const left: string[] = [];
  for (const { api, collection, id } of [...made].reverse().sort((one, other) => rank(one) - rank(other))) {
    const path = `${collection}/${id}`;
    const isService = collection.endsWith("/services");
    if (isService) await stop(client, path);
    const { status } = await client.send(api, "DELETE", path);
    // A service is billed until it is gone.
    if (isService && status < 300) await untilState(client, path, () => false);
    if (status < 300 || status === 404) ledger.remove(id);
    else left.push(`${path} (${status})`);
  }
  return left;
}

/**
 * Deletes everything that a run has created: what its ledger has, and then what the lists show with the run's prefix, which are
 * creates whose answer was lost. Returns the paths of the objects that are still there.
 */
export async function cleanUp(ledger: Ledger, client: Client): Promise<string[]> {
  const ids = ledger.made.map(({ id }) => id);
  for (const { api, collection } of ledger.collections)
    for (const entry of await listed(client, api, collection))
      if (!ledger.has(String(entry.id)) && isOf(ledger.prefix, ids, collection, entry))
        ledger.create({ api, collection, id: String(entry.id) });
  const left = await deleteAll(ledger.made, ledger, client);
  if (left.length === 0) ledger.end();
  return left;
}

/** The most looks at a service that is to be stopped or gone, at first every half second, later every ten. */
const mostLooks = 100;

/** Stops a service, since a running one cannot be deleted, and waits until it is stopped or gone. */
async function stop(client: Client, path: string): Promise<void> {
  await untilState(client, path, async (state) => {
    if (state === "running" || state === "idle" || state === "degraded")
      await client.send("management", "PATCH", `${path}/state`, JSON.stringify({ command: "stop" }));
    return state === "stopped" || state === "failed";
  });
}

/** Looks at a service until its state is the awaited one, or the service is gone. */
async function untilState(
  client: Client,
  path: string,
  isAwaited: (state: unknown) => Promise<boolean> | boolean,
): Promise<void> {
  for (let looks = 1; looks <= mostLooks; looks++) {
    const { status, body } = await client.send("management", "GET", path);
    if (status === 404 || (await isAwaited(Object(contentOf(body)).state))) return;
    await pause(Math.min(10_000, 250 * 2 ** Math.min(looks, 6)));
  }
}

/** Lists all objects of a collection, page by page. */
async function listed(client: Client, api: Api, collection: string): Promise<{ readonly id?: unknown }[]> {
  const all: { id?: unknown }[] = [];
  for (let query = ""; ; ) {
    const { status, body } = await client.send(api, "GET", `${collection}${query}`);
    if (status === 404) return all;
    if (status > 299) throw new Error(`GET ${collection}: ${status}`);
    const page = contentOf(body);
    if (!Array.isArray(page)) return all;
    all.push(...page.filter(isObject));
    const { nextCursor, meta } = Object(body);
    if (page.length === 0) return all;
    if (nextCursor) query = `?cursor=${encodeURIComponent(nextCursor)}`;
    else if (meta && all.length < meta.total) query = `?offset=${all.length}`;
    else return all;
  }
}

/** Whether an object is of the run: by its name, or, as an alert without one, by the run's objects to which it refers. */
function isOf(prefix: string, ids: readonly string[], collection: string, entry: object): boolean {
  const { name } = entry as { name?: unknown };
  if (typeof name === "string" && name !== "") return name.startsWith(prefix);
  if (!collection.endsWith("/alerts")) return false;
  const text = JSON.stringify(entry);
  return ids.some((id) => text.includes(id));
}
