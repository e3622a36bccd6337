import { expect } from "chai";
import { operationAt, pagingOf } from "../../../product/read";
import type { Schema, Table } from "../../../product/schema";
import { dialects, pathIn, requestIn } from "../../../provider/api/dialect";
import { type OperationName, operationOn } from "../../../provider/api/operations";
import { supportedPart } from "../../../provider/lifecycle/check";
import { resources, type TypeName } from "../../../provider/resources/registry";
import { valueAt } from "../../../provider/values/pairing";
import { keysIn } from "../../../provider/values/schema";
import type { Model } from "../../../sandbox/core/model";
import { seededCredentials } from "../../../sandbox/index";
import { judge } from "../../productJudge";
import { selected } from "../../seed";
import { sessionFor } from "../lifecycle/note";
import type { Json, JsonObject } from "../resources/example";
import { examples } from "../resources/examples";
import { absent, pathsIn, withChange } from "../resources/validInputs";

type Api = "management" | "observability";
type Tables = { readonly [name in "cloud" | "server"]: Table };
type Mutable = { [keyword: string]: unknown };

const isOfSandbox = (path: string) => /[\\/](sandbox|product)[\\/](?!.*node_modules)/.test(path);

/** Loads the sandbox's model with a separate copy of the tables of facts from the API documents, and changes that copy. */
function modelWith(change: (tables: Tables) => void): typeof Model {
  const kept = Object.entries(require.cache).filter(([path]) => isOfSandbox(path));
  for (const [path] of kept) delete require.cache[path];
  try {
    change({
      cloud: require("../../../product/cloud.json"),
      server: require("../../../product/server.json"),
    });
    return (require("../../../sandbox/core/model") as { Model: typeof Model }).Model;
  } finally {
    for (const path of Object.keys(require.cache).filter(isOfSandbox)) delete require.cache[path];
    for (const [path, module] of kept) require.cache[path] = module;
  }
}

const { keyId, keySecret, accessToken, serviceId, organizationId } = seededCredentials;

function asker(model: Model) {
  return (api: Api, method: string, url: string, body?: unknown) => {
    const authorization =
      api === "management"
        ? `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`
        : `Bearer ${accessToken}`;
    const headers = { authorization, "content-type": "application/json" };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const { answer } = model.handle(api, { method, url, headers, ...content } as never, 1_760_000_000_000);
    return { status: answer?.status ?? 0, text: String(answer?.body) };
  };
}

interface Sent {
  readonly api: Api;
  readonly operation: OperationName;
  readonly method: string;
  readonly url: string;
  readonly body: JsonObject;
}

async function requestsFor(type: TypeName, api: Api): Promise<Sent[]> {
  const { session } = sessionFor({ dialect: "clickhouse", observabilityVia: api });
  const sent: Sent[] = [];
  session.call = (async (
    operation: OperationName,
    { serviceId: id }: { serviceId: string },
    body?: unknown,
  ) => {
    if (body === undefined) return { id };
    const { method, path, api: served } = operationOn(api, operation);
    const url = pathIn(dialects.clickhouse, path)
      .replace("{organizationId}", organizationId)
      .replace("{serviceId}", serviceId);
    const plain = JSON.parse(JSON.stringify(requestIn(dialects.clickhouse, body))) as JsonObject;
    sent.push({ api: served, operation, method, url, body: plain });
    throw new Error("nothing is sent");
  }) as never;
  for (const [title, whole] of Object.entries(examples[type].wholes)) {
    if (examples[type].needs?.[title]?.dialect === "neutral") continue;
    const program = JSON.parse(JSON.stringify(whole)) as JsonObject;
    const part = supportedPart(resources[type].inputs, program, session);
    await resources[type].create(part, session).catch(() => undefined);
  }
  // The first four requests that create objects of a type contain every property that these tests change in the sandbox's copy
  // of the API documents' tables, so further requests would show nothing new.
  return sent
    .slice(0, 4)
    .filter(({ operation, body }) => judge.requestFailure(api, operation, body) === undefined);
}

/** Makes other values for a property, some of which exceed limits or have another type. */
function others(value: Json): (Json | typeof absent)[] {
  const ofAnyType: (Json | typeof absent)[] = [absent, null, 7, "text", []];
  if (typeof value === "string")
    return [...ofAnyType, ...[32, 33, 512, 513, 1024, 1025].map((size) => value.padEnd(size, "a"))];
  if (typeof value === "number") return [...ofAnyType, 1, 4, 5, 50, 51, 23, 24, 356, 360];
  if (!Array.isArray(value)) return ofAnyType;
  const [first = "a"] = value;
  return [
    ...ofAnyType,
    ...[50, 51, 100, 101].map((size) =>
      Array.from({ length: size }, (_, index) => (typeof first === "string" ? `${first}${index}` : first)),
    ),
  ];
}

const isRefusedAsWritten = ({ status, text }: { status: number; text: string }) =>
  status === 400 && /can't be validated|Body validation failed/.test(text);

