import { expect } from "chai";
import { dialects, pathIn, requestIn } from "../../../provider/api/dialect";
import { type OperationName, operationOn } from "../../../provider/api/operations";
import { check, supportedPart } from "../../../provider/lifecycle/check";
import type { Session } from "../../../provider/lifecycle/session";
import { resources, type TypeName, typeNames } from "../../../provider/resources/registry";
import { labelOf } from "../../../provider/values/compare";
import { type Data, isObject } from "../../../provider/values/data";
import { valueAt } from "../../../provider/values/pairing";
import { annotationsOf, joinPath, keysIn, schemaAt } from "../../../provider/values/schema";
import type { TSchema } from "../../../provider/values/schemaBuilders";
import { seededCredentials } from "../../../sandbox/index";
import { judge } from "../../productJudge";
import { Client } from "../../sandbox/requests";
import { sessionFor } from "../lifecycle/note";
import type { Json, JsonObject } from "./example";
import { examples } from "./examples";
import { pipeDifferences } from "./pipeDifferences";
import { absent, pathsIn, withChange } from "./validInputs";

const apis = ["management", "observability"] as const;
type Api = (typeof apis)[number];

const { "with all": board = {}, "with series of each type": ofSeries = {} } = examples.Dashboard.wholes;
const { "of a range": range = {} } = examples.Alert.wholes;

const tilesOf = ({ tiles = [] }: { readonly tiles?: readonly JsonObject[] }) => tiles;

/** Example programs that come first because no other rule or reference hides the limits of their properties. */
const further: { readonly [type in TypeName]?: readonly JsonObject[] } = {
  ServiceScaling: [
    ...[{ minReplicaMemoryGb: 8 }, { maxReplicaMemoryGb: 356 }],
    ...[{ minTotalMemoryGb: 24 }, { maxTotalMemoryGb: 1068 }],
    { autoscalingMode: "horizontal", minReplicas: 1, maxReplicas: 50 },
  ],
  Dashboard: [
    { ...board, tiles: [] },
    { ...board, tiles: [{ ...tilesOf(board)[0], id: "a" }] },
    { ...ofSeries, tiles: [{ ...tilesOf(ofSeries)[0], asRatio: true }] },
  ],
  Alert: [{ ...range, interval: "1d", threshold: -1, thresholdMax: 1e9 }],
};

const numbers = [
  -1, 0, 0.5, 1, 4, 5, 8, 9, 10, 12, 20, 21, 23, 24, 25, 50, 51, 356, 360, 1068, 1080, 1439, 1440,
];

/**
 * The known differences between the provider's check and the API documents: property paths, by the changed value and the
 * check's verdict.
 */
