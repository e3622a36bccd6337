import { expect } from "chai";
import { dialects, requestIn } from "../../../provider/api/dialect";
import { check, supportedPart } from "../../../provider/lifecycle/check";
import type { Session } from "../../../provider/lifecycle/session";
import { resources, type TypeName } from "../../../provider/resources/registry";
import { type Data, isObject } from "../../../provider/values/data";
import { valueAt } from "../../../provider/values/pairing";
import { annotationsOf, joinPath, keysIn, schemaAt } from "../../../provider/values/schema";
import type { TSchema } from "../../../provider/values/schemaBuilders";
import { type BodyName, failureIn } from "../../strictProduct/schemas";
import { sessionFor } from "../lifecycle/note";
import type { Json, JsonObject } from "./example";
import { sourcesByKind } from "./source.example";
import { configs, formulas } from "./tileConfigs";
import { pathsIn, validInputs, withChange } from "./validInputs";

const id = "65f1c0a2b3d4e5f607182911";
const place = { x: 0, y: 0, w: 6, h: 4 };
const { organizationId: _o, serviceId: _s, adoptId: _a, ...source } = validInputs.Source;
const { organizationId: _k, adoptId: _b, keepers: _c, hashData: _h, ...key } = validInputs.ApiKey;
const { organizationId: _w, serviceId: _x, adoptId: _y, ...webhook } = validInputs.Webhook;
const { organizationId: _q, serviceId: _r, adoptId: _t, ...search } = validInputs.SavedSearch;
const { organizationId: _l, serviceId: _m, adoptId: _n, ...connection } = validInputs.Connection;

const value = { sourceId: id, aggFn: "quantile", level: 0.5, field: "Duration", where: "a", alias: "a" };
const metric = { metricName: "a", metricDataType: "gauge", whereLanguage: "sql" };
const series: { readonly [type: string]: JsonObject } = {
  time: { type: "time", ...value, ...metric, groupBy: ["a"], displayType: "line" },
  table: { type: "table", ...value, groupBy: ["a"], sortOrder: "asc" },
  number: { type: "number", ...value },
  search: { type: "search", sourceId: id, where: "", fields: ["Body"] },
  markdown: { type: "markdown", content: "# Title" },
};
const tiled = (content: JsonObject) => ({ name: "Board", tiles: [{ name: "Tile", ...place, ...content }] });
const board = {
  name: "Board",
  tags: ["a"],
  tiles: [{ id: "a", name: "Tile", ...place, config: configs.markdown }],
  filters: [
    { name: "Service", expression: "ServiceName", sourceId: id, where: "a", appliesToSourceIds: [id] },
  ],
  savedQuery: "a",
  savedQueryLanguage: "sql",
  savedFilterValues: [{ condition: "ServiceName IN ('a')" }],
  containers: [{ id: "top", title: "Top", tabs: [{ id: "first", title: "First" }] }],
};
const alert = {
  ...{ name: "Slow", message: "a", note: "a", threshold: 5, thresholdType: "above", interval: "1d" },
  ...{ numConsecutiveWindows: 2, source: "search", savedSearch: id, groupBy: "a" },
};
const channel = { type: "webhook", webhookId: id };