/** Yields one word for each request on which the sandbox and the judge (a check by the API documents) disagree. */
function* disagreements(model: Model, requests: readonly Sent[]): Generator<string> {
  const ask = asker(model);
  const tried = new Set<string>();
  for (const { api, operation, method, url, body } of requests)
    for (const path of ["", ...pathsIn(body)]) {
      const key = `${api} ${path.replace(/\d+/g, "")}`;
      if (path !== "" && tried.has(key)) continue;
      tried.add(key);
      const bodies =
        path === ""
          ? [body]
          : others(valueAt(body, keysIn(path)) as Json).map((other) => withChange(body, path, other));
      for (const [index, changed] of bodies.entries()) {
        const isWrong = judge.requestFailure(api, operation, changed) !== undefined;
        const answer = ask(api, method, url, changed);
        const isRefused = isWrong ? answer.status === 400 : isRefusedAsWritten(answer);
        if (isWrong !== isRefused) yield `${key} ${index}`;
      }
    }
}

const service = "/v1/organizations/{organizationId}/services/{serviceId}";

/**
 * Lists the differences between the sandbox and the API documents in the paging of lists, the status of creates and the
 * properties of answers.
 */
function differencesInForm(model: Model): string[] {
  const ask = asker(model);
  const at = (path: string) =>
    path.replace("{organizationId}", organizationId).replace("{serviceId}", serviceId);
  const lists = [
    `${service}/clickstack/alerts`,
    `${service}/clickstack/webhooks`,
    "/v1/organizations/{organizationId}/keys",
  ];
  const ofLists = lists.flatMap((path) => {
    const { by, limit = 0, maximum = limit } = pagingOf("cloud", `GET ${path}`);
    const most = ask("management", "GET", `${at(path)}?limit=${maximum}`);
    const more = ask("management", "GET", `${at(path)}?limit=${maximum + 1}`).status;
    const isByCursor = "nextCursor" in (JSON.parse(most.text) as object);
    const isAsDocumented = most.status === 200 && more === 400 && isByCursor === (by === "cursor");
    return isAsDocumented ? [] : [`GET ${path}`];
  });
  const creation = `POST ${service}/saved-queries`;
  const query = { name: "a", sql: "1", database: "a" };
  const created = ask("management", "POST", at(`${service}/saved-queries`), query);
  const services = "/v1/organizations/{organizationId}/services";
  const listed = ask("management", "GET", at(services));
  const [documented] = Object.keys(operationAt("cloud", creation).answers);
  const isJudgedWrong = (operation: string, { text }: { text: string }) =>
    judge.answerFailure("management", operation, (JSON.parse(text) as { result: unknown }).result) !==
    undefined;
  return [
    ...ofLists,
    ...(String(created.status) === documented ? [] : [creation]),
    ...(isJudgedWrong("createSavedQuery", created) ? [`answer of ${creation}`] : []),
    ...(isJudgedWrong("listServices", listed) ? [`answer of GET ${services}`] : []),
  ];
}

const schemaIn = ({ schemas }: Table, name: string) =>
  schemas[name] as unknown as { properties: { [member: string]: Mutable }; required?: string[] } & Mutable;

/**
 * Finds the schema in the sandbox's table that declares a property: the named schema itself, or else the first of its parts
 * that declares the property.
 */
function ownerOf(table: Table, name: string, member: string) {
  const schema = schemaIn(table, name);
  const parts = [schema, ...((schema.allOf as Schema[] | undefined) ?? [])] as (typeof schema)[];
  const owner = parts.find(({ properties }) => properties && member in properties);
  if (!owner) throw new Error(`${name} has no ${member}`);
  return owner;
}

const renamed =
  (name: string, member: string, other: string) =>
  ({ cloud }: Tables) => {
    const { properties } = ownerOf(cloud, name, member);
    properties[other] = properties[member] as Mutable;
    delete properties[member];
  };
const changed =
  (name: string, member: string, keywords: Mutable) =>
  ({ cloud }: Tables) => {
    Object.assign(ownerOf(cloud, name, member).properties[member] as Mutable, keywords);
  };
const required =
  (name: string, member: string) =>
  ({ cloud }: Tables) => {
    const owner = ownerOf(cloud, name, member);
    owner.required = [...(owner.required ?? []), member];
  };
const query =
  (request: string, parameters: Mutable | undefined) =>
  ({ cloud }: Tables) => {
    Object.assign(cloud.operations[request] as object, { query: parameters });
  };

/**
 * Changes of the sandbox's copy of the tables from the API documents, with the resource type whose requests show the change.
 * Changes without a type affect lists and statuses.
 */