const differences: { readonly [type in TypeName]?: { readonly [verdict: string]: readonly string[] } } = {
  Service: {
    // The check leaves the content of this object to the service.
    "7 accepted": ["backupEncryptionConfig.key"],
    "[] accepted": ["backupEncryptionConfig.key"],
    "null accepted": ["backupEncryptionConfig.key"],
    "{} accepted": ["backupEncryptionConfig.key"],
    // The vendor adds regions over time, and the document lists only those that existed when it was written.
    "100001 rather than undefined accepted": ["region"],
    "foreign accepted": ["region"],
    // The longer lists that this test makes repeat one key, and the check refuses two entries with the same key.
    "1 rather than 50 accepted": ["tags"],
    "1 rather than 501 accepted": ["ipAccessList"],
    "doubled refused": ["ipAccessList tags"],
    "absent refused": [
      "backupId dataWarehouseId hasTransparentDataEncryption ipAccessList.source maxReplicas minReplicas",
    ],
    "empty refused": [
      "byocId dataWarehouseId desiredState ipAccessList.source profile transparentDataEncryptionKeyId",
    ],
    "foreign refused": ["desiredState ipAccessList.source"],
    ...Object.fromEntries(
      [-1, 0, 0.5, 1, 4].map((value) => [
        `= ${value} refused`,
        [`idleTimeoutMinutes${value === 1 ? " maxReplicas" : ""}`],
      ]),
    ),
    ...Object.fromEntries(
      [9, 10, 20, 21, 23, 24, 25, 50].map((value) => [`= ${value} refused`, ["minReplicas"]]),
    ),
    "= 8 refused": ["maxReplicaMemoryGb minReplicas"],
    "= 12 refused": ["maxReplicaMemoryGb minReplicas"],
    "= 356 refused": ["minReplicaMemoryGb"],
  },
  Role: {
    "doubled refused": ["policies.permissions policies.resources"],
    "empty refused": ["name policies.permissions policies.resources"],
  },
  ServiceScaling: {
    "absent refused": [
      "maxReplicaMemoryGb maxReplicas maxTotalMemoryGb minReplicaMemoryGb minReplicas minTotalMemoryGb",
    ],
  },
  ServiceScalingSchedule: {
    // An entry of this list needs both ends of a range, and the two ends of a vertical entry must be equal.
    "1 rather than 501 accepted": ["entries.weekdays"],
    "= 1 refused": ["entries.maxReplicas"],
    "= 12 refused": ["entries.maxReplicaMemoryGb entries.minReplicas"],
    "= 356 refused": ["entries.minReplicaMemoryGb entries.minReplicas"],
    "= 8 refused": ["entries.maxReplicaMemoryGb entries.minReplicas"],
    ...Object.fromEntries(
      [9, 10, 20, 21, 23, 24, 25, 50, 51, 360, 1068, 1080, 1439, 1440].map((value) => [
        `= ${value} refused`,
        ["entries.minReplicas"],
      ]),
    ),
    "absent refused": [
      "entries entries.maxReplicaMemoryGb entries.maxReplicas entries.minReplicaMemoryGb entries.minReplicas",
    ],
    "doubled refused": ["entries.weekdays"],
    "empty refused": ["entries entries.name"],
  },
  Member: { "doubled refused": ["assignedRoleIds"] },
  ServiceSettings: {
    // The check accepts a text or a number for every setting of a database, whose types only the service knows.
    '"text" accepted': ["settings.max_concurrent_queries"],
    "7 accepted": ["settings.session_timezone"],
    "empty refused": ["settings.session_timezone"],
  },
  PrivateEndpoint: { "empty refused": ["endpointId"], "foreign refused": ["endpointId"] },
  ReversePrivateEndpoint: {
    // No API document states which properties belong to which type of private endpoint, nor that a private name must be unique.
    "1 rather than 501 accepted": ["customPrivateDnsMappings"],
    "absent refused": [
      "customPrivateDnsMappings.privateDnsName gcpServiceAttachment mskAuthentication mskClusterArn",
      "vpcEndpointServiceName vpcResourceConfigurationId vpcResourceShareArn",
    ],
    "doubled refused": ["customPrivateDnsMappings"],
    ...Object.fromEntries(
      ["empty refused", "foreign refused"].map((title) => [
        title,
        [
          `customPrivateDnsMappings.privateDnsName${title === "empty refused" ? " customPrivateDnsMappings.targetId" : ""}`,
          "gcpServiceAttachment mskClusterArn vpcEndpointServiceName vpcResourceConfigurationId vpcResourceShareArn",
        ],
      ]),
    ),
  },
  Pipe: pipeDifferences,
  PipeCdcScaling: {
    "absent refused": ["replicaCpuMillicores"],
    // The check accepts only the memory that belongs to the declared number of cores.
    ...Object.fromEntries([4, 8, 12, 20, 24].map((value) => [`= ${value} refused`, ["replicaMemoryGb"]])),
  },
  BackupConfiguration: {
    // The check has rules that no document states: a start time needs a period of 24 hours, backups are kept for whole
    // days, and other times are whole hours.
    ...Object.fromEntries(
      numbers
        .filter((value) => value !== 24)
        .map((value) => [
          `= ${value} refused`,
          [`backupPeriodInHours${[360, 1080].includes(value) ? "" : " backupRetentionPeriodInHours"}`],
        ]),
    ),
    "empty refused": ["backupStartTime"],
    "foreign refused": ["backupStartTime"],
  },
  ApiKey: {
    "absent refused": ["hashData.keyIdHash hashData.keyIdSuffix hashData.keySecretHash ipAccessList.source"],
    "doubled refused": ["assignedRoleIds roles"],
    "empty refused": [
      "hashData.keyIdHash hashData.keyIdSuffix hashData.keySecretHash ipAccessList.source name roles",
    ],
    "foreign refused": ["ipAccessList.source"],
    "null accepted": ["expireAt"],
  },
  QueryEndpoint: {
    "absent refused": ["roles"],
    "doubled refused": ["openApiKeys roles"],
    '"text" accepted': ["allowedOrigins"],
  },
  SavedQuery: { "empty refused": ["database sql"] },
  QueryApiEndpoint: { "doubled refused": ["allowedOrigins apiKeyIds roles"] },
  Webhook: { "empty refused": ["body description"], "foreign refused": ["name"] },
  Connection: { "empty refused": ["host name password"], "foreign refused": ["host"] },
  Source: {
    // The server has limits that its document does not state; for example, no expression may be empty.
    "10 rather than 501 accepted": ["filterSettings.columns querySettings"],
    "= 0.5 refused": ["durationPrecision"],
    "absent refused": [
      "materializedViews.aggregatedColumns.sourceColumn metadataMaterializedViews.granularity",
      "metadataMaterializedViews.kvRollupTable metricTables.gauge",
    ],
    "empty refused": [
      "bodyExpression connection defaultTableSelectExpression displayedTimestampValueExpression",
      "durationExpression eventAttributesExpression filterSettings.columns.label",
      "filterSettings.columns.name filterSettings.columns.valueExpression filterSettings.databaseName",
      "filterSettings.tableName",
      "from.databaseName from.tableName highlightedRowAttributeExpressions.alias",
      "highlightedRowAttributeExpressions.luceneExpression",
      "highlightedRowAttributeExpressions.sqlExpression highlightedTraceAttributeExpressions.alias",
      "highlightedTraceAttributeExpressions.luceneExpression",
      "highlightedTraceAttributeExpressions.sqlExpression implicitColumnExpression",
      "knownColumnsListExpression logSourceId materializedViews.aggregatedColumns",
      "materializedViews.aggregatedColumns.aggFn materializedViews.aggregatedColumns.mvColumn",
      "materializedViews.aggregatedColumns.sourceColumn materializedViews.databaseName",
      "materializedViews.tableName materializedViews.timestampColumn",
      "metadataMaterializedViews.granularity metadataMaterializedViews.keyRollupTable",
      "metadataMaterializedViews.kvRollupTable metricSourceId metricTables.exponentialHistogram",
      "metricTables.gauge metricTables.histogram metricTables.sum metricTables.summary",
      "minAutoGranularity name orderByExpression parentSpanIdExpression querySettings.setting",
      "querySettings.value resourceAttributesExpression sampleRateExpression section seriesTable",
      "serviceNameExpression serviceVersionExpression",
      "sessionSourceId severityTextExpression spanEventsValueExpression spanIdExpression",
      "spanKindExpression spanLinksValueExpression spanNameExpression statusCodeExpression",
      "statusMessageExpression tableFilterExpression timestampValueExpression traceIdExpression traceSourceId",
    ],
    "foreign refused": ["materializedViews.aggregatedColumns.aggFn metadataMaterializedViews.granularity"],
  },
  Dashboard: {
    "absent refused": ["filters.isVariableEnabled savedQuery tiles tiles.containerId"],
    "doubled refused": ["containers containers.tabs tags tiles"],
    "empty refused": [
      "filters.sourceId tiles.config.connectionId",
      "tiles.config.onClick.target.id tiles.config.select.valueExpression tiles.config.sourceId tiles.id",
      "tiles.series.alias tiles.series.metricName tiles.series.sourceId",
    ],
    // The check fills in missing sizes of tiles, so it accepts tiles without them.
    "absent accepted": ["tiles.h tiles.w"],
    "foreign accepted": [
      "tiles.config.configType tiles.config.displayType tiles.config.heatmapMode tiles.series.metricDataType",
    ],
    "100001 rather than undefined accepted": ["tiles.config.heatmapMode"],
    "foreign refused": ["tiles.containerId tiles.tabId"],
    // The server has limits that its document does not state, and the check refuses longer values, too.
    "10000 rather than 100001 accepted": [
      "tiles.config.groupBy tiles.config.onClick.filters.expression tiles.config.onClick.filters.template",
      "tiles.config.onClick.target.template tiles.config.onClick.urlTemplate tiles.config.onClick.whereTemplate",
      "tiles.config.select.countExpression tiles.config.select.valueExpression",
    ],
    "50 rather than 501 accepted": ["tiles.config.onClick.filters"],
    "undefined rather than 256 accepted": ["tiles.containerId tiles.tabId"],
  },
  SavedSearch: {
    "doubled refused": ["tags"],
    "empty refused": ["filters.condition sourceId"],
    "foreign accepted": ["filters.condition"],
    "foreign refused": ["name"],
  },
  Alert: {
    "absent refused": ["chartConfig.where"],
    // The server limits charts in ways that no API document states.
    "10 rather than 501 accepted": ["chartConfig.colorRules chartConfig.formulas"],
    "10000 rather than 100001 accepted": [
      "chartConfig.groupBy chartConfig.select.alias chartConfig.select.valueExpression",
      "chartConfig.select.where chartConfig.where",
    ],
    "100000 rather than 100001 accepted": ["chartConfig.sqlTemplate"],
    "1024 rather than 100001 accepted": ["chartConfig.formulas.expression"],
    "= -1 refused": ["chartConfig.seriesLimit"],
    "doubled refused": ["channels tags"],
    "empty refused": [
      "channel.slackChannelId channel.webhookId channel.webhookService channels.webhookId",
      "chartConfig.connectionId chartConfig.name chartConfig.sourceId",
      "chartConfig.where dashboardId groupBy savedSearch tileId",
    ],
    "foreign refused": ["displayName"],
  },
};