/** Valid objects of the product, which have between them every property whose size is limited. */
const objects: { readonly [type in TypeName]: { readonly [title: string]: JsonObject } } = {
  ServiceScaling: {
    "of a number of replicas": { numReplicas: 3, idleTimeoutMinutes: 15 },
    "from a memory": { minReplicaMemoryGb: 8 },
    "up to a memory": { maxReplicaMemoryGb: 356 },
    "from a total memory": { minTotalMemoryGb: 24 },
    "up to a total memory": { maxTotalMemoryGb: 1068 },
  },
  ApiKey: { "with roles": key },
  QueryEndpoint: { "with keys": { roles: ["sql_console_admin"], openApiKeys: ["a"], allowedOrigins: ["a"] } },
  Connection: { "of a database": connection },
  Webhook: { "of any kind": webhook },
  Source: {
    ...sourcesByKind,
    trace: { ...sourcesByKind.trace, durationPrecision: 3 },
    "of logs": source,
    "of logs with filters": {
      ...sourcesByKind.log,
      filterSettings: { databaseName: "a", tableName: "b", columns: [{ name: "a", label: "A" }] },
    },
  },
  SavedSearch: {
    "with all": search,
    "with structured filters": {
      ...search,
      filters: [{ type: "sql_ast", operator: "=", left: "a", right: "b" }],
    },
  },
  Dashboard: {
    "with all": board,
    "with a variable": {
      ...board,
      filters: [{ ...board.filters[0], isVariableEnabled: true, variableName: "service" }],
    },
    "with a tile number of formulas": tiled({ config: { ...configs.number, formulas } }),
    "with a tile line without a ratio": tiled({ config: { ...configs.line, asRatio: false } }),
    ...Object.fromEntries(
      Object.entries(configs).map(([kind, config]) => [`with a tile ${kind}`, tiled({ config })]),
    ),
    ...Object.fromEntries(
      Object.entries(series).map(([type, one]) => [`with series ${type}`, tiled({ series: [one] })]),
    ),
  },
  Alert: {
    "on a schedule": { ...alert, channel, scheduleOffsetMinutes: 1 },
    "with several channels": { ...alert, channels: [channel] },
  },
};

const setups = {
  management: {
    ServiceScaling: "replicaScaling",
    ApiKey: "createKey",
    QueryEndpoint: "queryEndpoint",
    Webhook: "webhook",
    Source: "clickstackSource",
    SavedSearch: "clickstackSavedSearch",
    Dashboard: "clickstackDashboard",
    Alert: "clickstackAlert",
  },
  observability: {
    Connection: "connection",
    Webhook: "webhook",
    Source: "apiSource",
    SavedSearch: "apiSavedSearch",
    Dashboard: "apiDashboard",
    Alert: "apiAlert",
  },
} as const satisfies { readonly [via: string]: { readonly [type in TypeName]?: BodyName } };

/** The first request that the provider would send for an object, in the words of the product. */
async function requestOf(type: TypeName, declared: Data, session: Session): Promise<[string, unknown]> {
  let sent: [string, unknown] | undefined;
  session.call = (async (name: string, { serviceId }: { serviceId: string }, body?: unknown) => {
    if (body === undefined) return { id: serviceId };
    sent = [name, requestIn(dialects.clickhouse, body)];
    throw new Error("nothing is sent");
  }) as never;
  await resources[type].create(declared, session).catch(() => undefined);
  return sent ?? expect.fail("the provider would send nothing");
}

/** Every size that a document gives as a limit, each with the next larger one. */
const around = (limits: readonly number[]) => limits.flatMap((limit) => [limit, limit + 1]);
const lengths = around([
  ...[20, 32, 36, 40, 64, 200, 256, 512, 1024, 2048, 4096, 8192, 10_000, 16_384, 50_000, 100_000],
]);
const counts = around([1, 2, 10, 20, 50, 100, 500]);
const numbers = [-1, 0, 0.5, 1, 4, 5, 8, 9, 10, 12, 20, 21, 23, 24, 25, 356, 360, 1068, 1080, 1439, 1440];

/** A value of so many characters or entries. */
function ofSize(value: string | readonly Json[], size: number): Json {
  if (typeof value === "string") return value.padEnd(size, "a");
  const [first = "a"] = value;
  return Array.from({ length: size }, (_, index) => distinct(first, index));
}

function distinct(entry: Json, index: number): Json {
  if (typeof entry === "string") return `${entry}${index}`;
  if (!isObject(entry)) return entry;
  const names = ["id", "name", "webhookId", "variableName"].filter((name) => name in entry);
  const changed = names.map((name) => [name, `${entry[name]}${index}`] as const);
  return { ...entry, ...Object.fromEntries(changed), ...("y" in entry ? { y: 4 * index } : {}) } as Json;
}

/** The largest of the sizes that is taken, where all smaller ones are. */
async function largest(
  sizes: readonly number[],
  isTaken: (size: number) => Promise<boolean>,
): Promise<number | undefined> {
  let [low, high] = [0, sizes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (await isTaken(sizes[middle] as number)) low = middle + 1;
    else high = middle;
  }
  return sizes[low - 1];
}

