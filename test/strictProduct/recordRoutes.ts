import {
  type Collections,
  createdAt,
  found,
  missing,
  type Outcome,
  type Place,
  type Routes,
  refusedBody,
  removed,
  type Stored,
} from "./routes";
import type { Where } from "./tileSchemas";

/** Sources, webhooks, saved searches and connections: an update replaces them as a whole. */
export function recordRoutes(where: Where, place: Place, collections: Collections): Routes {
  const { connections, sources, webhooks, savedSearches, alerts } = collections;
  const { at, listed, newId } = place;

  const saveSource = (known: Stored | undefined, body: Stored): Outcome => {
    if (!connections.has(String(body.connection))) return refusedBody("Connection not found");
    const isSearched = body.kind === "log" || body.kind === "trace";
    const lists = { highlightedTraceAttributeExpressions: [], materializedViews: [] };
    const result: Stored = {
      ...{ disabled: false, querySettings: [] },
      ...(where === "clickstack" && { section: null, logSourceId: null }),
      ...(isSearched && lists),
      ...(body.kind === "trace" && { durationPrecision: 3 }),
      ...body,
      id: known?.id ?? newId(),
    };
    sources.set(result.id, result);
    return { result };
  };

  const saveConnection = (known: Stored | undefined, { password, ...body }: Stored): Outcome => {
    const { hyperdxSettingPrefix = known?.hyperdxSettingPrefix, ...sent } = body;
    const prefix = hyperdxSettingPrefix === null ? {} : { hyperdxSettingPrefix };
    const dates = { createdAt, updatedAt: createdAt };
    const result: Stored = { ...known, ...sent, ...prefix, id: known?.id ?? newId(), ...dates };
    connections.set(result.id, result);
    return { result };
  };

  /** What a webhook sends along stays where it is not sent, unless it would go to another address. */
  const saveWebhook = (known: Stored | undefined, body: Stored): Outcome => {
    const name = String(body.name).trim();
    const { service, url } = body;
    const isTaken = [...webhooks.values()].some(
      (other) => other.id !== known?.id && other.name === name && other.service === service,
    );
    if (isTaken) return refusedBody("A webhook with this service and name already exists");
    const isSlack = /(^|\.)slack\.com$/.test(new URL(String(url)).hostname);
    if (service === "slack" && !isSlack) return refusedBody("not an address of slack.com");
    if (service === "slack" && (body.body ?? body.headers ?? body.queryParams) !== undefined)
      return refusedBody("not for slack");
    const kept = known?.url === url && known?.service === service ? known : undefined;
    const { headers = kept?.headers ?? {}, queryParams = kept?.queryParams ?? {} } = body;
    const dates = { createdAt, updatedAt: createdAt };
    const stored = { description: "", body: "", ...body, name, headers, queryParams, ...dates };
    const result: Stored = { ...stored, id: known?.id ?? newId() };
    webhooks.set(result.id, result);
    return { result: shownWebhook(result) };
  };

  const removeWebhook = (id: string): Outcome => {
    const users = [...alerts.values()].filter(({ channel }) => (channel as Stored).webhookId === id);
    if (users.length > 0) return { status: 409, error: `${users.length} alert(s) still reference it` };
    return removed(webhooks, id);
  };

  const saveSearch = (known: Stored | undefined, body: Stored): Outcome => {
    if (!sources.has(String(body.sourceId))) return refusedBody("Source not found");
    const byDefault = { select: "", where: "", whereLanguage: "lucene", orderBy: "", tags: [], filters: [] };
    const dates = { teamId: "team", createdAt, updatedAt: createdAt };
    const filters = ((body.filters ?? []) as object[]).map((filter) => ({ type: "sql", ...filter }));
    const result: Stored = { ...byDefault, ...body, filters, ...dates, id: known?.id ?? newId() };
    savedSearches.set(result.id, result);
    return { result };
  };

  const removeSearch = (id: string): Outcome => {
    for (const alert of alerts.values()) if (alert.savedSearchId === id) alerts.delete(alert.id);
    return removed(savedSearches, id);
  };

  const updated =
    (records: Map<string, Stored>, noun: string, save: typeof saveSource) => (id: string, body: Stored) =>
      records.has(id) ? save(records.get(id), body) : missing(noun);

  const connectionRoutes: Routes = [
    ["GET", at("connections"), () => ({ result: [...connections.values()] })],
    ["POST", at("connections"), (_id, body) => saveConnection(undefined, body), "connection"],
    ["GET", at("connections/([^/]+)"), (id) => found(connections.get(id), "Connection")],
    ["PUT", at("connections/([^/]+)"), updated(connections, "Connection", saveConnection), "connection"],
    ["DELETE", at("connections/([^/]+)"), (id) => removed(connections, id)],
  ];
  return [
    // The management API has none of these.
    ...(where === "api" ? connectionRoutes : []),
    ["GET", at("sources"), () => ({ result: [...sources.values()] })],
    ["POST", at("sources"), (_id, body) => saveSource(undefined, body), `${where}Source`],
    ["GET", at("sources/([^/]+)"), (id) => found(sources.get(id), "Source")],
    ["PUT", at("sources/([^/]+)"), updated(sources, "Source", saveSource), `${where}Source`],
    ["DELETE", at("sources/([^/]+)"), (id) => removed(sources, id)],
    // No server has a GET of one.
    ["GET", at("webhooks"), () => listed([...webhooks.values()].map(shownWebhook))],
    ["POST", at("webhooks"), (_id, body) => saveWebhook(undefined, body), "webhook"],
    ["PUT", at("webhooks/([^/]+)"), updated(webhooks, "Webhook", saveWebhook), "webhook"],
    ["DELETE", at("webhooks/([^/]+)"), removeWebhook],
    ["GET", at("saved-searches"), () => listed([...savedSearches.values()])],
    ["POST", at("saved-searches"), (_id, body) => saveSearch(undefined, body), `${where}SavedSearch`],
    ["GET", at("saved-searches/([^/]+)"), (id) => found(savedSearches.get(id), "Saved search")],
    [
      "PUT",
      at("saved-searches/([^/]+)"),
      updated(savedSearches, "Saved search", saveSearch),
      `${where}SavedSearch`,
    ],
    ["DELETE", at("saved-searches/([^/]+)"), removeSearch],
  ];
}

/** A webhook as answers show it. */
function shownWebhook({ headers, queryParams, body, ...shown }: Stored): Stored {
  return { ...shown, ...(shown.service === "generic" && { body }) };
}
