import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { seededCredentials } from "../../../../sandbox/index";
import { settingVariables } from "../../../pipestackCommand";
import { expectNoLeaks, secretsOf } from "../../../secrets";
import { useServer } from "../../api/server";
import { pulumiThatAnswers, runHere } from "../runHere";
import { useServiceFixture } from "../serviceFixture";

interface Report {
  readonly settings: readonly { name: string; value: string | null; from: string | null }[];
  readonly apis: readonly { api: string; problem?: string; key?: string; version?: string }[];
  readonly objects: readonly { name: string; outcome: string; lacks?: string; count?: number }[];
}

describe("The command pipestack doctor", () => {
  const fixture = useServiceFixture({ dialect: "clickhouse" });
  afterEach(() => fixture.sandbox.faults.clear());

  const run = (args: string[], changed: Record<string, string> = {}, further: Record<string, string> = {}) =>
    fixture.pipestack(["doctor", ...args], { maxRetries: "0", timeoutSeconds: "10", ...changed }, further);
  async function reportOf(args: string[] = [], changed: Record<string, string> = {}) {
    const { code, stdout } = await run(["--json", ...args], changed);
    return { code, ...(JSON.parse(stdout) as Report) };
  }
  const outcomesIn = ({ objects }: Report) =>
    Object.fromEntries(objects.map(({ name, outcome }) => [name, outcome]));

  it("pipestack doctor reports the settings with their sources, the key and the readable types", async () => {
    const { code, stdout, stderr } = await run([]);
    const { organizationId } = fixture.sandbox.credentials;
    expect(code).to.equal(0);
    for (const line of [
      /^baseUrl +http:\/\/127\.0\.0\.1:\d+ +PIPESTACK_BASE_URL$/m,
      /^keySecret +\(set\) +PIPESTACK_KEY_SECRET$/m,
      new RegExp(`^management +http:.* yes: key "sandbox admin" of organization ${organizationId}$`, "m"),
      /^ApiKey +management +yes \(1\)$/m,
      /^QueryEndpoint +management +yes \(0\)$/m,
      /^Service +management +yes \(2\)$/m,
    ])
      expect(stdout).to.match(line);
    expect(stderr).to.match(/^all \d+ kinds of objects can be read$/m);
  });

  it("pipestack doctor prints no secret", async () => {
    const { code, stdout, stderr } = await run([]);
    expect(code).to.equal(0);
    const { sandbox } = fixture;
    expectNoLeaks({ ...secretsOf(sandbox), keyId: sandbox.credentials.keyId }, { stdout, stderr });
  });

  it("pipestack doctor reads each kind of object once", async () => {
    await run([]);
    const { requests } = fixture.sandbox;
    const lines = requests.map(({ api, method, path }) => `${api} ${method} ${path}`);
    expect(lines).to.deep.equal([...new Set(lines)]);
    expect(lines).to.include("management GET /v1/whoami").and.have.length.above(12);
  });

  it("pipestack doctor never writes", async () => {
    await run([]);
    const methods = fixture.sandbox.requests.map(({ method }) => method);
    expect(new Set(methods)).to.deep.equal(new Set(["GET"]));
  });

  it("pipestack doctor fails with the name of the permission that the key lacks", async () => {
    await fixture.sandbox.faults.set([{ kind: "403", operation: "listKeys" }]);
    const { code, stdout, stderr } = await run([]);
    expect(code).to.equal(1);
    expect(stdout).to.match(
      /^ApiKey +management +no: needs the permission control-plane:organization:view-api-keys$/m,
    );
    expect(stderr).to.match(/^error: 1 of \d+ kinds of objects cannot be read$/m);
  });

  describe("A server without a route of a type", () => {
    beforeEach(() => fixture.sandbox.faults.set([{ kind: "404-gateway", operation: "listSavedSearches" }]));

    it("pipestack doctor names a route that an older server lacks without a failure", async () => {
      const { code, stdout } = await run([]);
      expect(stdout).to.match(
        /^SavedSearch +management +no: the server has no route GET …\/clickstack\/saved-searches$/m,
      );
      expect(code).to.equal(0);
    });

    it("pipestack doctor fails if the command line names a type whose route the server lacks", async () => {
      const named = await reportOf(["--only", "Alert,SavedSearch"]);
      expect(outcomesIn(named)).to.deep.equal({ Alert: "readable", SavedSearch: "route" });
      expect(named.code).to.equal(1);
    });
  });

  it("what an idle service does not show is no failure of pipestack doctor", async () => {
    const { services } = fixture.sandbox.store;
    Object.assign(services.get(fixture.sandbox.credentials.serviceId) ?? {}, { state: "idle" });
    const { code, stdout, stderr } = await run([]);
    expect(stdout).to.match(/^Pipe +management +not now: the service does not run/m);
    expect(stderr).to.match(/^all kinds of objects can be read but \d of \d+, whose service does not run$/m);
    expect(code).to.equal(0);
    const named = await reportOf(["--only", "Pipe,Alert"]);
    expect(outcomesIn(named)).to.deep.equal({ Pipe: "idle", Alert: "readable" });
    expect(named.code).to.equal(0);
  });

  const other = "0d5f8c0e-54ce-4a1c-8a0e-0b8c6c3fb6a5";
  const problems: { readonly [what: string]: [settings: Record<string, string>, problem: RegExp] } = {
    "an API that refuses the key": [
      { keySecret: "not-the-secret" },
      /^UNAUTHORIZED: .*; check the settings keyId and keySecret: /,
    ],
    "a server that does not answer": [
      { baseUrl: "http://127.0.0.1:1" },
      /^http:\/\/127\.0\.0\.1:1 cannot be reached \(ECONNREFUSED\)/,
    ],
    "a key of another organization than the settings name": [
      { organizationId: other },
      new RegExp(
        `^the key belongs to organization ${seededCredentials.organizationId}, and the setting organizationId names ${other}$`,
      ),
    ],
    "a server that has only the routes of the other dialect": [
      { dialect: "neutral", observabilityVia: "management" },
      /^the server has none of the routes that the dialect neutral names in its own way; set dialect to clickhouse$/,
    ],
  };
  for (const [what, [settings, problem]] of Object.entries(problems))
    it(`pipestack doctor exits with 1 and names ${what}, to which it sends no hopeless request`, async () => {
      const { code, apis, objects } = await reportOf([], settings);
      expect(apis[0]?.problem).to.match(problem);
      expect(code).to.equal(1);
      if (settings.organizationId || settings.dialect) return;
      expect(new Set(objects.map(({ outcome }) => outcome))).to.deep.equal(new Set(["skipped"]));
      expect(fixture.sandbox.requests.filter(({ api }) => api === "management")).to.have.length(
        settings.keySecret ? 1 : 0,
      );
    });

  if (process.platform !== "win32")
    it("pipestack doctor fails if the state of the selected stack cannot be read", async () => {
      await writeFile(join(fixture.folder, "Pulumi.yaml"), "name: p\nruntime: nodejs\n");
      const stacks = JSON.stringify([{ name: "dev", current: true }]);
      const stack = await pulumiThatAnswers(fixture.folder, {
        config: "echo '{}'",
        stack: `if [ "$2" = ls ]; then echo '${stacks}'; else echo 'error: no connection' >&2; exit 255; fi`,
      });
      const { code, stdout, stderr } = await run([], {}, stack);
      expect(stdout).to.match(/^Service +management +yes \(2\)$/m);
      expect(stderr).to.include(
        "error: it is not known what the stack needs, since its state cannot be read: no connection\n",
      );
      expect(code).to.equal(1);
    });

  it("pipestack doctor takes an organization id in capitals for the same id", async () => {
    const organizationId = fixture.sandbox.credentials.organizationId.toUpperCase();
    expect((await reportOf([], { organizationId })).apis[0]?.problem).to.equal(undefined);
  });

  it("a missing setting keeps pipestack doctor only from reading the types that need it", async () => {
    const { code, settings, objects } = await reportOf([], { serviceId: "" });
    expect(settings).to.deep.include({ name: "serviceId", value: null, from: null });
    const { Alert, ApiKey } = Object.fromEntries(objects.map((each) => [each.name, each]));
    expect(Alert).to.include({ outcome: "settings", lacks: "serviceId" });
    expect(ApiKey).to.include({ outcome: "readable", count: 1 });
    expect(code).to.equal(1);
  });

  it("pipestack doctor fails with the names of the settings that are missing", async () => {
    const { code, stdout } = await runHere(["doctor"], fixture.folder, {});
    expect(code).to.equal(1);
    expect(stdout)
      .to.match(/^keySecret +\(missing\)$/m)
      .and.match(/^ApiKey +management +no: set organizationId, /m);
  });

  it("undeclared addresses, keys and pipe states are findings of pipestack doctor, not failures", async () => {
    const { sandbox } = fixture;
    const { organizationId, serviceId } = sandbox.credentials;
    const [mine, theirs] = [await fixture.addKey(), await fixture.addKey({ name: "theirs" })];
    await fixture.addQueryEndpoint({ openApiKeys: [mine.id, theirs.id] });
    const [pipe] = [...sandbox.store.pipes.values()];
    Object.assign(pipe ?? {}, { state: "Stopped" });
    Object.assign(sandbox.store.services.get(serviceId) ?? {}, {
      ipAccessList: ["192.0.2.9", "0.0.0.0/0", "203.0.113.0/24"].map((source) => ({ source })),
    });
    const resource = (type: string, id: string, inputs: object) => ({
      ...{ urn: `urn:pulumi:dev::p::pipestack:index:${type}::lake`, type: `pipestack:index:${type}`, id },
      ...{ custom: true, inputs: { organizationId, ...inputs }, outputs: {} },
    });
    const resources = [
      resource("Service", serviceId, { ipAccessList: [{ source: "203.0.113.7/24" }] }),
      resource("QueryEndpoint", serviceId, { openApiKeys: [mine.id], keepOtherKeys: true }),
      resource("Pipe", pipe?.id ?? "", { name: "events" }),
    ];
    const file = join(fixture.folder, "state.json");
    await writeFile(file, JSON.stringify({ version: 3, deployment: { resources } }));
    await writeFile(join(fixture.folder, "Pulumi.yaml"), "name: p\nruntime: nodejs\n");
    const stack = await pulumiThatAnswers(fixture.folder, { config: "echo '{}'", stack: `cat "${file}"` });
    const { code, stdout } = await run([], {}, stack);
    expect(stdout.trimEnd().split("\n").slice(-3)).to.deep.equal([
      "Service lake: 2 addresses that no program declares: 0.0.0.0/0, 192.0.2.9",
      `QueryEndpoint lake: 1 key that no program declares: ${theirs.id}`,
      "Pipe lake: it is Stopped, and the program declares no state",
    ]);
    const { requests } = sandbox;
    expect(requests.filter(({ operation }) => operation === "getQueryEndpoint")).to.have.length(1);
    expect(code).to.equal(0);
    const { undeclared } = JSON.parse((await run(["--json"], {}, stack)).stdout) as {
      undeclared: readonly { type: string }[];
    };
    expect(undeclared.map(({ type }) => type)).to.deep.equal(["Service", "QueryEndpoint", "Pipe"]);
  });

  it("pipestack doctor names command options and the stack's configuration as sources of settings", async () => {
    const { keyId, secondServiceId } = fixture.sandbox.credentials;
    const stack = await pulumiThatAnswers(fixture.folder, {
      config: `printf '%s' '{"pipestack:keyId": {"value": "${keyId}"}}'`,
    });
    await writeFile(join(fixture.folder, "Pulumi.yaml"), "name: p\nruntime: nodejs\n");
    const { stdout } = await run(["--json", "--service", secondServiceId], { keyId: "" }, stack);
    const { settings } = JSON.parse(stdout) as Report;
    expect(settings).to.deep.include({ name: "serviceId", value: secondServiceId, from: "--service" });
    expect(settings).to.deep.include({ name: "keyId", value: null, from: "configuration of the stack" });
  });
});