/**
 * Returns true if the program has properties that only the other API's document has. The check leaves their refusal to the
 * service.
 */
function isOfOther(api: Api, program: Data): boolean {
  const text = JSON.stringify(program);
  if (api === "observability")
    return /"(filterSettings|webhookService|slackChannelId|severity|emailRecipients|SOURCE_FILTER)"/.test(
      text,
    );
  const words =
    /"(eventName|severityNumber|tableFilter)Expression"|"(minAutoGranularity|seriesTable|adhoc|promql)"/;
  return words.test(text) || (program.kind === "metric" && "serviceNameExpression" in program);
}

/** Returns the example programs of a resource type. A program with several tiles becomes one program for each tile. */
function programsOf(type: TypeName): readonly JsonObject[] {
  const { wholes, needs } = examples[type];
  const ofProduct = Object.keys(wholes).filter((title) => needs?.[title]?.dialect !== "neutral");
  const all = [...(further[type] ?? []), ...ofProduct.map((title) => wholes[title] ?? {})];
  return all.flatMap((whole) => {
    const tiles = tilesOf(whole);
    return tiles.length > 1 ? tiles.map((tile) => ({ ...whole, tiles: [tile] })) : [whole];
  });
}

const sandbox = Client.inProcess({ dialect: "clickhouse" });

