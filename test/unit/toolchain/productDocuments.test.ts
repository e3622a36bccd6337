import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { command } from "../../../toolchain/command.mjs";
import { differencesIn } from "../../../toolchain/productDocuments/compare.mjs";
import { type KnownOperation, knownOperations } from "../../../toolchain/productDocuments/knowledge.mjs";
import { compareDocuments, newsIn } from "../../../toolchain/productDocuments.mjs";
import {
  list,
  number,
  oneOf,
  orNull,
  strict,
  text,
  upTo,
  variants,
  whenOneOf,
} from "../../strictProduct/schema";

interface Document {
  openapi: string;
  paths: Record<string, Record<string, object>>;
  components: { schemas: Record<string, { [keyword: string]: unknown }> };
}

const json = (schema: object) => ({ content: { "application/json": { schema } } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const config = variants(
  "displayType",
  { sourceId: text, select: list(text), markdown: upTo(50) },
  { line: "sourceId* select*", markdown: "markdown" },
);
const alert = {
  ...strict(
    { name: orNull(upTo(512, 1)), interval: oneOf("1m", "5m"), threshold: number, note: text, config },
    ["interval", "threshold"],
  ),
  allOf: [
    whenOneOf("interval", ["1m"], { properties: { threshold: { minimum: 5 } } }),
    whenOneOf("interval", ["5m"], { properties: { thresholdMax: false } }),
  ],
};
const path = "/v1/organizations/{organizationId}/services/{serviceId}/clickstack/alerts";
const answer = strict(
  { id: text, name: text, state: oneOf("OK", "ALERT"), errors: list({ type: "object" }) },
  ["id"],
);
const known: KnownOperation[] = [
  { name: "listAlerts", type: "Alert", method: "GET", path, answer: { type: "array", items: answer } },
  { name: "createAlert", type: "Alert", method: "POST", path, body: alert, answer },
  { name: "updateAlert", type: "Alert", method: "PUT", path: `${path}/{id}`, body: alert, answer },
  { name: "deleteAlert", type: "Alert", method: "DELETE", path: `${path}/{id}` },
];

/** The same in the manner of the product's documents. */
function documentOfAlerts(): Document {
  const result = (schema: object) => ({
    "200": {
      ...json({
        type: "object",
        properties: { status: { type: "number" }, requestId: text, result: schema },
      }),
    },
  });
  return {
    openapi: "3.1.2",
    paths: {
      [path]: {
        get: { responses: result({ type: "array", items: ref("Alert") }) },
        post: { requestBody: json(ref("AlertRequest")), responses: result(ref("Alert")) },
      },
      [`${path}/{clickStackAlertId}`]: {
        put: { requestBody: json(ref("AlertRequest")), responses: result(ref("Alert")) },
        delete: { responses: result({}) },
      },
    },
    components: {
      schemas: {
        Interval: { type: "string", enum: ["1m", "5m"] },
        Base: {
          type: "object",
          required: ["interval"],
          properties: {
            name: { type: ["string", "null"], maxLength: 512, minLength: 1 },
            interval: { allOf: [ref("Interval")], description: "How often" },
            config: { oneOf: [ref("Line"), ref("Markdown")] },
          },
        },
        Line: {
          type: "object",
          required: ["displayType", "sourceId", "select"],
          properties: {
            displayType: { const: "line" },
            sourceId: text,
            select: { type: "array", items: { type: "string", nullable: true } },
          },
        },
        Markdown: {
          type: "object",
          required: ["displayType"],
          properties: { displayType: { type: "string", enum: ["markdown"] }, markdown: upTo(50) },
        },
        AlertRequest: {
          allOf: [
            ref("Base"),
            {
              type: "object",
              properties: {
                threshold: { type: "number", minimum: 5 },
                note: { type: "string", nullable: true },
              },
              required: ["threshold"],
            },
          ],
        },
        Alert: {
          type: "object",
          required: ["id", "name", "state"],
          properties: {
            id: text,
            name: upTo(9),
            state: { enum: ["OK", "ALERT", null] },
            errors: { type: "array", items: { type: "object", properties: { timestamp: text } } },
          },
        },
      },
    },
  };
}

const request = "management: Alert: request of createAlert, updateAlert:";
const answers = "management: Alert: answer of listAlerts, createAlert, updateAlert:";
const one = `${path}/{clickStackAlertId}`;

/** Values by their places in the schemas or the paths of a document; undefined ones go. */
type Change = { readonly [place: string]: unknown };

/** Changes of the document, and the lines that say them. */
const changes: { readonly [title: string]: readonly [Change, ...string[]] } = {
  "the same": [{}],
  "a schema that contains itself": [
    { "Markdown properties inner": ref("Markdown") },
    `${request} config.inner is new`,
  ],
  "a new member, and not of what is in it": [
    {
      "AlertRequest allOf 2": {
        properties: { badges: { type: "array", maxItems: 50, items: upTo(32) } },
        required: ["badges"],
      },
    },
    `${request} badges is new (required; maxItems 50)`,
  ],
  "a new member of one alternative": [
    { "Line properties promql": { type: "string", enum: ["a", "b"] } },
    `${request} config.promql is new (one of "a", "b")`,
  ],
  "a new alternative": [
    { "Base properties config oneOf 2": { properties: { displayType: { const: "pie" } } } },
    `${request} config.displayType has the new values "pie"`,
  ],
  "a member that is gone": [{ "Base properties name": undefined }, `${request} name is gone`],
  "a new value": [{ "Interval enum 2": "1h" }, `${request} interval has the new values "1h"`],
  "a value that is gone": [{ "Interval enum": ["1m"] }, `${request} interval has lost the values "5m"`],
  "another limit": [
    { "Base properties name maxLength": 256 },
    `${request} name has the maxLength 256, not 512`,
  ],
  "a limit where there was none": [
    { "AlertRequest allOf 1 properties note maxLength": 9 },
    `${request} note has the maxLength 9, not none`,
  ],
  "a member that is now required": [
    { "AlertRequest allOf 1 required": ["threshold", "note"] },
    `${request} note is required`,
  ],
  "rules that are no longer stated": [
    {
      "Base properties name maxLength": undefined,
      "Base required": undefined,
      "AlertRequest allOf 1 properties threshold minimum": undefined,
    },
  ],
  "a new member and a new value of answers": [
    { "Alert properties state enum 3": "DISABLED", "Alert properties badges": { type: "array" } },
    `${answers} badges is new`,
    `${answers} state has the new values "DISABLED"`,
  ],
  "a new operation": [
    { [`${one}/mute`]: { post: {} } },
    `management: clickstack/alerts/mute: POST ${one}/mute is new`,
  ],
  "an operation that is gone": [
    { [`${one} delete`]: undefined },
    `management: Alert: deleteAlert: DELETE ${path}/{id} is gone`,
  ],
  "a request without a schema": [
    { [`${path} post requestBody`]: undefined },
    "management: Alert: request of createAlert: it has no schema",
  ],
};

function changed(change: Change): Document {
  const document = structuredClone(documentOfAlerts());
  for (const [place, value] of Object.entries(change)) {
    const names = place.split(" ");
    const last = names.pop() ?? "";
    const whole: object = place.startsWith("/") ? document.paths : document.components.schemas;
    const owner = names.reduce((inside, name) => inside[name] as never, whole as { [name: string]: unknown });
    owner[last] = value;
  }
  return JSON.parse(JSON.stringify(document));
}

/** A document that says what the provider knows. */
function documentOf(api: "management" | "observability"): Document {
  const paths: Document["paths"] = {};
  for (const { method, path, body, answer, isBare } of knownOperations(api)) {
    const envelope = api === "management" ? "result" : "data";
    const whole = isBare || !answer ? (answer ?? {}) : { type: "object", properties: { [envelope]: answer } };
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: { ...(body && { requestBody: json(body) }), responses: { "200": json(whole) } },
    };
  }
  return { openapi: "3.0.0", paths, components: { schemas: {} } };
}

describe("The comparison with documents of the product", () => {
  for (const [title, [change, ...lines]] of Object.entries(changes))
    it(`names each difference to a document with ${title}: ${lines.join("; ") || "none"}`, () => {
      expect(differencesIn(changed(change), known)).to.have.members(lines);
    });

  it("says nothing of a member whose treatment docs/members.md states", () => {
    const filters = { type: "array", items: { type: "object", properties: { id: text, name: text } } };
    const document = changed({ AlertRequest: { type: "object", properties: { filters } } });
    const body = strict({ filters: list(strict({})) });
    const dashboards = known.map((one) => ({ ...one, type: "Dashboard", ...(one.body && { body }) }));
    expect(differencesIn(document, dashboards)).to.deep.equal([
      "management: Dashboard: request of createAlert, updateAlert: filters[].name is new",
    ]);
  });

  it("refuses a document that is none of the product's, and a reference to nothing", () => {
    expect(() => differencesIn({ paths: { "/pets": {} } })).to.throw(
      "it is no OpenAPI document of ClickHouse",
    );
    expect(() => differencesIn(changed({ Interval: undefined }), known)).to.throw(
      "the document has no #/components/schemas/Interval",
    );
  });

  it("leaves out lines that are known, in whose place * may stand for a part", () => {
    const lines = ["a: b.c is new", "a: bxc is new", "d: e is gone"];
    expect(newsIn(lines, "# a: bxc is new\n\na: b.c is new\nd: *\n")).to.deep.equal(["a: bxc is new"]);
  });

  describe("as a program", () => {
    let folder: string;
    const { log, error } = console;
    const printed: string[] = [];

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), "pipestack-documents-"));
      console.log = console.error = (line: string) => void printed.push(line);
    });
    afterEach(() => printed.splice(0));
    after(async () => {
      Object.assign(console, { log, error });
      await rm(folder, { recursive: true });
    });

    async function written(name: string, document: object | string) {
      const file = join(folder, name);
      await writeFile(file, typeof document === "string" ? document : JSON.stringify(document));
      return file;
    }

    it("ends with 0 if documents say what the provider knows", async () => {
      const cloud = await written("cloud.json", documentOf("management"));
      const server = await written("server.json", documentOf("observability"));
      expect([await compareDocuments([cloud, server]), printed]).to.deep.equal([0, ["Nothing is new."]]);
    });

    it("ends with 1 after a line for each difference, in which nothing means more than text", async () => {
      const document = documentOf("observability");
      document.paths["/api/v2/alerts/{id}/mute`\u001b"] = { post: {} };
      const file = await written("server.json", document);
      const { code, stdout } = await command(process.execPath, ["toolchain/productDocuments.mjs", file]);
      const line = "observability: alerts/mute??: POST /api/v2/alerts/{id}/mute?? is new\n";
      expect([code, stdout]).to.deep.equal([1, line]);
    });

    it("ends with 2 if a document cannot be read, or none is named", async () => {
      const odd = await written("odd.json", "<html>");
      expect(await compareDocuments([odd])).to.equal(2);
      expect(printed.join()).to.match(/odd\.json cannot be compared: Unexpected token/);
      expect(await compareDocuments([])).to.equal(2);
    });
  });
});