describe("References between objects in pipestack doctor", () => {
  const fixture = useServiceFixture();
  const run = () => fixture.pipestack(["doctor"], { requestsPerSecond: "1000", maxRetries: "0" });

  /** Adds an alert, and deletes and recreates its webhook as a person might. Returns the deleted webhook's id. */
  async function addAlertWithoutWebhook() {
    const { webhooks } = fixture.sandbox.store;
    const [[id = "", webhook] = []] = webhooks;
    if (!webhook) throw new Error("the sandbox has no webhook");
    await fixture.addAlert({ name: "Too slow" });
    webhooks.delete(id);
    const other = "65f1c0a2b3d4e5f6071829ff";
    webhooks.set(other, { ...webhook, id: other });
    return id;
  }

  it("pipestack doctor names the missing webhook that an alert refers to, without another request", async () => {
    const goneId = await addAlertWithoutWebhook();
    await fixture.addAlert({ name: "Whole" });
    const { code, stdout } = await run();
    expect(stdout).to.match(new RegExp(`^Alert Too slow +Webhook +${goneId}$`, "m"));
    expect(stdout).to.not.include("Alert Whole");
    expect(code).to.equal(0);
    const lists = fixture.sandbox.requests.filter(
      ({ method, path }) => method === "GET" && /\/alerts$/.test(path),
    );
    expect(lists).to.have.length(1);
  });

  it("pipestack doctor reports no missing object of a type whose list it cannot read", async () => {
    await addAlertWithoutWebhook();
    await fixture.sandbox.faults.set([{ kind: "403", operation: "listWebhooks" }]);
    const { stdout } = await run();
    expect(stdout).to.not.include("WHICH IS GONE");
  });
});