/** Sends a request with the given body to the sandbox. Returns true unless the answer has status 400. */
async function isTakenBySandbox(api: Api, name: OperationName, body: unknown): Promise<boolean> {
  const { method, path, api: served } = operationOn(api, name);
  const below = pathIn(dialects.clickhouse, path)
    .replace(/^\/v1\/organizations\/\{organizationId\}|^\/api\/v2/, "")
    .replace("{serviceId}", seededCredentials.serviceId);
  const ask = served === "management" ? "organization" : "observability";
  return (await sandbox[ask](method, below, body)).status !== 400;
}

/**
 * Refusals of the API documents that the sandbox need not repeat: the observability server ignores unknown properties, and
 * accepts these values.
 */
const tolerated = new RegExp(
  [
    "^(?!management).* must NOT have (additional|unevaluated) properties",
    "createAlert: data/scheduleStartAt must match",
    "createSource: .* must NOT have fewer than 1 characters|createSource: data/durationPrecision must be integer",
  ].join("|"),
);

/**
 * Returns true if the API documents accept the first request that the provider would send for a program. Expects the sandbox to
 * refuse the request otherwise.
 */
async function isTakenByProduct(type: TypeName, program: Data, session: Session, api: Api): Promise<boolean> {
  let refusal: string | undefined;
  let sent: unknown;
  let operation: OperationName | undefined;
  session.call = (async (name: OperationName, place: Data, body?: unknown) => {
    if (name.startsWith("list")) return [];
    if (body === undefined) return { id: place.id ?? place.serviceId, actors: [] };
    operation = name;
    sent = JSON.parse(JSON.stringify(requestIn(dialects.clickhouse, body)));
    refusal = judge.requestFailure(api, name, sent);
    throw new Error("nothing is sent");
  }) as never;
  await resources[type].create(program, session).catch(() => undefined);
  if (operation === undefined || refusal === undefined) return operation !== undefined;
  const why = `${api} ${operation}: ${refusal}`;
  if (!tolerated.test(why)) expect(await isTakenBySandbox(api, operation, sent), why).to.equal(false);
  return false;
}