/** Words and names, of which the set or the form says which are valid, and kinds that newer servers may have more of. */
const isWord = (schema: TSchema, path: string) =>
  schema.enum !== undefined ||
  schema.pattern !== undefined ||
  schema.format !== undefined ||
  schema.anyOf !== undefined ||
  annotationsOf(schema).known !== undefined ||
  annotationsOf(schema).rule !== undefined ||
  /(^|\.)(type|kind|displayType|configType)$/.test(path);

const schemaOf = (schema: TSchema, path: string) => keysIn(path).reduce(schemaAt, schema);

describe("The limits of sizes", () => {
  const tried = new Set<string>();

  for (const [via, bodies] of Object.entries(setups)) {
    const { session } = sessionFor({ dialect: "clickhouse", observabilityVia: via as keyof typeof setups });
    const isHere = (title: string) => via === "observability" || !/ tile |several|structured/.test(title);
    for (const [type, bodyName] of Object.entries(bodies) as [TypeName, BodyName][]) {
      const { inputs: schema } = resources[type];
      const titles = Object.entries(objects[type]).filter(([title]) => isHere(title));
      for (const [title, whole] of titles) {
        it(`are those of the product through the ${via} API: ${type} ${title}`, async () => {
          const object = supportedPart(schema, whole, session) as JsonObject;
          const ours = async (declared: Data) =>
            check(resources[type], {}, declared, session).failures.length === 0;
          const theirs = async (declared: Data) => {
            const [operation, body] = await requestOf(type, declared, session);
            return failureIn(operation === "updateScaling" ? "scaling" : bodyName, body) === undefined;
          };
          expect([await ours(object), await theirs(object)]).to.deep.equal([true, true]);
          const differences: string[] = [];
          for (const path of pathsIn(object)) {
            const [value, own] = [valueAt(object, keysIn(path)), schemaOf(schema, path)];
            const limits = async (isTaken: (declared: Data) => Promise<boolean>) => {
              if (typeof value === "number") {
                const taken: number[] = [];
                for (const number of numbers)
                  if (await isTaken(withChange(object, path, number))) taken.push(number);
                return taken.join(" ");
              }
              const size = (at: number) => withChange(object, path, ofSize(value as string | Json[], at));
              return String(
                await largest(Array.isArray(value) ? counts : lengths, (at) => isTaken(size(at))),
              );
            };
            const place = `${type} ${path.replace(/\[\d+\]/g, "")}`;
            if (typeof value === "number" && tried.has(`${place} ${via}`)) continue;
            tried.add(place).add(`${place} ${via}`);
            const isSized = Array.isArray(value) || (typeof value === "string" && !isWord(own, path));
            if (!isSized && (typeof value !== "number" || own.enum)) continue;
            const [here, there] = [await limits(ours), await limits(theirs)];
            if (here !== there) differences.push(`${path}: ${here} here, ${there} there`);
          }
          expect(differences).to.deep.equal([]);
        });
      }
    }
  }

  it("are all tried", () => {
    const all = Object.entries(resources).flatMap(([type, { inputs }]) =>
      limitedPlaces(inputs).map((path) => `${type} ${path}`),
    );
    expect(all.filter((place) => !tried.has(place))).to.deep.equal([
      // The one equals the other.
      ...["ServiceScaling minReplicas", "ServiceScaling maxReplicas"],
      // They equal the id of a container, or of its tab.
      ...["Dashboard tiles.containerId", "Dashboard tiles.tabId"],
    ]);
  });
});

const keywords = ["longest", "most", "maxLength", "maxItems", "minimum", "maximum", "multipleOf"];

/** The paths of the places of a schema that have a limit. */
function limitedPlaces(schema: TSchema, path = ""): string[] {
  const own = keywords.some((keyword) => keyword in schema) ? [path] : [];
  const members = Object.entries((schema.properties ?? {}) as { [name: string]: TSchema });
  return [
    ...own,
    ...(schema.items ? limitedPlaces(schema.items as TSchema, path) : []),
    ...members.flatMap(([name, member]) => limitedPlaces(member, joinPath(path, name))),
  ];
}
