import type { ServiceError } from "@grpc/grpc-js";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { expect } from "chai";
import { secret, unknownText } from "../../../../provider/hosts/engineValues";
import { drawnPreview, tileReference } from "../../../../provider/lifecycle/diff";
import type { Sandbox } from "../../../../sandbox/index";
import { settingsOf } from "../../../serviceContents";
import { ScriptedServer } from "../../api/server";
import {
  dashboard,
  type PluginUnderTest,
  type Properties,
  startPlugin,
  tile,
  urnOf,
  usePlugin,
} from "./engine";

describe("The plugin", () => {
  const tested = usePlugin();
  let sandbox: Sandbox;
  let plugin: PluginUnderTest;

  beforeEach(() => {
    ({ sandbox, plugin } = tested);
  });

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
      ["Dashboard", { name: "Ingestion", tiles: secret([{ ...tile, w: 0 }]) }, 'tiles["[secret]"].w'],
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
    const { inputs, state } = await tested.created("Dashboard", hidden);
    for (const properties of [inputs, state]) {
      expect(properties)
        .to.have.nested.property("tiles[0].series[0].where")
        .that.deep.equals(secret("user:7"));
      expect(properties).to.have.nested.property("tiles[0].series[0].aggFn", "count");
    }
  });

  it("keeps secret what somebody has moved or copied to another place of a list", async () => {
    const series = [{ ...tile.series[0], where: secret("user:7") }];
    const { id, inputs, state } = await tested.created("Dashboard", {
      ...dashboard,
      tiles: [{ ...tile, series }],
    });
    const tiles = sandbox.store.dashboards.get(id)?.tiles ?? [];
    tiles.unshift({ ...(tiles[0] as (typeof tiles)[0]), id: "f".repeat(24), name: "Copy", x: 6 });
    const found = await plugin.resource("Dashboard").read(id, state, inputs);
    for (const properties of [found.getInputs(), found.getProperties()]) {
      const shown = properties?.toJavaScript().tiles as unknown as { readonly value: unknown };
      expect(shown).to.deep.equal(secret(shown.value));
      expect(shown.value).to.have.length(2);
    }
  });

  it("updates what a program keeps secret from now on, inside a property: the engine would keep it in plain", async () => {
    const resource = plugin.resource("Dashboard");
    const { id, state } = await tested.created("Dashboard", dashboard);
    const series = [{ ...tile.series[0], where: secret("level:error") }];
    const news = await tested.checked("Dashboard", { ...dashboard, tiles: [{ ...tile, series }] });
    const changed = await resource.diff(id, state, news);
    expect(changed.getDiffsList()).to.deep.equal(["tiles[0].series[0].where"]);
    const updated = (await resource.update(id, state, news)).getProperties()?.toJavaScript() as Properties;
    expect(updated.tiles).to.deep.equal([{ ...tile, series }]);
    const read = (await resource.read(id, state, news)).getProperties()?.toJavaScript() as Properties;
    for (const hidden of [updated, read]) {
      const again = await resource.diff(id, hidden, news);
      expect(again.getChanges()).to.equal(messages.DiffResponse.DiffChanges.DIFF_NONE);
    }
  });

  it("keeps secret what the program no longer declares and the service still has", async () => {
    const roles = ["developer"];
    const ipAccessList = secret([{ source: "203.0.113.7", description: "the bunker" }]);
    const { id, state } = await tested.created("ApiKey", { roles, ipAccessList });
    const news = await tested.checked("ApiKey", { roles });
    const properties = (await plugin.resource("ApiKey").update(id, state, news)).getProperties();
    expect(properties?.toJavaScript()).to.deep.include({ ipAccessList });
  });

  it("names a key after its resource, and keeps its secret encrypted", async () => {
    const { state } = await tested.created("ApiKey", { roles: ["query_endpoints"] });
    expect(state.name).to.equal("it");
    expect(state.keySecret).to.have.property("value").that.is.a("string");
  });

  it("says of an update what is added, changed and deleted, by path", async () => {
    const { id, state } = await tested.created("Dashboard", { ...dashboard, tags: ["a"] });
    const news = await tested.checked("Dashboard", { ...dashboard, tiles: [{ ...tile, w: 8 }] });
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

  it("says nothing of what the program ignores: a refresh compares it, too", async () => {
    const { id, state, inputs } = await tested.created("Dashboard", { ...dashboard, tags: ["a"] });
    const news = { ...inputs, tags: ["b"], tiles: [{ ...tile, w: 8, h: 8 }] };
    const differing = async (...ignored: string[]) => {
      const response = await plugin.resource("Dashboard").diff(id, state, news, ignored);
      const isChanged = response.getChanges() === messages.DiffResponse.DiffChanges.DIFF_SOME;
      expect(isChanged).to.equal(response.getDiffsList().length > 0);
      return response.getDiffsList();
    };
    expect(await differing()).to.have.members(["tags", "tiles[0].w", "tiles[0].h"]);
    expect(await differing("tags", "tiles[*].w")).to.deep.equal(["tiles[0].h"]);
    expect(await differing("tags", "tiles")).to.deep.equal([]);
  });

  it("leaves to the service in an update what the program ignores", async () => {
    const scaling = { numReplicas: 3, idleTimeoutMinutes: 10 };
    const { id, inputs, state } = await tested.created("ServiceScaling", scaling);
    const service = sandbox.store.services.get(id) as { numReplicas: number; idleTimeoutMinutes: number };
    service.numReplicas = 5;
    const resource = plugin.resource("ServiceScaling");
    const news = { ...inputs, idleTimeoutMinutes: 15 };
    const ignored = ["numReplicas"];
    const updated = (await resource.update(id, state, news, { ignored }))
      .getProperties()
      ?.toJavaScript() as object;
    expect([service.numReplicas, service.idleTimeoutMinutes]).to.deep.equal([5, 15]);
    expect(plugin.log).to.deep.equal([]);
    const again = await resource.diff(id, updated, news, ignored);
    expect(again.getChanges()).to.equal(messages.DiffResponse.DiffChanges.DIFF_NONE);
  });

  it("keeps secret what has moved inside a property that the program ignores", async () => {
    const series = [{ ...tile.series[0], where: secret("user:7") }];
    const { id, inputs, state } = await tested.created("Dashboard", {
      ...dashboard,
      tiles: [{ ...tile, series }],
    });
    const tiles = sandbox.store.dashboards.get(id)?.tiles ?? [];
    tiles.unshift({ ...(tiles[0] as (typeof tiles)[0]), id: "f".repeat(24), name: "Copy", x: 6 });
    const news = { ...inputs, name: "Renamed" };
    const response = await plugin.resource("Dashboard").update(id, state, news, { ignored: ["tiles"] });
    const shown = response.getProperties()?.toJavaScript().tiles as unknown as { readonly value: unknown };
    expect(shown).to.deep.equal(secret(shown.value));
    expect(shown.value).to.have.length(2);
  });

  it("says what replaces", async () => {
    const { id, state, inputs } = await tested.created("Dashboard", dashboard);
    const other = { ...inputs, serviceId: "7b0f0f0e-27a2-4f0c-9f43-9c1d6a0a3c11" };
    const response = await plugin.resource("Dashboard").diff(id, state, other);
    expect(response.getReplacesList()).to.deep.equal(["serviceId"]);
    expect(response.getDetaileddiffMap().get("serviceId")?.getKind()).to.equal(
      messages.PropertyDiff.Kind.UPDATE_REPLACE,
    );
    expect(response.getDeletebeforereplace()).to.equal(false);
  });

  it("plans a creation without a request: what is declared is known, what the service says is not", async () => {
    const inputs = await tested.checked("Dashboard", dashboard);
    const planned = (await plugin.resource("Dashboard").create(inputs, { preview: true }))
      .getProperties()
      ?.toJavaScript();
    expect(planned).to.deep.include({ name: "Ingestion", tileIds: { Errors: unknownText } });
    expect(sandbox.requests).to.deep.equal([]);
  });

  it("plans an update with the ids of the tiles that stay", async () => {
    const { id, state } = await tested.created("Dashboard", dashboard);
    const tiles = [
      { ...tile, w: 8 },
      { ...tile, name: "New", x: 12 },
    ];
    const news = await tested.checked("Dashboard", { ...dashboard, tiles });
    const response = await plugin.resource("Dashboard").update(id, state, news, { preview: true });
    const tileIds = { ...(state.tileIds as Properties), New: unknownText };
    expect(response.getProperties()?.toJavaScript()).to.deep.include({ tileIds });
  });

  it("says in a drawn preview which tile the id of a new one stands for", async () => {
    const { id, state } = await tested.created("Dashboard", dashboard);
    const tiles = [tile, { ...tile, name: "New", x: 12 }];
    const news = await tested.checked("Dashboard", { ...dashboard, tiles });
    const resource = plugin.resource("Dashboard");
    const reference = (key: string) => tileReference(urnOf("Dashboard"), key);
    const { Errors = "" } = state.tileIds as { readonly [tile: string]: string };
    process.env[drawnPreview] = "true";
    try {
      for (const [response, known] of [
        [await resource.create(news, { preview: true }), reference("Errors")],
        [await resource.update(id, state, news, { preview: true }), Errors],
      ] as const)
        expect(response.getProperties()?.toJavaScript()).to.deep.include({
          tileIds: { Errors: known, New: reference("New") },
        });
    } finally {
      delete process.env[drawnPreview];
    }
  });

  /** The error of a dashboard's creation on a server that answers each method with a status and an answer of its own. */
  async function failureOn(
    answerTo: (method: string, url: string) => [number, object],
  ): Promise<ServiceError> {
    const server = await new ScriptedServer().start();
    server.alwaysAnswer(({ method = "", url = "" }, response) => {
      const [status, answer] = answerTo(method, url);
      response.writeHead(status).end(JSON.stringify({ status, requestId: "r1", ...answer }));
    });
    const { accessToken, obsBaseUrl, ...settings } = settingsOf(sandbox);
    await plugin.configure({ ...settings, baseUrl: server.url });
    const inputs = await tested.checked("Dashboard", dashboard);
    const creation = plugin.resource("Dashboard").create(inputs);
    const failure = await creation.catch((error) => error);
    await server.close();
    return failure as ServiceError;
  }

  it("keeps in state what was created and could not be read back", async () => {
    const failure = await failureOn((method, url) => {
      if (method === "GET" && url.endsWith("/board1")) return [403, { error: "FORBIDDEN: no" }];
      return [200, { result: method === "GET" ? [] : { id: "board1" } }];
    });
    const [details] = failure.metadata.get("grpc-status-details-bin") as Buffer[];
    const [any] = Status.deserializeBinary(details as Buffer).getDetailsList();
    const saved = messages.ErrorResourceInitFailed.deserializeBinary(any?.getValue_asU8() as Uint8Array);
    expect(any?.getTypeUrl()).to.include("pulumirpc.ErrorResourceInitFailed");
    expect(saved.getId()).to.equal("board1");
    expect(saved.getProperties()?.toJavaScript()).to.deep.include(dashboard);
    expect(saved.getReasonsList()[0]).to.include("could not be read back");
  });

  it("says what is wrong where a message is cut inside a character", async () => {
    const error = `BAD_REQUEST: ${"x".repeat(286)}😀 and more`;
    const failure = await failureOn((method) =>
      method === "GET" ? [200, { result: [] }] : [400, { error }],
    );
    expect(failure.details).to.include("xxx\\ud83d…");
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
});