/** Returns each size that an API document gives as a limit, and the next larger size. */
const around = (limits: readonly number[]) => limits.flatMap((limit) => [limit, limit + 1]);
const lengths = around([
  20, 32, 36, 40, 64, 200, 256, 512, 1024, 2048, 4096, 8192, 10_000, 16_384, 50_000, 100_000,
]);
const counts = around([1, 2, 10, 20, 50, 100, 500]);

/** Returns values of other types than the given value has. */
function mistyped(value: Json): Json[] {
  if (Array.isArray(value)) return [null, {}, "text", 7];
  if (isObject(value)) return [null, [], "text", 7];
  return typeof value === "string" ? [null, 7, [], {}] : [null, "text", [], {}];
}

/** Returns other values of the same type, and the absent value, by the names that `differences` uses. */
function others(value: Json): { readonly [name: string]: Json | typeof absent } {
  if (typeof value === "string") return { absent, empty: "", foreign: " no such word" };
  if (typeof value === "number")
    return { absent, ...Object.fromEntries(numbers.map((number) => [`= ${number}`, number])) };
  if (Array.isArray(value)) return { absent, empty: [], doubled: [value[0], value[0]] };
  return isObject(value) ? { absent, widened: { ...value, further: 1 } } : { absent };
}

/** Returns a text with the given number of characters, or a list with the given number of entries. */
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

/** Returns the largest size that the check accepts, by a binary search: if it accepts a size, it accepts all smaller ones. */
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

/**
 * Returns true for properties whose valid texts are a fixed set or have a fixed form, and for kinds that newer servers
 * may extend. Sizes of such texts are not tested.
 */
const isWord = (schema: TSchema, path: string) =>
  ["enum", "pattern", "format", "anyOf", "known", "rule"].some((keyword) => keyword in schema) ||
  /(^|\.)(type|kind|displayType|configType)$/.test(path);

const schemaOf = (schema: TSchema, path: string) => keysIn(path).reduce(schemaAt, schema);

