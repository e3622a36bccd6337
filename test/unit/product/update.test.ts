import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { differenceOf } from "../../../product/difference.mjs";
import { tableNameOf, tableOf, textOf } from "../../../product/table.mjs";
import { command } from "../../../toolchain/command.mjs";

type Json = { [name: string]: unknown };

const documentOf = (
  members: Json,
  { query = [], answer = {} }: { query?: Json[]; answer?: Json } = {},
): Json => ({
  paths: {
    "/v1/organizations/{organizationId}/keys": {
      get: {
        operationId: "listKeys",
        summary: "A sentence",
        security: [{ basicAuth: ["control-plane:organization:view-api-keys"] }],
        parameters: [
          { in: "path", name: "organizationId", required: true, schema: { type: "string" } },
          ...query,
        ],
        responses: {
          "200": {
            content: {
              "application/json": {
                schema: {
                  type: "object",
                  properties: {
                    status: {},
                    result: { type: "array", items: { $ref: "#/components/schemas/Key" } },
                    ...answer,
                  },
                },
              },
            },
          },
          "400": { description: "A sentence" },
        },
      },
      post: {
        operationId: "createKey",
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Key" } } } },
        responses: { "200": { description: "A sentence" } },
      },
    },
  },
  components: {
    schemas: {
      Key: { type: "object", description: "A sentence", properties: members },
      Unused: { type: "string" },
    },
  },
});

const name = { type: "string", description: "A sentence", example: "A sentence" };

const words = (before: Json, after: Json) => differenceOf(tableOf(before), tableOf(after));

describe("A table of the product's facts", () => {
  it("a table of product facts leaves out a document's sentences, examples and unused schemas", () => {
    const { operations, schemas } = tableOf(documentOf({ name, age: { type: "number", nullable: true } }));
    expect(JSON.stringify({ operations, schemas })).not.to.include("sentence");
    expect(schemas).to.deep.equal({
      Key: {
        type: "object",
        properties: { age: { type: ["number", "null"] }, name: { type: "string" } },
      },
    });
    expect(operations["GET /v1/organizations/{organizationId}/keys"]).to.deep.equal({
      id: "listKeys",
      permissions: ["control-plane:organization:view-api-keys"],
      path: { organizationId: { type: "string" } },
      answers: {
        "200": {
          type: "object",
          properties: { result: { type: "array", items: { $ref: "#/schemas/Key" } } },
        },
      },
      errors: [400],
    });
  });

  it("a table of product facts has the same text for any order of properties and values in the document", () => {
    const level = (...values: string[]) => ({ type: "string", enum: values });
    const one = tableOf(documentOf({ name, level: level("low", "high") }));
    const other = tableOf(documentOf({ level: level("high", "low"), name }));
    expect(textOf(one)).to.equal(textOf(other));
  });

  it("node product/update.mjs refuses the OpenAPI document of an unknown API, and makes no table of it", () => {
    expect(() => tableNameOf({ paths: { "/pets": {} } })).to.throw("no OpenAPI document of ClickHouse Cloud");
  });
});

