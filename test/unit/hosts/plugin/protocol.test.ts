import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { expect } from "chai";
import { drawnPreview, tileReference } from "../../../../provider/engine/drawnPreview";
import { secret, unknownText } from "../../../../provider/engine/engineValues";
import type { Sandbox } from "../../../../sandbox/index";
import { settingsOf } from "../../../serviceContents";
import {
  dashboard,
  type PluginUnderTest,
  type Properties,
  plain,
  startPlugin,
  tile,
  urnOf,
  usePlugin,
} from "./engine";

const { ADD, DELETE, UPDATE, UPDATE_REPLACE } = messages.PropertyDiff.Kind;
const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;

describe("The plugin's side of the engine protocol", () => {
  const tested = usePlugin();
  let sandbox: Sandbox;
  let plugin: PluginUnderTest;

  beforeEach(() => {
    ({ sandbox, plugin } = tested);
  });

  describe("Invalid arguments of a program in the plugin", () => {
    const failuresOf = async (type: string, news: object) =>
      (await plugin.resource(type).check(news))
        .getFailuresList()
        .map((failure) => [failure.getProperty(), failure.getReason()] as const);

    it("the plugin names an invalid top-level argument as a property, and a nested one only in the message", async () => {
      const failures = await failuresOf("Dashboard", {
        name: "Ingestion",
        tiles: [{ ...tile, w: 0 }],
        extra: 1,
      });
      expect(failures.map(([path]) => path)).to.have.members(["", "extra"]);
      expect(new Map(failures).get("")).to.equal('tiles["Errors"].w must be a number of at least 1, not 0');
      expect(sandbox.requests).to.deep.equal([]);
    });

    // The engine prints the value of the property that a failure names, so the plugin must not name a possible secret.
    for (const [type, news, path] of [
      ["Dashboard", { name: "Ingestion", tiles: secret([{ ...tile, w: 0 }]) }, 'tiles["Errors"].w'],
      [
        "ApiKey",
        { roles: ["developer"], hashData: { keyIdHash: "plain secret", keyIdSuffix: 1 } },
        "hashData.",
      ],
    ] as const)
      it(`the plugin names an invalid argument that may be secret only in its message: ${path}`, async () => {
        const failures = await failuresOf(type, news);
        expect(failures).to.not.be.empty;
        for (const [property, reason] of failures) {
          expect(property).to.equal("");
          expect(reason).to.include(path).and.not.include("plain secret");
        }
      });
  });

  describe("secrets of the program in the plugin", () => {
    const hidden = {
      ...dashboard,
      tiles: [{ ...tile, series: [{ ...tile.series[0], where: secret("user:7") }] }],
    };

    /** Inserts a copy of the dashboard's only tile before it, as a person may do in the console. */
    function copyTile(id: string): void {
      const tiles = sandbox.store.dashboards.get(id)?.tiles ?? [];
      tiles.unshift({ ...(tiles[0] as (typeof tiles)[0]), id: "f".repeat(24), name: "Copy", x: 6 });
    }
    function expectSecretTiles({ tiles }: Properties): void {
      const shown = tiles as { readonly value: unknown };
      expect(shown).to.deep.equal(secret(shown.value));
      expect(shown.value).to.have.length(2);
    }

    it("a secret stays secret in the plugin after somebody has moved or copied its list entry", async () => {
      const { id, inputs, state } = await tested.created("Dashboard", hidden);
      copyTile(id);
      const found = await plugin.resource("Dashboard").read(id, state, inputs);
      for (const properties of [found.getInputs(), found.getProperties()])
        expectSecretTiles(plain(properties));
    });

    it("a secret stays secret while the service has it, although the program no longer declares it", async () => {
      const roles = ["developer"];
      const ipAccessList = secret([{ source: "203.0.113.7", description: "the bunker" }]);
      const { id, state } = await tested.created("ApiKey", { roles, ipAccessList });
      const news = await tested.checked("ApiKey", { roles });
      const updated = await plugin.resource("ApiKey").update(id, state, news);
      expect(plain(updated.getProperties())).to.deep.include({ ipAccessList });
    });

    it("an update in the plugin encrypts a property inside a property that becomes secret", async () => {
      const resource = plugin.resource("Dashboard");
      const { id, state } = await tested.created("Dashboard", dashboard);
      const series = [{ ...tile.series[0], where: secret("level:error") }];
      const news = await tested.checked("Dashboard", { ...dashboard, tiles: [{ ...tile, series }] });
      const changed = (await resource.diff(id, state, news)).getDetaileddiffMap();
      expect([...changed.keys()]).to.deep.equal(["tiles[0].series[0].where"]);
      const updated = plain((await resource.update(id, state, news)).getProperties());
      expect(updated.tiles).to.deep.equal([{ ...tile, series }]);
      const read = plain((await resource.read(id, state, news)).getProperties());
      for (const shown of [updated, read])
        expect((await resource.diff(id, shown, news)).getChanges()).to.equal(DIFF_NONE);
    });
  });

  const otherService = { serviceId: "7b0f0f0e-27a2-4f0c-9f43-9c1d6a0a3c11" };
  const larger = [{ ...tile, w: 8, h: 8 }];
  for (const [title, news, ignored, changes] of [
    ["a replacing property", otherService, [], { serviceId: UPDATE_REPLACE }],
    [
      "nothing that the program ignores",
      { tags: ["b"], tiles: larger },
      ["tags", "tiles[*].w"],
      { "tiles[0].h": UPDATE },
    ],
    [
      "a tile that is new, and tags that are gone",
      { tags: undefined, tiles: [tile, { ...tile, name: "Rows", y: 4 }] },
      [],
      { tags: DELETE, "tiles[1]": ADD },
    ],
    ["no change besides ignored properties", { tags: ["b"], tiles: larger }, ["tags", "tiles"], {}],
  ] as const)
    it(`a diff of the plugin shows the changed properties that the program does not ignore: it shows ${title}`, async () => {
      const { id, state, inputs } = await tested.created("Dashboard", { ...dashboard, tags: ["a"] });
      const declared = JSON.parse(JSON.stringify({ ...inputs, ...news }));
      const response = await plugin.resource("Dashboard").diff(id, state, declared, [...ignored]);
      const kinds = [...response.getDetaileddiffMap().entries()].map(
        ([path, diff]: [string, messages.PropertyDiff]) => [path, diff.getKind()],
      );
      expect(Object.fromEntries(kinds)).to.deep.equal(changes);
      const names = new Set(Object.keys(changes).map((path) => path.replace(/\[.*/, "")));
      expect(response.getDiffsList()).to.have.members([...names]);
      expect(response.getChanges()).to.equal(kinds.length > 0 ? DIFF_SOME : DIFF_NONE);
      expect(response.getReplacesList()).to.deep.equal(title === "a replacing property" ? ["serviceId"] : []);
      expect(response.getHasdetaileddiff()).to.equal(true);
      expect(response.getDeletebeforereplace()).to.equal(false);
    });

  it("an update leaves ignored positions to tiles, although somebody has deleted and added others", async () => {
    const tiles = ["A", "B", "C"].map((name, at) => ({ ...tile, name, x: 6 * at }));
    const { id, state } = await tested.created("Dashboard", { ...dashboard, tiles });
    const stored = sandbox.store.dashboards.get(id);
    const [, moved, last] = stored?.tiles ?? [];
    if (!stored || !moved || !last) throw new Error("the sandbox has no such dashboard");
    Object.assign(moved, { y: 8 });
    stored.tiles = [moved, last, { ...last, id: "66f0c2d8a1b2c3d4e5f6aaaa", name: "New", y: 20 }];
    await tested.restart();
    const news = await tested.checked("Dashboard", { ...dashboard, name: "Renamed", tiles });
    const ignored = ["tiles[*].x", "tiles[*].y"];
    await tested.plugin.resource("Dashboard").update(id, state, news, { ignored });
    const now = sandbox.store.dashboards.get(id)?.tiles.map(({ name, x, y }) => [name, x, y]);
    expect(now).to.deep.equal([
      ["A", 0, 0],
      ["B", 6, 8],
      ["C", 12, 0],
    ]);
  });

  for (const path of ["tiles", "tiles[*]"])
    it(`an update leaves a list of tiles alone that the program ignores as ${path}`, async () => {
      const { id, state } = await tested.created("Dashboard", dashboard);
      const stored = sandbox.store.dashboards.get(id);
      const added = { ...stored?.tiles[0], id: "66f0c2d8a1b2c3d4e5f6aaaa", name: "By hand", x: 6 };
      Object.assign(stored ?? {}, { tiles: [...(stored?.tiles ?? []), added] });
      await tested.restart();
      const news = await tested.checked("Dashboard", { ...dashboard, name: "Renamed" });
      await tested.plugin.resource("Dashboard").update(id, state, news, { ignored: [path] });
      const { name, tiles } = sandbox.store.dashboards.get(id) ?? {};
      expect([name, tiles?.map((each) => each.name)]).to.deep.equal(["Renamed", ["Errors", "By hand"]]);
    });

  it("a preview of the plugin returns all that is known without a request", async () => {
    const resource = plugin.resource("Dashboard");
    const { id, state, inputs } = await tested.created("Dashboard", dashboard);
    const news = await tested.checked("Dashboard", {
      ...dashboard,
      tiles: [tile, { ...tile, name: "New", x: 12 }],
    });
    const { Errors = "" } = state.tileIds as { readonly [tile: string]: string };
    const planned = async (step: Promise<messages.CreateResponse | messages.UpdateResponse>) =>
      plain((await step).getProperties());
    sandbox.requests.length = 0;
    expect(await planned(resource.create(inputs, { preview: true }))).to.deep.include({
      ...{ name: "Ingestion", tileIds: { Errors: unknownText } },
    });
    expect(sandbox.requests).to.deep.equal([]);
    const change = () => planned(resource.update(id, state, news, { preview: true }));
    expect(await change()).to.deep.include({ tileIds: { Errors, New: unknownText } });
    const reference = (key: string) => tileReference(urnOf("Dashboard"), key);
    process.env[drawnPreview] = "true";
    try {
      expect(await planned(resource.create(inputs, { preview: true })), "drawn").to.deep.include({
        tileIds: { Errors: reference("Errors") },
      });
      expect(await change(), "drawn").to.deep.include({ tileIds: { Errors, New: reference("New") } });
    } finally {
      delete process.env[drawnPreview];
    }
  });

  for (const meet of ["handshake", "attach"] as const)
    it(`the plugin sends a warning with the URN of its resource to an engine that connects by ${meet}`, async () => {
      const met = await startPlugin(meet);
      try {
        await met.configure(settingsOf(sandbox));
        await met
          .resource("Dashboard")
          .check({ ...dashboard, tiles: [tile, { ...tile, name: "Too close" }] });
        expect(met.log.map(([urn]) => urn)).to.deep.equal([urnOf("Dashboard")]);
        expect(met.log[0]?.[1]).to.include("overlap");
      } finally {
        met.close();
      }
    });
});
