import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import vm from "node:vm";
import { expect } from "chai";
import fc from "fast-check";
import ts from "typescript";
import type { Drift } from "../../../cli/drift/findDrift";
import { findingsMarkdown, findingsTable } from "../../../cli/drift/report";
import { printValue } from "../../../cli/import/print";
import { getPipes } from "../../../provider/index";
import { typeNames } from "../../../provider/resources/registry";
import { printable } from "../../../provider/values/printable";
import { createSandbox, type Sandbox } from "../../../sandbox/index";
import { pipestack, settingVariables } from "../../pipestackCommand";
import { settingsOf } from "../../serviceContents";
import { failureOf } from "../api/failure";
import { clientOf, place, useServer } from "../api/server";
import { captureWarnings, hostWith, withoutEnvironment } from "../hosts/dynamic/hostProcess";
import { addSavedSearch } from "../resources/savedSearch.example";
import { addWebhook } from "../resources/webhook.example";
import { acting, actingText, expectHarmless } from "./acting";

describe("Terminal control characters in a server's text", () => {
  const server = useServer();

  for (const [where, answer] of Object.entries({
    "{error}": { status: 400, body: { error: actingText } },
    "a 404 and its request's id": { status: 404, body: { error: actingText, requestId: actingText } },
    text: { status: 500, body: actingText },
    "a page": { status: 502, body: `<html><title>${actingText}</title>${actingText}</html>` },
    "the header of an id": { status: 400, headers: { "x-request-id": "\u009b31m" }, body: "" },
    "a redirect": { status: 302, headers: { Location: "http://evil.example/\u009b31m" } },
    "names of members": { body: { [actingText]: actingText, result: { [actingText]: actingText } } },
    "an id": { body: { result: [{ id: { [actingText]: actingText } }] } },
  }))
    it(`an error about an answer with control characters contains none on which a terminal acts: ${where}`, async () => {
      server.current.answer(answer);
      const { client } = clientOf(server.current, { maxRetries: 0 });
      const { message, stack } = await failureOf(client.call("listKeys", place));
      expectHarmless(message);
      expectHarmless(stack ?? "");
    });

  it("messages of the host process and of functions contain no characters on which a terminal acts", async () => {
    const restore = withoutEnvironment();
    const warnings = captureWarnings();
    try {
      const { url } = server.current;
      const credentials = { keyId: "keyId", keySecret: "key-secret", accessToken: "token" };
      const settings = { baseUrl: url, obsBaseUrl: url, ...credentials, ...place, maxRetries: "0" };
      const host = hostWith(settings);
      const tile = { name: actingText, x: 0, y: 0, w: 1, h: 1, config: { displayType: "markdown" } };
      await host.Dashboard.check({}, { name: actingText, tiles: [tile, tile] });
      const { failures = [] } = await host.ApiKey.check({}, { roles: ["admin"], [actingText]: 1 });
      server.current.answer(
        { body: { status: 200, requestId: "r", result: [] } },
        { status: 404, body: { status: 404, error: "key not found", requestId: "r" } },
      );
      const adopting = await failureOf(
        host.ApiKey.create({ ...place, roles: ["admin"], adoptId: actingText }),
      );
      expect(adopting.message).to.include("has no API key \\u001b[31mred");
      Object.assign(process.env, settingVariables(settings));
      server.current.alwaysAnswer({ status: 400, body: { error: actingText } });
      const refused = await failureOf(getPipes());
      expect(refused.message).to.include("red");
      expect([failures.length, warnings.lines.length > 0]).to.deep.equal([1, true]);
      const messages = [adopting.message, adopting.stack ?? "", refused.message, ...warnings.lines];
      for (const text of [...messages, ...failures.map(({ reason }) => reason)]) expectHarmless(text);
    } finally {
      warnings.restore();
      restore();
    }
  });
});

it("a drift report escapes control characters, in the table and in Markdown", () => {
  const path = `tiles["${actingText}"]`;
  const entry = { urn: "u", id: "1", url: null, type: "Alert", name: "a", kind: "changed" } as const;
  const drift: Drift[] = [{ ...entry, property: path, label: path, declared: actingText, found: acting }];
  const table = printable(findingsTable({ drift, resources: 1 }));
  expect(table).to.include("\\u001b[31mred");
  expectHarmless(table);
  expectHarmless(printable(findingsMarkdown({ drift, resources: 1 }, "")));
});