describe("The difference of two tables of product facts", () => {
  const cases: { readonly [words: string]: readonly [before: Json, after: Json] } = {
    "keys: request: new tags": [documentOf({ name }), documentOf({ name, tags: { type: "array" } })],
    "keys: request: gone name": [documentOf({ age: name, name }), documentOf({ age: name })],
    "keys: request: may be state paused": [
      documentOf({ state: { type: "string", enum: ["on"] } }),
      documentOf({ state: { type: "string", enum: ["on", "paused"] } }),
    ],
    "keys: request: limit name maxLength 50, was 20": [
      documentOf({ name: { ...name, maxLength: 20 } }),
      documentOf({ name: { ...name, maxLength: 50 } }),
    ],
    "keys: request: may be null name": [
      documentOf({ name }),
      documentOf({ name: { type: ["string", "null"] } }),
    ],
    "keys: request: type name number, was string": [
      documentOf({ name }),
      documentOf({ name: { type: "number" } }),
    ],
    "keys: request: deprecated name": [
      documentOf({ name }),
      documentOf({ name: { ...name, deprecated: true } }),
    ],
    "keys: request: members unknown limits": [
      documentOf({ limits: { type: "object", properties: {}, additionalProperties: false } }),
      documentOf({ limits: { type: "object" } }),
    ],
    "keys: request: takes other members limits": [
      documentOf({ limits: { type: "object", properties: { name }, additionalProperties: false } }),
      documentOf({ limits: { type: "object", properties: { name } } }),
    ],
    "keys: request: default size 50, was 20": [
      documentOf({ size: { type: "integer", default: 20 } }),
      documentOf({ size: { type: "integer", default: 50 } }),
    ],
    "keys: request: format at date-time, was none": [
      documentOf({ at: name }),
      documentOf({ at: { ...name, format: "date-time" } }),
    ],
    "keys: query: default pageSize 50, was 100": [
      documentOf(
        {},
        { query: [{ in: "query", name: "pageSize", schema: { type: "integer", default: 100 } }] },
      ),
      documentOf(
        {},
        { query: [{ in: "query", name: "pageSize", schema: { type: "integer", default: 50 } }] },
      ),
    ],
    "keys: query: new cursor": [
      documentOf({}),
      documentOf({}, { query: [{ in: "query", name: "cursor", schema: { type: "string" } }] }),
    ],
    "keys: answer: new nextCursor": [documentOf({}), documentOf({}, { answer: { nextCursor: name } })],
  };
  for (const [line, [before, after]] of Object.entries(cases))
    it(`the difference of two API documents is reported as "${line}"`, () => {
      expect(words(before, after)).to.include(line);
      expect(words(after, after)).to.deep.equal([]);
    });

  it("the report about two API documents names a request whose body becomes required", () => {
    const before = tableOf(documentOf({ name }));
    const after = structuredClone(before);
    delete after.operations["POST /v1/organizations/{organizationId}/keys"]?.bodyIsOptional;
    expect(differenceOf(before, after)).to.deep.equal(["keys: request: required body"]);
    expect(differenceOf(after, before)).to.deep.equal(["keys: request: optional body"]);
  });

  it("the report about two API documents has no line of more than some hundred characters", () => {
    const levels = Array.from({ length: 60 }, (_, at) => [`member${at}`.repeat(6), at] as const);
    const before = Object.fromEntries(levels.map(([member]) => [member, { type: "string" }]));
    const after = Object.fromEntries(
      levels.map(([member, at]) => [
        member,
        at % 2 ? { type: "number" } : { type: "string", maxLength: at + 1 },
      ]),
    );
    const lines = words(documentOf(before), documentOf(after)).filter((line) => line.includes(": request: "));
    expect(Math.max(...lines.map(({ length }) => length))).to.be.below(400);
    expect(lines.join("\n"))
      .to.match(/: limit /)
      .and.match(/: type /);
    expect(lines.join("\n")).to.match(/\d+ more/);
  });

  it("the report about two API documents names new and missing operations with their permissions", () => {
    const without = { paths: { "/v1/whoami": { get: { responses: {} } } } };
    expect(words(without, documentOf({ name }))).to.include.members([
      "keys: new: GET, POST (organization:view-api-keys)",
      "whoami: gone: GET",
    ]);
  });

  it("the report about two API documents names a new status and a changed permission of an operation", () => {
    const before = tableOf(documentOf({}));
    const after = structuredClone(before);
    const list = after.operations["GET /v1/organizations/{organizationId}/keys"];
    Object.assign(list ?? {}, { errors: [400, 409], permissions: ["control-plane:organization:manage"] });
    expect(differenceOf(before, after)).to.deep.equal([
      "keys: permission: new organization:manage; gone organization:view-api-keys",
      "keys: status: new 409",
    ]);
  });
});

describe("The command node product/update.mjs", () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "product-"));
    file = join(folder, "document.json");
    await cp(join(__dirname, "..", "..", "..", "product"), folder, { recursive: true });
  });
  afterEach(() => rm(folder, { recursive: true }));

  const run = () => command(process.execPath, [join(folder, "update.mjs"), file]);

  it("update.mjs prints the differences that it writes into the table of a document", async () => {
    await writeFile(join(folder, "cloud.json"), textOf(tableOf(documentOf({ name }))));
    await writeFile(file, JSON.stringify(documentOf({ name, "tags`": { type: "array" } })));
    expect((await run()).stdout).to.equal(
      "cloud: keys: answer: new tags?\ncloud: keys: request: new tags?\n",
    );
    expect(
      JSON.parse(await readFile(join(folder, "cloud.json"), "utf8")).schemas.Key.properties,
    ).to.have.all.keys("name", "tags`");
    expect((await run()).stdout).to.equal("Nothing is new.\n");
  });

  it("update.mjs refuses a file that is no API document", async () => {
    await writeFile(file, "{}");
    const { code, stderr } = await run();
    expect([code, stderr]).to.deep.equal([
      1,
      `${file} cannot be read: it is no OpenAPI document of ClickHouse Cloud or HyperDX: it has none of their paths\n`,
    ]);
  });
});
