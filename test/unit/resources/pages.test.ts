import { expect } from "chai";
import { urlOf } from "../../../provider/lifecycle/page";
import { importObject } from "../../../provider/lifecycle/read";
import type { Resource } from "../../../provider/lifecycle/resource";
import { resources, sets, type TypeName } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import { sessionFrom, sessionOf } from "../drift/fixture";
import { setups, useLife } from "./life";

const serviceId = "7b0f0f0e-27a2-4f0c-9f43-9c1d6a0a3c11";
const management = { keyId: "k", keySecret: "s", serviceId, dialect: "clickhouse" };
const observability = { accessToken: "t", dialect: "clickhouse" };
const cloud = "https://hyperdx.clickhouse.cloud";
const [ofCloud, ofService] = [`${cloud}/dashboards/665f`, `?chcServiceId=${serviceId}`];
const there = "https://x.example.com/obs/dashboards/665f";
const onDashboard = (dashboardId: unknown) => ({ source: "tile", dashboardId });

describe("The console pages of objects", () => {
  const of = (
    type: TypeName,
    settings: Record<string, string>,
    inputs: PropertyMap = {},
    id: unknown = "665f",
  ) => urlOf(resources[type] as Resource, id, inputs, sessionFrom(settings).session);

  const elsewhere = { pageUrl: "https://x.example.com/obs/" };
  const neutral = { ...management, dialect: "neutral" };
  for (const [what, settings, url] of [
    ["ClickHouse Cloud shows a dashboard with its service", management, `${ofCloud}${ofService}`],
    ["a self-hosted server has a page only with the setting pageUrl", observability, undefined],
    ["a neutral server has a page only with the setting pageUrl", neutral, undefined],
    ["a self-hosted server has its pages at pageUrl", { ...observability, ...elsewhere }, there],
    ["a neutral server has its pages at pageUrl", { ...neutral, ...elsewhere }, there],
    ["pages at another address name the service", { ...management, ...elsewhere }, there + ofService],
  ] as const)
    it(what, () => expect(of("Dashboard", settings)).to.equal(url));

  const self = { ...observability, pageUrl: "https://x.example.com" };
  const onSearch = { source: "search", savedSearch: "s1" };
  for (const [what, type, inputs, path] of [
    ["a saved search has a page of its own", "SavedSearch", {}, "/search/665f"],
    ["an alert on a tile shows its dashboard", "Alert", onDashboard("d1"), "/dashboards/d1"],
    ["an alert on a saved search shows that", "Alert", onSearch, "/search/s1"],
    ["an inline alert shows all alerts", "Alert", { source: "inline" }, "/alerts"],
    ["an id is no path of its own", "Alert", onDashboard("a/../b?c#d"), "/dashboards/a%2F..%2Fb%3Fc%23d"],
  ] as const)
    it(what, () => expect(of(type, self, inputs)).to.equal(`https://x.example.com${path}`));

  it("an alert has no page if the id of what it watches cannot be part of a URL path", () => {
    for (const odd of ["", ".", "..", "\ud800", 5, null])
      expect(of("Alert", self, onDashboard(odd)), String(odd)).to.equal(undefined);
    expect(of("Alert", self, { source: "search" })).to.equal(undefined);
  });

  it("a webhook has no page", () => {
    expect(of("Webhook", self)).to.equal(undefined);
  });

  it("the URL of an object names the object's own service rather than the service of the settings", () => {
    const other = "11111111-1111-4111-8111-111111111111";
    expect(of("Dashboard", management, { serviceId: other })).to.match(new RegExp(`chcServiceId=${other}$`));
    expect(of("Dashboard", management, { serviceId: unknown })).to.equal(unknown);
  });

  it("the preview of an object contains its URL as soon as the id is known", () => {
    const { session } = sessionFrom(self);
    const plan = (type: TypeName, state: PropertyMap | undefined, inputs: PropertyMap, id?: string) =>
      resources[type].plan(state, inputs, session, id).url;
    const [former, there] = [
      { url: "https://old.example.com/dashboards/665f" },
      "https://x.example.com/dashboards",
    ];
    expect(plan("Dashboard", undefined, {})).to.equal(unknown);
    expect(plan("Dashboard", undefined, { adoptId: "665f" })).to.equal(`${there}/665f`);
    expect(plan("Dashboard", former, {}, "665f")).to.equal(`${there}/665f`);
    expect(plan("Alert", undefined, { source: "tile", dashboardId: "d1" })).to.equal(`${there}/d1`);
    expect(plan("Alert", former, { source: "tile", dashboardId: unknown }, "a1")).to.equal(unknown);
    const { session: without } = sessionFrom(observability);
    expect(resources.Dashboard.plan(former, {}, without, "665f")).to.not.have.property("url");
  });
});