describe("Hostile names in a generated program", () => {
  /** Names that could end the text, comment or line of a generated program that contains them, and run code after it. */
  const injections = [
    ...['"; globalThis.ran = true; "', "'; globalThis.ran = true; '", "`; globalThis.ran = true; `"],
    ...[`$${"{globalThis.ran = true}"}`, '\\"; globalThis.ran = true; //', "\\"],
    ...["*/ globalThis.ran = true; /*", "\n globalThis.ran = true; //"],
    ...["\u2028globalThis.ran = true;\u2029", "</script><script>", "[(globalThis.ran = true)]"],
    ...["a: 1 }, globalThis.ran = true, { b", "__proto__", "constructor"],
    ...["get a() { globalThis.ran = true }, b", "#!/bin/sh", "", " ", "1", "1e3", "a-b", "ünicode"],
    ...acting,
  ];

  // Returns the value of an expression in a generated program, and expects that its text runs no other code.
  function evaluate(source: string): unknown {
    const sandbox = { ran: false } as { ran: boolean; value?: unknown };
    vm.runInNewContext(`value = (${source});`, sandbox);
    expect(sandbox.ran, source).to.equal(false);
    return JSON.parse(JSON.stringify(sandbox.value));
  }

  function expectData(data: unknown, column: number): void {
    const source = printValue(data as Parameters<typeof printValue>[0], "", column);
    expectHarmless(source);
    expect(JSON.stringify(evaluate(source))).to.equal(JSON.stringify(data));
  }

  for (const text of injections)
    it(`a generated program contains a name only as data: ${JSON.stringify(text)}`, () => {
      const nested = [{ [text]: { [text]: [text, `'${text}`, `"${text}`] } }];
      for (const value of [text, { [text]: text }, nested])
        for (const column of [0, 90]) expectData(JSON.parse(JSON.stringify(value)), column);
    });

  it("a generated program contains any JSON only as data", () => {
    const json = fc.json({ stringUnit: "binary", maxDepth: 4 });
    const holds = (text: string, column: number) => expectData(JSON.parse(text), column);
    fc.assert(fc.property(json, fc.nat({ max: 120 }), holds), { numRuns: 500 });
  });

  describe("Commands with a service whose objects have hostile names", () => {
    let sandbox: Sandbox;
    let folder: string;
    before(async () => {
      sandbox = await createSandbox();
      folder = await mkdtemp(join(tmpdir(), "pipestack-hostile-"));
    });
    after(async () => {
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    });

    it("the program generated from a service with hostile names compiles, and only declares the objects", async () => {
      const { serviceId } = sandbox.credentials;
      const names = injections.filter((text) => text !== "");
      const [webhook = ""] = sandbox.store.webhooks.keys();
      for (const [index, name] of names.entries()) {
        const id = (suffix: number) => (index * 16 + suffix).toString(16).padStart(24, "0");
        const config = { displayType: name, [name]: { [name]: [name] } };
        const tiles = [{ id: id(1), name, x: 0, y: 0, w: 1, h: 1, config }];
        sandbox.store.dashboards.set(id(0), { id: id(0), serviceId, name, tiles, tags: [name] });
        sandbox.store.alerts.set(id(2), {
          ...{ id: id(2), serviceId, name, message: name },
          ...{ threshold: 1, interval: "5m", thresholdType: "above" },
          ...{ source: "tile", state: "OK", channel: { type: "webhook", webhookId: webhook }, team: "t" },
          ...{ tileId: id(1), dashboard: id(0), createdAt: "", updatedAt: "" },
        });
        // The check refuses an object's name that begins or ends with a space, so these objects get their names without such
        // spaces.
        const trimmed = name.trim() || "blank";
        addWebhook(sandbox, { id: id(3), name: trimmed, description: name });
        addSavedSearch(sandbox, { id: id(4), name: trimmed, where: name });
      }
      const variables = settingVariables(settingsOf(sandbox));
      const { code, stdout, stderr } = await pipestack(["import"], folder, variables);
      expect(code, stderr).to.equal(0);
      expectHarmless(stdout + stderr);
      const files = (await readdir(folder)).filter((name) => name.endsWith(".ts"));
      const texts = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
      const importFile = await readFile(join(folder, "import.json"), "utf8");
      expectHarmless(texts.join("") + importFile);

      const declared: { [member: string]: unknown; tiles?: unknown[] }[] = [];
      class Recorder {
        readonly id = "id";
        readonly tileIds = new Proxy({}, { get: (_ids, name) => (name === "apply" ? () => "tile" : "tile") });
        constructor(_name: string, args: object) {
          declared.push(JSON.parse(JSON.stringify(args)));
        }
      }
      class Config {
        requireSecret = (key: string) => key;
      }
      const packages = { ...Object.fromEntries(typeNames.map((type) => [type, Recorder])), Config };
      const modules = new Map<string, object>();
      const run = (name: string): object => {
        const known = modules.get(name);
        if (known) return known;
        const output = ts.transpileModule(texts[files.indexOf(`${name}.ts`)] ?? "", {
          reportDiagnostics: true,
          compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
        });
        expect(output.diagnostics).to.deep.equal([]);
        const exports = {};
        modules.set(name, exports);
        const context = {
          ...{ ran: false, exports },
          require: (path: string) => (path.startsWith("./") ? run(path.slice(2)) : packages),
        };
        vm.runInNewContext(output.outputText, context);
        expect(context.ran).to.equal(false);
        return exports;
      };
      run("index");
      const tileNames = declared.flatMap(({ tiles = [] }) =>
        tiles.map((tile) => (tile as { name: unknown }).name),
      );
      expect(tileNames).to.deep.equal(names);
      for (const member of ["message", "description", "where"]) {
        const texts = declared.flatMap((args) => args[member] ?? []);
        expect(texts, member).to.include.members(names);
      }
    });
  });
});
