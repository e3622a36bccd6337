import { expect } from "chai";
import { listingOf, listingOfPreview } from "../../../../cli/draw/listings";
import { type Listing, readDashboards } from "../../../../drawing";
import { unknownText } from "../../../../provider/engine/engineValues";
import { fromHost } from "../../../../provider/engine/properties";

const urn = (type: string, name: string) =>
  `urn:pulumi:dev::test::pulumi-nodejs:dynamic/pipestack:${type}::${name}`;
const resource = (type: string, name: string, inputs: object, further: object = {}) => ({
  urn: urn(type, name),
  type: `pulumi-nodejs:dynamic/pipestack:${type}`,
  inputs: { __provider: "exports.handler=()=>0", ...inputs },
  ...further,
});
const tile = (name: string, x: number) => ({
  ...{ name, x, y: 0, w: 12, h: 4, series: [{ type: "number", aggFn: "count" }] },
});
const dashboard = (further: object = {}) =>
  resource("Dashboard", "main", { name: "Main", tiles: [tile("A", 0), tile("B", 12)] }, further);
const valid = { name: "Too many", threshold: 5, thresholdType: "above", interval: "5m" };
const alert = (inputs: object, further: object = {}) =>
  resource("Alert", "alert", { ...valid, ...inputs }, further);
const fromDashboard = {
  propertyDependencies: { dashboardId: [urn("Dashboard", "main")], tileId: [urn("Dashboard", "main")] },
};
const unknownIds = { dashboardId: unknownText, tileId: unknownText };

const live = dashboard({ id: "d1", outputs: { tileIds: { A: "t1", B: "t2" } } });
const update = (oldState: { readonly urn: string }, newState: object) => ({
  ...{ op: "update", urn: oldState.urn, oldState, newState },
});

function placeOfAlert(listing: Listing): string {
  const { dashboards, alerts } = readDashboards(fromHost(listing) as unknown as Listing);
  const on = dashboards.flatMap(({ tiles }) => tiles.filter(({ alerts }) => alerts.length > 0));
  if (on.length + dashboards.flatMap(({ alerts }) => alerts).length + alerts.length !== 1)
    throw new Error("not one alert");
  return on[0]?.name ?? dashboards.find(({ alerts }) => alerts.length > 0)?.name ?? "nowhere";
}

