import type { Sandbox } from "../sandbox/index";

interface Created {
  id: string;
  tiles: { id: string }[];
}

export function settingsOf({
  baseUrl,
  obsBaseUrl,
  credentials,
}: Pick<Sandbox, "baseUrl" | "obsBaseUrl" | "credentials">): Record<string, string> {
  const { organizationId, serviceId, keyId, keySecret, accessToken } = credentials;
  return {
    ...(baseUrl ? { baseUrl, organizationId, serviceId, keyId, keySecret } : {}),
    ...(obsBaseUrl ? { obsBaseUrl, accessToken } : {}),
  };
}

export function emptyStack({ store }: Pick<Sandbox, "store">): void {
  for (const records of [store.webhooks, store.connections, store.sources, store.savedSearches])
    records.clear();
}

/** Sends a request to the management API and returns the result in its answer. Paths begin after the organization. */
export async function send<Result>(
  { baseUrl, credentials }: Pick<Sandbox, "baseUrl" | "credentials">,
  method: string,
  path: string,
  body: unknown,
): Promise<Result> {
  const { organizationId, keyId, keySecret } = credentials;
  const response = await fetch(`${baseUrl}/v1/organizations/${organizationId}${path}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`,
      "content-type": "application/json",
    },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { result: Result; error?: string };
  if (!response.ok) throw new Error(`${method} ${path}: ${answer.error}`);
  return answer.result;
}

/**
 * Adds 8 API keys, the query endpoint, 8 dashboards and 12 alerts to the first service of a sandbox over HTTP, which makes 37
 * objects with those of a new sandbox. Their names are as odd as real ones: repeated, in other scripts, long, or keywords.
 */
export async function fillService(sandbox: Sandbox): Promise<void> {
  const service = `/services/${sandbox.credentials.serviceId}`;
  const keys: string[] = [];
  for (const [index, name] of keyNames.entries()) {
    const { key } = await send<{ key: { id: string } }>(sandbox, "POST", "/keys", {
      name,
      roles: index % 2 === 0 ? ["query_endpoints"] : ["developer", "admin"],
      ...(index === 3 ? { state: "disabled", expireAt: "2126-01-31T00:00:00+02:00" } : {}),
      ...(index === 4
        ? { ipAccessList: [{ source: "203.0.113.0/24", description: "office" }, { source: "198.51.100.7" }] }
        : {}),
    });
    keys.push(key.id);
  }
  await send(sandbox, "POST", `${service}/serviceQueryEndpoint`, {
    roles: ["sql_console_read_only"],
    openApiKeys: [keys[2], keys[0]],
    allowedOrigins: "https://b.example.com,https://a.example.com",
  });
  const dashboards: Created[] = [];
  for (const [index, name] of dashboardNames.entries()) {
    const tiles = name === "Empty" ? [] : tilesOf(index);
    const tags = index % 2 === 0 ? {} : { tags: ["b", "a"] };
    dashboards.push(await send(sandbox, "POST", `${service}/stack/dashboards`, { name, tiles, ...tags }));
  }
  const [webhook] = sandbox.store.webhooks.keys();
  for (let index = 0; index < 12; index++) {
    const { id: dashboardId, tiles } = dashboards[index % 7] as Created;
    const tileId = tiles[index % 3]?.id;
    await send(sandbox, "POST", `${service}/stack/alerts`, {
      ...(index === 5 ? {} : { name: alertNames[index] ?? `Alert ${index}`, message: "More than usual" }),
      ...(index === 6 ? { source: "search" } : { source: "tile", dashboardId, tileId }),
      ...(index === 7
        ? { message: `A message with 'single' and "double" quotes${" and more".repeat(9)}` }
        : {}),
      threshold: index * 1.5,
      interval: "5m",
      thresholdType: index % 2 === 0 ? "below" : "above",
      channel: { type: "webhook", webhookId: webhook },
    });
  }
}

const keyNames = [
  "Reporting",
  "Réporting",
  "import",
  "数据",
  "Büro Zürich",
  'a "quoted" name',
  "Slow queries",
  "Team with a very long name that goes on and on for ever",
];

const dashboardNames = [
  "Slow queries",
  "Slow queries",
  "class",
  "Ingestion",
  "2nd floor",
  "process",
  "Logs & traces",
  "Empty",
];

const alertNames = ["Slow queries", "Errors", "Errors"];

/**
 * Makes the tiles of the nth dashboard. Two of the three tiles have the same name. In the fourth dashboard a tile has the name
 * of a method of Pulumi outputs, `apply`.
 */
function tilesOf(dashboard: number): object[] {
  const line = { type: "time", aggFn: "count", where: "level:error", groupBy: ["service", "host"] };
  const long = `duration:>100 AND service:"${"a name of a service ".repeat(4)}"`;
  return [
    { name: "Errors", x: 0, y: 0, w: 12, h: 4, series: [{ ...line, dataSource: "logs" }] },
    {
      name: dashboard === 3 ? "apply" : "Query time",
      x: 12,
      y: 0,
      w: 12,
      h: 4,
      asRatio: true,
      series: [
        { type: "number", aggFn: "sum", where: long },
        { type: "number", aggFn: "count" },
      ],
    },
    { name: "Errors", x: 0, y: 4, w: 12, h: 4, series: [{ type: "time", groupBy: [] }] },
  ];
}