describe("The comparison of the checks with the product's documents", () => {
  const sessionWith = (observabilityVia: Api) =>
    sessionFor({ dialect: "clickhouse", observabilityVia }).session;
  const programsWith = (type: TypeName, session: Session) =>
    programsOf(type).map(
      (whole) =>
        supportedPart(resources[type].inputs, JSON.parse(JSON.stringify(whole)), session) as JsonObject,
    );

  for (const type of typeNames)
    it(`the check of ${type} agrees with the product's documents except for known differences, and the sandbox refuses what the documents refuse`, async () => {
      const { inputs: schema } = resources[type];
      const found: { [verdict: string]: Set<string> } = {};
      const note = (verdict: string, path: string) => {
        found[verdict] = (found[verdict] ?? new Set()).add(withoutPositions(path));
      };
      const tried = new Set<string>();
      for (const api of apis) {
        const session = sessionWith(api);
        const failuresOf = (program: Data) => check(resources[type], {}, program, session).failures;
        const ours = async (program: Data) => failuresOf(program).length === 0;
        const theirs = (program: Data) => isTakenByProduct(type, program, session, api);
        for (const program of programsWith(type, session)) {
          if (!(await ours(program)) || isOfOther(api, program)) continue;
          expect(await theirs(program), JSON.stringify(program)).to.equal(true);
          const content = JSON.stringify(program.tiles);
          const isNew = (path: string) => {
            const kind = /\.(config|series)\b(?!.*numberFormat)/.test(path) ? content : "";
            const key = `${api} ${kind} ${withoutPositions(path).replace(/.*numberFormat/, "")}`;
            const isEmpty = String(valueAt(program, keysIn(path))) === "";
            return !isEmpty && !tried.has(key) && tried.add(key);
          };
          for (const path of pathsIn(program).filter(isNew)) {
            const value = valueAt(program, keysIn(path)) as Json;
            for (const wrong of mistyped(value)) {
              const changed = withChange(program, path, wrong);
              await theirs(changed);
              const paths = failuresOf(changed).map((failure) => failure.path);
              if (paths.join() !== labelOf(changed, keysIn(path)))
                note(
                  `${JSON.stringify(wrong)} ${paths.length > 0 ? `refused at ${paths}` : "accepted"}`,
                  path,
                );
            }
            for (const [name, other] of Object.entries(others(value))) {
              // Two changes of a tile config are skipped: removing a list entry leaves a gap, and a config may have unknown
              // properties of newer servers.
              const isLeftOut =
                (other === absent && path.endsWith("]")) || (name === "widened" && path.includes(".config"));
              if (isLeftOut) continue;
              const changed = withChange(program, path, other);
              const isOurs = await ours(changed);
              if (isOurs !== (await theirs(changed)))
                note(`${name} ${isOurs ? "accepted" : "refused"}`, path);
            }
            const own = schemaOf(schema, path);
            const isSized = Array.isArray(value) || typeof value === "string";
            if (isSized && !isWord(own, path) && !isWord(schemaAt(own, 0), path)) {
              const most = (isTaken: typeof ours) =>
                largest(Array.isArray(value) ? counts : lengths, (size) =>
                  isTaken(withChange(program, path, ofSize(value, size))),
                );
              const [here, there] = [await most(ours), await most(theirs)];
              if (here !== there) note(`${here} rather than ${there} accepted`, path);
            }
          }
        }
      }
      const places = Object.entries(found).map(([verdict, paths]) => [verdict, [...paths].sort().join(" ")]);
      const known = Object.entries(differences[type] ?? {}).map(([verdict, lines]) => [
        verdict,
        lines.join(" "),
      ]);
      expect(Object.fromEntries(places)).to.deep.equal(Object.fromEntries(known));
    }).timeout(300_000);

  it("the comparison with the documents changes every property of every schema", () => {
    const tried = typeNames.flatMap((type) =>
      apis
        .flatMap((api) => programsWith(type, sessionWith(api)).flatMap((program) => pathsIn(program)))
        .map((path) => `${type} ${withoutPositions(path)}`),
    );
    const places = typeNames.flatMap((type) =>
      placesOf(resources[type].inputs).map((path) => `${type} ${path}`),
    );
    expect(places.filter((place) => !tried.includes(place))).to.have.members([
      // Requests contain only hashes of the password.
      "Service password",
      "Dashboard tiles.series.dataSource",
      ...["webhookService", "slackChannelId", "severity", "emailRecipients"].map(
        (name) => `Alert channels.${name}`,
      ),
    ]);
  });
});

const withoutPositions = (path: string) => path.replace(/\[\d+\]/g, "");

/** Returns the paths of all properties of a resource's schema that requests contain. */
function placesOf({ properties = {}, items }: TSchema, path = ""): string[] {
  if (items) return placesOf(items as TSchema, path);
  return Object.entries(properties as { readonly [name: string]: TSchema }).flatMap(([name, own]) =>
    annotationsOf(own).sent === "never" ? [] : [joinPath(path, name), ...placesOf(own, joinPath(path, name))],
  );
}