const changes: readonly (readonly [what: string, change: (tables: Tables) => void, type?: TypeName])[] = [
  [
    "the member note of an alert has another name",
    renamed("ClickStackCreateAlertRequest", "note", "remark"),
    "Alert",
  ],
  [
    "the threshold of an alert is a text",
    changed("ClickStackCreateAlertRequest", "threshold", { type: "string" }),
    "Alert",
  ],
  [
    "an alert has only one of its intervals",
    changed("ClickStackCreateAlertRequest", "interval", { $ref: undefined, type: "string", enum: ["1d"] }),
    "Alert",
  ],
  ["an alert needs a group", required("ClickStackCreateAlertRequest", "groupBy"), "Alert"],
  ["an alert needs a message", required("ClickStackCreateAlertRequest", "message"), "Alert"],
  [
    "the message of an alert is not there",
    ({ cloud }) => void delete ownerOf(cloud, "ClickStackCreateAlertRequest", "message").properties.message,
    "Alert",
  ],
  [
    "the name of a webhook has at most 10 characters",
    ({ cloud }) =>
      void Object.assign(ownerOf(cloud, "ClickStackWebhookInput", "name").properties.name as Mutable, {
        maxLength: 10,
      }),
    "Webhook",
  ],
  [
    "a webhook has another kind of service",
    changed("ClickStackWebhookInput", "service", {
      $ref: undefined,
      type: "string",
      enum: ["slack"],
    }),
    "Webhook",
  ],
  ["a webhook needs a description", required("ClickStackWebhookInput", "description"), "Webhook"],
  [
    "a saved search has a list in place of its order",
    changed("ClickStackSavedSearchInput", "orderBy", { type: "array" }),
    "SavedSearch",
  ],
  ["a saved search needs a select", required("ClickStackSavedSearchInput", "select"), "SavedSearch"],
  [
    "a saved query has another name for its SQL",
    renamed("PublicSavedQueryRequest", "sql", "query"),
    "SavedQuery",
  ],
  [
    "a query API endpoint takes at most one role",
    changed("PublicQueryApiEndpointRequest", "roles", { maxItems: 0 }),
    "QueryApiEndpoint",
  ],
  [
    "services have at most 20 replicas",
    changed("ServiceReplicaScalingPatchRequest", "numReplicas", { maximum: 20 }),
    "ServiceScaling",
  ],
  [
    "services have memory of any size",
    changed("ServiceReplicaScalingPatchRequest", "maxReplicaMemoryGb", {
      maximum: 4096,
      multipleOf: undefined,
    }),
    "ServiceScaling",
  ],
  [
    "a schedule has no hour of its end",
    renamed("ScalingScheduleEntryRequest", "endHourUtc", "untilHourUtc"),
    "ServiceScalingSchedule",
  ],
  ["a key has another name for its date", renamed("ApiKeyPostRequest", "expireAt", "expiresAt"), "ApiKey"],
  [
    "alerts come in pages of 500",
    query(`GET ${service}/clickstack/alerts`, {
      limit: { type: "integer", default: 500, maximum: 500 },
      offset: { type: "integer" },
    }),
  ],
  ["keys are not paged", query("GET /v1/organizations/{organizationId}/keys", undefined)],
  [
    "a saved query is answered with another status",
    ({ cloud }) => {
      const operation = cloud.operations[`POST ${service}/saved-queries`] as unknown as {
        answers: { [status: string]: Schema };
      };
      operation.answers = { "200": operation.answers["201"] as Schema };
    },
  ],
];

/** Changes of the properties of answers in the sandbox's copy of the tables from the API documents. */
const changesOfAnswers: typeof changes = [
  ["a service has another name for its mode of scaling", renamed("Service", "autoscalingMode", "mode")],
  ["answers about saved queries have no SQL", renamed("PublicSavedQuery", "sql", "query")],
];

describe("The sandbox's copy of the product tables", () => {
  const optionsOfModel = { dialect: "clickhouse" } as const;
  const Unchanged = modelWith(() => {});
  type Base = { readonly requests: Sent[]; readonly disagreed: readonly string[] };
  const known = new Map<TypeName, Promise<Base>>();
  const baseOf = (type: TypeName) => {
    const found =
      known.get(type) ??
      requestsFor(type, "management").then((requests) => ({
        requests,
        disagreed: [...disagreements(new Unchanged(optionsOfModel), requests)],
      }));
    known.set(type, found);
    return found;
  };

  it("with an unchanged copy, the sandbox answers in the form that the product's documents describe", () => {
    expect(differencesInForm(new Unchanged(optionsOfModel))).to.deep.equal([]);
  });

  for (const [what, change, type] of selected([...changes, ...changesOfAnswers], 4))
    it(`the comparison of the sandbox with the API documents finds that ${what} in the sandbox's copy`, async () => {
      const model = new (modelWith(change))(optionsOfModel);
      if (type === undefined) return expect(differencesInForm(model)).to.have.length.above(0);
      const { requests, disagreed } = await baseOf(type);
      expect(requests).to.have.length.above(0);
      for (const request of disagreements(model, requests))
        if (!disagreed.includes(request)) return undefined;
      return expect.fail("the judge agrees with the sandbox about every request");
    });
});