describe("pipestack doctor with a self-hosted server", () => {
  const server = useServer();
  const run = (variables: Record<string, string>, ...args: string[]) =>
    runHere(
      ["doctor", ...args],
      "/",
      settingVariables({ maxRetries: "0", dialect: "clickhouse", ...variables }),
    );
  const own = () => ({ obsBaseUrl: server.current.url, accessToken: "token-77" });

  it("pipestack doctor examines a self-hosted server without a management key", async () => {
    const health = { body: { data: "OK", version: "2.46.0" } };
    server.current.answer(health);
    server.current.alwaysAnswer({ body: { data: [] } });
    const { code, stdout } = await run(own());
    expect(stdout).to.match(/^observability +http:.* yes: version 2\.46\.0$/m);
    expect(stdout)
      .to.match(/^Connection +observability +yes \(0\)$/m)
      .and.not.match(/management/);
    expect(server.current.lines).to.include("GET /health");
    expect(code).to.equal(0);
  });

  it("pipestack doctor says that a URL is not that of the API if the server has none of the routes", async () => {
    server.current.alwaysAnswer({ status: 404, body: "<html><body><pre>Cannot GET</pre></body></html>" });
    const { code, stdout } = await run(own());
    expect(stdout).to.match(
      /^observability .* no: the address has none of the routes of the API; check it, and/m,
    );
    expect(code).to.equal(1);
  });

  it("pipestack doctor fails if the server does not send all pages of a list", async () => {
    server.current.answer({ body: { data: "OK", version: "2.46.0" } });
    const webhook = { id: "65f1c0a2b3d4e5f607182921", name: "On call", service: "generic" };
    server.current.alwaysAnswer({ body: { data: [webhook], meta: { total: 3, limit: 1 } } });
    const { code, stdout } = await run(own(), "--only", "Webhook");
    expect(stdout).to.match(/^Webhook +observability +no: the server sent 1 of 3 entries/m);
    expect(code).to.equal(1);
  });

  it("pipestack doctor continues if the server does not tell its version", async () => {
    server.current.answer({ body: "<html>welcome</html>" });
    server.current.alwaysAnswer({ body: { data: [] } });
    const { code, stdout } = await run(own());
    expect(stdout)
      .to.match(/^observability +http:\S+ +yes$/m)
      .and.match(/^Alert +observability +yes \(0\)$/m);
    expect(code).to.equal(0);
  });
});
