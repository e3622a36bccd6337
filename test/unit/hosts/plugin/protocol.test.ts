import type { ServiceError } from "@grpc/grpc-js";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { expect } from "chai";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { secret, unknownText } from "../../../../provider/hosts/engineValues";
import { typeNames } from "../../../../provider/resources/registry";
import { createSandbox, type Sandbox } from "../../../../sandbox/src";
import { fillService, settingsOf } from "../../../serviceContents";
import { ScriptedServer } from "../../api/server";
import { furnish } from "../../faults/furnish";
import { Service } from "../../faults/service";
import { type PluginUnderTest, startPlugin, struct, urnOf } from "./engine";

const tile = {
  name: "Errors",
  x: 0,
  y: 0,
  w: 6,
  h: 4,
  series: [{ type: "time", dataSource: "events", aggFn: "count", where: "level:error", groupBy: [] }],
};

const dashboard = { name: "Ingestion", tiles: [tile] };

describe("The plugin", () => {
  let sandbox: Sandbox;
  let plugin: PluginUnderTest;

  beforeEach(async () => {
    sandbox = await createSandbox();
    plugin = await startPlugin();
    await plugin.configure(settingsOf(sandbox));
  });
  afterEach(async () => {
    plugin.close();
    await sandbox.close();
  });

  const checked = async (type: string, news: object) =>
    (await plugin.resource(type).check(news)).getInputs()?.toJavaScript() as object;
  const created = async (type: string, args: object) => {
    const inputs = await checked(type, args);
    const response = await plugin.resource(type).create(inputs);
    return { inputs, id: response.getId(), state: response.getProperties()?.toJavaScript() as Properties };
  };
  type Properties = { readonly [name: string]: unknown };

  it("names the property of each invalid argument, in the text where it is inside another", async () => {
    const response = await plugin
      .resource("Dashboard")
      .check({ name: "Ingestion", tiles: [{ ...tile, w: 0 }], extra: 1 });
    const failures = response
      .getFailuresList()
      .map((failure) => [failure.getProperty(), failure.getReason()]);
    expect(failures.map(([path]) => path)).to.have.members(["", "extra"]);
    expect(new Map(failures as [string, string][]).get("")).to.equal(
      'tiles["Errors"].w must be a number of at least 1, not 0',
    );
    expect(sandbox.requests).to.deep.equal([]);
  });

  it("names what may hold a secret in the text alone: the engine prints the value of a property", async () => {
    const hash = { keyIdHash: "plain secret", keyIdSuffix: 1 };
    for (const [type, news, path] of [
      ["Dashboard", { name: "Ingestion", tiles: secret([{ ...tile, w: 0 }]) }, 'tiles["Errors"].w'],
      ["ApiKey", { roles: ["developer"], hashData: hash }, "hashData."],
    ] as const) {
      const failures = (await plugin.resource(type).check(news)).getFailuresList();
      expect(failures).to.not.be.empty;
      for (const failure of failures) {
        expect(failure.getProperty()).to.equal("");
        expect(failure.getReason()).to.include(path).and.not.include("plain secret");
      }
    }
  });

  it("keeps secret what the program keeps secret, at any depth, in inputs and in state", async () => {
    const hidden = {
      ...dashboard,
      tiles: [{ ...tile, series: [{ ...tile.series[0], where: secret("user:7") }] }],
    };
    const { inputs, state } = await created("Dashboard", hidden);
    for (const properties of [inputs, state]) {
      expect(properties)
        .to.have.nested.property("tiles[0].series[0].where")
        .that.deep.equals(secret("user:7"));
      expect(properties).to.have.nested.property("tiles[0].series[0].aggFn", "count");
    }
  });

  it("keeps secret what somebody has moved or copied to another place of a list", async () => {
    const series = [{ ...tile.series[0], where: secret("user:7") }];
    const { id, inputs, state } = await created("Dashboard", { ...dashboard, tiles: [{ ...tile, series }] });
    const tiles = sandbox.store.dashboards.get(id)?.tiles ?? [];
    tiles.unshift({ ...(tiles[0] as (typeof tiles)[0]), id: "f".repeat(24), name: "Copy", x: 6 });
    const found = await plugin.resource("Dashboard").read(id, state, inputs);
    for (const properties of [found.getInputs(), found.getProperties()]) {
      const shown = properties?.toJavaScript().tiles as unknown as { readonly value: unknown };
      expect(shown).to.deep.equal(secret(shown.value));
      expect(shown.value).to.have.length(2);
    }
  });

  it("names a key after its resource, and keeps its secret encrypted", async () => {
    const { state } = await created("ApiKey", { roles: ["query_endpoints"] });
    expect(state.name).to.equal("it");
    expect(state.keySecret).to.have.property("value").that.is.a("string");
  });

  it("says of an update what is added, changed and deleted, by path", async () => {
    const { id, state } = await created("Dashboard", { ...dashboard, tags: ["a"] });
    const news = await checked("Dashboard", { ...dashboard, tiles: [{ ...tile, w: 8 }] });
    const response = await plugin.resource("Dashboard").diff(id, state, news);
    const detailed = response
      .getDetaileddiffMap()
      .toObject(false, ((_: boolean, entry: messages.PropertyDiff) => entry.getKind()) as never) as unknown;
    expect(response.getHasdetaileddiff()).to.equal(true);
    expect(response.getReplacesList()).to.deep.equal([]);
    expect(detailed).to.have.deep.members([
      ["tiles[0].w", messages.PropertyDiff.Kind.UPDATE],
      ["tags", messages.PropertyDiff.Kind.DELETE],
    ]);
  });

  it("says what replaces", async () => {
    const { id, state, inputs } = await created("Dashboard", dashboard);
    const other = { ...inputs, serviceId: "7b0f0f0e-27a2-4f0c-9f43-9c1d6a0a3c11" };
    const response = await plugin.resource("Dashboard").diff(id, state, other);
    expect(response.getReplacesList()).to.deep.equal(["serviceId"]);
    expect(response.getDetaileddiffMap().get("serviceId")?.getKind()).to.equal(
      messages.PropertyDiff.Kind.UPDATE_REPLACE,
    );
    expect(response.getDeletebeforereplace()).to.equal(false);
  });

  it("plans a creation without a request: what is declared is known, what the service says is not", async () => {
    const inputs = await checked("Dashboard", dashboard);
    const planned = (await plugin.resource("Dashboard").create(inputs, { preview: true }))
      .getProperties()
      ?.toJavaScript();
    expect(planned).to.deep.include({ name: "Ingestion", tileIds: { Errors: unknownText } });
    expect(sandbox.requests).to.deep.equal([]);
  });

  it("plans an update with the ids of the tiles that stay", async () => {
    const { id, state } = await created("Dashboard", dashboard);
    const tiles = [
      { ...tile, w: 8 },
      { ...tile, name: "New", x: 12 },
    ];
    const news = await checked("Dashboard", { ...dashboard, tiles });
    const response = await plugin.resource("Dashboard").update(id, state, news, { preview: true });
    const tileIds = { ...(state.tileIds as Properties), New: unknownText };
    expect(response.getProperties()?.toJavaScript()).to.deep.include({ tileIds });
  });

  it("reads what somebody changed", async () => {
    const { id, state } = await created("Dashboard", dashboard);
    const stored = sandbox.store.dashboards.get(id) as { name: string };
    stored.name = "Renamed by hand";
    const found = await plugin.resource("Dashboard").read(id, state);
    expect(found.getInputs()?.toJavaScript()).to.deep.include({ name: "Renamed by hand" });
  });

  it("answers no id for what is gone", async () => {
    const { id, state } = await created("Dashboard", dashboard);
    sandbox.store.dashboards.delete(id);
    expect((await plugin.resource("Dashboard").read(id, state)).getId()).to.equal("");
  });

  for (const [form, textOf] of [
    ["its id alone", (id: string) => id],
    [
      "organization, service and id",
      (id: string) => `${sandbox.credentials.organizationId}/${sandbox.credentials.serviceId}/${id}`,
    ],
  ] as const) {
    it(`imports an object by ${form}, as a program that then shows no change`, async () => {
      const { id } = await created("Dashboard", dashboard);
      const found = await plugin.resource("Dashboard").read(textOf(id));
      const inputs = found.getInputs()?.toJavaScript() as object;
      expect(found.getId()).to.equal(id);
      expect(inputs).to.deep.include({ name: "Ingestion", tiles: [tile] });
      const again = await checked("Dashboard", inputs);
      const response = await plugin
        .resource("Dashboard")
        .diff(id, found.getProperties()?.toJavaScript() as object, again);
      expect(response.getChanges()).to.equal(messages.DiffResponse.DiffChanges.DIFF_NONE);
    });
  }

  it("refuses an import whose id has another form, and says the forms", async () => {
    const failure = await plugin
      .resource("Dashboard")
      .read("a/b")
      .catch((error: Error) => error);
    expect(failure).to.have.property("details").that.includes('"organizationId/serviceId/id"');
  });

  it("keeps in state what was created and could not be read back", async () => {
    const server = await new ScriptedServer().start();
    server.alwaysAnswer(({ method, url = "" }, response) => {
      const isUnreadable = method === "GET" && url.endsWith("/board1");
      const status = isUnreadable ? 403 : 200;
      const rest = isUnreadable
        ? { error: "FORBIDDEN: no" }
        : { result: method === "GET" ? [] : { id: "board1" } };
      response.writeHead(status).end(JSON.stringify({ status, requestId: "r1", ...rest }));
    });
    const { accessToken, obsBaseUrl, ...settings } = settingsOf(sandbox);
    await plugin.configure({ ...settings, baseUrl: server.url });
    const inputs = await checked("Dashboard", dashboard);
    const failure = (await plugin
      .resource("Dashboard")
      .create(inputs)
      .catch((error) => error)) as ServiceError;
    await server.close();
    const [details] = failure.metadata.get("grpc-status-details-bin") as Buffer[];
    const [any] = Status.deserializeBinary(details as Buffer).getDetailsList();
    const saved = messages.ErrorResourceInitFailed.deserializeBinary(any?.getValue_asU8() as Uint8Array);
    expect(any?.getTypeUrl()).to.include("pulumirpc.ErrorResourceInitFailed");
    expect(saved.getId()).to.equal("board1");
    expect(saved.getProperties()?.toJavaScript()).to.deep.include(dashboard);
    expect(saved.getReasonsList()[0]).to.include("could not be read back");
  });

  it("says beside the resource what it warns of", async () => {
    const overlapping = { ...dashboard, tiles: [tile, { ...tile, name: "Too close" }] };
    await plugin.resource("Dashboard").check(overlapping);
    expect(plugin.log).to.have.length(1);
    expect(plugin.log[0]?.[0]).to.equal(urnOf("Dashboard"));
    expect(plugin.log[0]?.[1]).to.include("overlap");
  });

  it("says it, too, to an engine that has found it running", async () => {
    const attached = await startPlugin("attach");
    try {
      await attached.configure(settingsOf(sandbox));
      await attached
        .resource("Dashboard")
        .check({ ...dashboard, tiles: [tile, { ...tile, name: "Too close" }] });
      expect(attached.log.map(([urn]) => urn)).to.deep.equal([urnOf("Dashboard")]);
    } finally {
      attached.close();
    }
  });

  it("calls functions, whose lists are members of their answers", async () => {
    const response = await plugin.call<messages.InvokeResponse>(
      "invoke",
      new messages.InvokeRequest().setTok("pipestack:index:getWebhooks").setArgs(struct({})),
    );
    expect(response.getReturn()?.toJavaScript()).to.have.property("webhooks").with.length.above(0);
  });

  describe("marks what a function answers as secret where it was asked for secrets, and nowhere else:", () => {
    for (const [name, member, hidden, args] of [
      ["getPipes", "pipes", "connectionString", {}],
      ["getWebhooks", "webhooks", "https://hooks.example.com", {}],
      ["getWebhook", "url", "https://hooks.example.com", { name: "on-call" }],
    ] as const) {
      it(name, async () => {
        const answerTo = async (args: object) => {
          const request = new messages.InvokeRequest()
            .setTok(`pipestack:index:${name}`)
            .setArgs(struct(args));
          const response = await plugin.call<messages.InvokeResponse>("invoke", request);
          return response.getReturn()?.toJavaScript() ?? {};
        };
        const plain = await answerTo(args);
        expect(JSON.stringify(plain)).to.include('"id"').and.not.include(hidden);
        const marked = (await answerTo({ ...args, includeSecrets: true }))[member] as { value: unknown };
        expect(marked).to.deep.equal(secret(marked.value));
        expect(JSON.stringify(marked.value)).to.include(hidden);
      });
    }
  });

  it("lists the objects of each type, where the query says and else where the settings say", async () => {
    const { store, credentials } = sandbox;
    const { id } = await created("Dashboard", dashboard);
    store.queryEndpoints.set("e", {
      id: "e",
      serviceId: credentials.serviceId,
      roles: [],
      openApiKeys: [],
      allowedOrigins: "",
    });
    expect(await plugin.list("Dashboard")).to.deep.equal([[id, "Ingestion"]]);
    expect(await plugin.list("Dashboard", { serviceId: credentials.secondServiceId })).to.deep.equal([]);
    expect(await plugin.list("Alert")).to.deep.equal([]);
    const keys = [...store.keys.values()].map((key) => [key.id, key.name]);
    expect(await plugin.list("ApiKey")).to.deep.equal(keys);
    for (const type of ["QueryEndpoint", "ServiceScaling"])
      expect((await plugin.list(type)).map(([id]) => id)).to.deep.equal([credentials.serviceId]);
    const failure = await plugin.list("Dashbord").catch((error: Error) => error);
    expect(failure).to.have.property("details", "there is no type pipestack:index:Dashbord");
  });

  it("reads what it lists, of each type", async () => {
    await fillService(sandbox);
    furnish(new Service(sandbox, {}));
    for (const type of typeNames) {
      const listed = await plugin.list(type);
      expect(listed, type).to.not.deep.equal([]);
      for (const [id] of listed) expect((await plugin.resource(type).read(id)).getId(), type).to.equal(id);
    }
  });

  it("says every problem of its settings at once, and shows no credential", async () => {
    const response = await plugin.call<messages.CheckResponse>(
      "checkConfig",
      new messages.CheckRequest().setNews(
        struct({ baseUrl: "ftp://x", keySecret: "with a space", maxRetries: "many", baseURL: "x" }),
      ),
    );
    const failures = response.getFailuresList();
    // The engine prints the value of a property that a failure names.
    expect(failures.map((failure) => failure.getProperty()).sort()).to.deep.equal([
      "",
      "",
      "baseUrl",
      "maxRetries",
    ]);
    for (const name of ["baseUrl", "keySecret", "maxRetries", "baseURL"])
      expect(failures.map((failure) => failure.getReason()).join()).to.include(name);
    expect(failures.map((failure) => failure.getReason()).join()).to.not.include("with a space");
    expect(response.getInputs()?.toJavaScript().keySecret).to.deep.equal(secret("with a space"));
  });

  it("replaces nothing because an address or an organization changed", async () => {
    const response = await plugin.call<messages.DiffResponse>(
      "diffConfig",
      new messages.DiffRequest()
        .setOlds(struct({ baseUrl: "https://a", organizationId: "x" }))
        .setNews(struct({ baseUrl: "https://b", organizationId: "y" })),
    );
    expect(response.getReplacesList()).to.deep.equal([]);
    expect(response.getDiffsList()).to.have.members(["baseUrl", "organizationId"]);
  });

  it("answers a type that it does not have with those that it has", async () => {
    const failure = await plugin
      .resource("Dashbord")
      .check({})
      .catch((error: Error) => error);
    expect(failure).to.have.property("details").that.includes("pipestack:index:Dashboard");
  });

  it("says its version", async () => {
    const info = await plugin.call<{ getVersion(): string }>("getPluginInfo", new Empty());
    expect(info.getVersion()).to.match(/^\d+\.\d+\.\d+/);
  });
});