describe("The output url, which leads to an object's page in the console", () => {
  const life = useLife(setups["the product's management API alone"]);
  const session = (further: Record<string, string> = {}) =>
    sessionOf(life.sandbox, { dialect: "clickhouse", requestsPerSecond: "1000", ...further }).session;

  const alert = {
    ...{ source: "search", savedSearch: "65f1c0a2b3d4e5f607182932", threshold: 5, thresholdType: "above" },
    ...{ interval: "5m", channel: { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182921" } },
  };
  const config = { displayType: "markdown", markdown: "Runbook" };
  const programs: readonly (readonly [type: TypeName, program: PropertyMap])[] = [
    ["Dashboard", { name: "Main", tiles: [{ name: "Notes", x: 0, y: 0, w: 6, h: 4, config }] }],
    ["SavedSearch", { name: "Failing", sourceId: "65f1c0a2b3d4e5f607182911" }],
    ["Alert", { name: "Many", ...alert }],
  ];

  for (const [type, program] of programs)
    it(`only a refresh changes the url of a ${type} to that of another pageUrl`, async () => {
      const { sandbox } = life;
      const declared = await life.applied(type, program);
      const { url } = declared.state;
      expect(url).to.match(
        new RegExp(`^${cloud}/(dashboards|search)/[^/]+\\?chcServiceId=${sandbox.credentials.serviceId}$`),
      );
      expect(declared.inputs).to.not.have.property("url");
      expect(JSON.stringify(sandbox.requests.map(({ requestBody }) => requestBody))).to.not.include(cloud);
      expect(await declared.refresh(session())).to.deep.equal([]);
      expect(declared.state.url).to.equal(url);
      const found = await importObject(declared.resource, declared.id, {}, session());
      expect(found).to.have.nested.property("state.url", url);
      expect(found).to.not.have.nested.property("inputs.url");
      expect(declared.resource.plan(declared.state, declared.inputs, session(), declared.id).url).to.equal(
        url,
      );

      const moved = session({ pageUrl: "https://x.example.com" });
      expect(await declared.up(moved)).to.deep.equal([]);
      expect(declared.state.url).to.equal(url);
      expect(await declared.refresh(moved)).to.deep.equal([]);
      expect(declared.state.url).to.equal(String(url).replace(cloud, "https://x.example.com"));
      const later = declared.changedTo({ ...program, name: "Other" });
      expect(await later.up(session())).to.not.deep.equal([]);
      expect(later.state.url).to.equal(url);
    });

  it("a property url in a server's answer does not replace the output url", async () => {
    const declared = await life.applied("SavedSearch", {
      name: "Failing",
      sourceId: "65f1c0a2b3d4e5f607182911",
    });
    Object.assign(life.sandbox.store.savedSearches.get(declared.id) ?? {}, {
      url: "https://evil.example.com",
    });
    const { url } = declared.state;
    await declared.refresh(session());
    expect(declared.state.url).to.equal(url);
  });

  it("the state of an AlertSet has no URLs of its entries' pages", async () => {
    const { state } = await sets.AlertSet.create({ alerts: { one: alert } }, session());
    expect(Object.keys(state.ids as object)).to.deep.equal(["one"]);
    expect(JSON.stringify(state)).to.not.include(cloud);
  });
});
