import { expect } from "chai";
import { dialects, pathIn, requestIn } from "../../../provider/api/dialect";
import { MissingObject } from "../../../provider/api/errors";
import { type OperationName, operationOn } from "../../../provider/api/operations";
import { check, supportedPart } from "../../../provider/lifecycle/check";
import type { Session } from "../../../provider/lifecycle/session";
import { resources, type TypeName, typeNames } from "../../../provider/resources/registry";
import { labelOf } from "../../../provider/values/compare";
import type { PropertyMap } from "../../../provider/values/data";
import { valueAt } from "../../../provider/values/pairing";
import { annotationsOf, joinPath, keysIn, schemaAt } from "../../../provider/values/schema";
import type { TSchema } from "../../../provider/values/schemaBuilders";
import { seededCredentials } from "../../../sandbox/index";
import { judge } from "../../productJudge";
import { Client } from "../../sandbox/requests";
import { sessionFor } from "../lifecycle/note";
import { differences } from "./documentDifferences";
import type { Json, JsonObject } from "./example";
import { examples } from "./examples";
import { sourceOfLinks } from "./sourceLinks.example";
import { absent, pathsIn, withChange } from "./validInputs";
import { counts, largest, lengths, mistyped, ofSize, others } from "./valueVariants";

const apis = ["management", "observability"] as const;
type Api = (typeof apis)[number];

const { "with all": board = {}, "with series of each type": ofSeries = {} } = examples.Dashboard.wholes;
const { "of a range": range = {} } = examples.Alert.wholes;

const tilesOf = ({ tiles = [] }: { readonly tiles?: readonly JsonObject[] }) => tiles;

/**
 * Programs that the test changes before the example programs, since no other rule or reference in them hides the limits of
 * their properties.
 */
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

/**
 * Returns true if the program has properties that the given API's document lacks and the other API's document has (of the
 * management and the observability API). The check leaves their refusal to the service.
 */
function isOfOther(api: Api, program: PropertyMap): boolean {
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
 * What the API documents refuse and the sandbox may accept, since the real server of the observability API accepts it: unknown
 * properties, and invalid values of the properties named below.
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
async function isTakenByProduct(
  type: TypeName,
  program: PropertyMap,
  session: Session,
  api: Api,
): Promise<boolean> {
  let refusal: string | undefined;
  let sent: unknown;
  let operation: OperationName | undefined;
  session.call = (async (name: OperationName, place: PropertyMap, body?: unknown) => {
    if (name.startsWith("list")) return [];
    if (name === "validateSshTunnel") return { id: place.id, status: "active" };
    if (name === "createUdfUpload") return { uploadId: udfUploadId, uploadUrl: "https://store.example.com" };
    if (name === "getUdfAttachment")
      throw new MissingObject({ operation: name, method: "GET", path: "" }, "UDF not found");
    if (name === "getSource") return { ...sourceOfLinks(String(place.id)), id: place.id };
    if (body === undefined) return { id: place.id ?? place.serviceId, actors: [] };
    operation = name;
    sent = JSON.parse(JSON.stringify(requestIn(dialects.clickhouse, body)));
    refusal = judge.requestFailure(api, name, sent);
    throw new Error("nothing is sent");
  }) as never;
  session.upload = async () => {};
  await resources[type].create(program, session).catch(() => undefined);
  if (operation === undefined || refusal === undefined) return operation !== undefined;
  const why = `${api} ${operation}: ${refusal}`;
  if (!tolerated.test(why)) expect(await isTakenBySandbox(api, operation, sent), why).to.equal(false);
  return false;
}

const udfUploadId = "5d0c7b1e-2f3a-4b4c-8d5e-6f7a8b9c0d1e";

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
    it(`the check of ${type} differs from the product's documents only in known ways`, async () => {
      const { inputs: schema } = resources[type];
      const found: { [verdict: string]: Set<string> } = {};
      const note = (verdict: string, path: string) => {
        found[verdict] = (found[verdict] ?? new Set()).add(withoutPositions(path));
      };
      const tried = new Set<string>();
      for (const api of apis) {
        const session = sessionWith(api);
        const failuresOf = (program: PropertyMap) => check(resources[type], {}, program, session).failures;
        const ours = async (program: PropertyMap) => failuresOf(program).length === 0;
        const theirs = (program: PropertyMap) => isTakenByProduct(type, program, session, api);
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

  it("only known properties are left out of the comparison of the checks with the API documents", () => {
    const tried = typeNames.flatMap((type) =>
      apis
        .flatMap((api) => programsWith(type, sessionWith(api)).flatMap((program) => pathsIn(program)))
        .map((path) => `${type} ${withoutPositions(path)}`),
    );
    const places = typeNames.flatMap((type) =>
      placesOf(resources[type].inputs).map((path) => `${type} ${path}`),
    );
    expect(places.filter((place) => !tried.includes(place))).to.have.members([
      // Requests contain only hashes of a service's password, so the test finds no password in a request that it could change.
      "Service password",
      // A create has no password, and a read replica has tests of its own.
      ...["PostgresService password", "PostgresService readReplicaOf"],
      "Dashboard tiles.series.dataSource",
      // The provider computes it of what is at `sourcePath`.
      "Udf sourceHash",
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