describe("Pictures of a stack by pipestack draw", () => {
  it("an alert with unknown ids is drawn at its former place, as far as that is known", () => {
    const steps = (formerTile: string) => [
      update(live, dashboard()),
      update(alert({ dashboardId: "d1", tileId: formerTile }), alert(unknownIds, fromDashboard)),
    ];
    expect(placeOfAlert(listingOfPreview({ steps: steps("t2") as never }))).to.equal("B");
    expect(placeOfAlert(listingOfPreview({ steps: steps("gone") as never }))).to.equal("Main");
    expect(placeOfAlert(listingOf([dashboard(), alert(unknownIds, fromDashboard)] as never))).to.equal(
      "Main",
    );
    expect(placeOfAlert(listingOf([dashboard(), alert(unknownIds)] as never))).to.equal("nowhere");
  });

  it("pictures of a stack contain no secret", () => {
    const secret = {
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      ciphertext: "v1:abc",
    };
    const tiles = [{ ...tile("A", 0), series: [{ type: "number", where: secret }] }];
    const { dashboards } = listingOf([dashboard({ inputs: { name: secret, tiles } })]);
    expect(JSON.stringify(dashboards)).to.include('"where":"[secret]"').and.include('"name":"[secret]"');
    expect(JSON.stringify(dashboards)).to.not.include("v1:abc");
  });

  it("pictures show no property that the program has removed", () => {
    const state = dashboard({ id: "d1", outputs: { tags: ["old"], tileIds: { A: "t1" } } });
    const firing = alert(
      { dashboardId: "d1", tileId: "t1" },
      { outputs: { thresholdMax: 9, state: "ALERT", name: "Old" } },
    );
    const { dashboards, alerts } = listingOf([state, firing]);
    expect(dashboards[0]).to.not.have.property("tags");
    expect(alerts[0]).to.not.have.any.keys("thresholdMax", "state");
    const steps = [update(firing, { ...firing, outputs: {} })] as never;
    expect(listingOfPreview({ steps }).alerts[0]).to.not.have.any.keys("thresholdMax", "state");
  });

  it("a picture links to the last known page of each dashboard and alert", () => {
    const url = "https://x.example.com/dashboards/d1";
    const state = dashboard({ id: "d1", outputs: { url } });
    const urlOf = ({ dashboards }: Listing) => readDashboards({ dashboards, alerts: [] }).dashboards[0]?.url;
    expect(urlOf(listingOf([state]))).to.equal(url);
    const after = (outputs: object) =>
      listingOfPreview({ steps: [update(state, dashboard({ outputs }))] as never });
    expect(urlOf(after({ url: unknownText }))).to.equal(url);
    expect(urlOf(after({ url: `${url}?a` }))).to.equal(`${url}?a`);
    expect(urlOf(listingOf([dashboard()]))).to.equal(undefined);
    const [on] = listingOf([alert({ source: "search" }, { outputs: { url } })]).alerts;
    expect(readDashboards({ dashboards: [], alerts: [on] }).alerts[0]?.url).to.equal(url);
  });

  describe("Pictures of resources that the program only reads", () => {
    const outputs = { name: "Read", threshold: 5, tiles: [tile("A", 0)], state: "ALERT" };
    const read = (type: string) => resource(type, "read", {}, { external: true, outputs });
    const { dashboards, alerts } = listingOf([read("Dashboard"), read("Alert")]);

    it("a resource that the program only reads is drawn by its outputs", () => {
      expect(dashboards[0]).to.include({ name: "Read" });
      expect(alerts[0]).to.include({ threshold: 5 });
    });

    it("a picture does not show the recorded state of an alert that the program only reads", () => {
      expect(alerts).to.have.length(1);
      expect(alerts[0]).to.not.have.property("state");
    });
  });

  it("pipestack draw skips entries of a preview that are neither a step nor a resource", () => {
    const odds = [
      { op: "create", urn: "x", newState: null },
      { op: "same", urn: "y", newState: 5 },
    ];
    const steps = [null, 5, ...odds];
    expect(listingOfPreview({ steps, changeSummary: null } as never).dashboards).to.deep.equal([]);
    const odd = [null, { urn: "x", type: alert({}).type, propertyDependencies: null }];
    expect(listingOf(odd as never).alerts).to.have.length(1);
  });

  it("pipestack draw does not draw a dashboard that an update deletes or replaces", () => {
    const of = (op: string, name: string) => ({
      ...{ op, urn: urn("Dashboard", name), newState: resource("Dashboard", name, { name, tiles: [] }) },
    });
    const steps = [
      { op: "delete", urn: urn("Dashboard", "gone"), oldState: dashboard() },
      of("delete-replaced", "old"),
      of("same", "kept"),
      of("replace", "new"),
    ];
    const pending = { ...dashboard(), delete: true };
    const { dashboards } = readDashboards(listingOfPreview({ steps: steps as never }));
    expect(dashboards.map(({ name }) => name)).to.deep.equal(["kept", "new"]);
    expect(listingOf([pending]).dashboards).to.deep.equal([]);
  });

  it("pipestack draw warns of a preview that leaves out unchanged resources", () => {
    const of = (changeSummary: Record<string, number>, ops: string[]) =>
      listingOfPreview({ changeSummary, steps: ops.map((op, index) => ({ op, urn: `urn:${index}` })) })
        .warnings;
    expect(of({ same: 3, create: 1 }, ["create"])).to.have.length(1);
    expect(of({ same: 3, create: 1 }, ["same", "same", "same", "create"])).to.deep.equal([]);
    expect(of({ create: 1 }, ["create"])).to.deep.equal([]);
  });
});
