import { expect } from "chai";
import { resolveSettings } from "../../../provider/api/settings";
import type { State } from "../../../provider/lifecycle/state";
import { resources, type TypeName } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import { validInputs } from "../resources/validInputs";
import { dashboard, place, useService } from "./scriptedService";

describe("Default tags", () => {
  const service = useService();
  const defaultTags = { team: "core", stack: "prod" };
  const texts = ["team:core", "stack:prod"];
  const pairs = [
    { key: "team", value: "core" },
    { key: "stack", value: "prod" },
  ];
  const tagsOf = async (type: TypeName, inputs: PropertyMap, tags?: unknown) => {
    const { tags: _, ...rest } = inputs;
    const news = { ...rest, ...(tags !== undefined && { tags }) };
    const { session } = service.open({ dialect: "clickhouse", defaultTags });
    return (await resources[type].check({}, news, session)).inputs.tags;
  };

  const cases: [title: string, type: TypeName, own: unknown, tags: unknown][] = [
    ["are added to a dashboard without tags", "Dashboard", undefined, texts],
    ["stand beside the tags of a dashboard", "Dashboard", ["web"], [...texts, "web"]],
    [
      "give way to a tag of the program with the same key",
      "Dashboard",
      ["team:data"],
      ["stack:prod", "team:data"],
    ],
    ["stand beside tags that a preview does not know", "SavedSearch", [unknown], [...texts, unknown]],
    ["wait for a list that a preview does not know", "SavedSearch", unknown, unknown],
    ["are pairs of a service", "Service", undefined, pairs],
    ["give way to a pair with the same key", "Service", [{ key: "team" }], [pairs[1], { key: "team" }]],
    ["leave the inherited tags of an alert alone", "Alert", undefined, undefined],
    ["are added to an alert that declares tags", "Alert", [], texts],
    ["leave types without tags alone", "Webhook", undefined, undefined],
  ];
  for (const [title, type, own, tags] of cases)
    it(`default tags ${title}`, async () => {
      expect(await tagsOf(type, validInputs[type], own)).to.deep.equal(tags);
    });

  it("a changed setting changes tags, and is no drift", async () => {
    const inputs = { ...place, ...dashboard };
    const opened = (tags: typeof defaultTags) => service.open({ defaultTags: tags }).session;
    const checked = await resources.Dashboard.check({}, inputs, opened(defaultTags));
    const { id, state } = await resources.Dashboard.create(checked.inputs, opened(defaultTags));
    expect(service.stored(id, "Dashboard").tags).to.deep.equal([...texts, ...dashboard.tags]);

    const changed = { ...defaultTags, team: "web" };
    const read = (await resources.Dashboard.read(id, state, opened(changed))) as {
      inputs: PropertyMap;
      state: State;
    };
    expect(read.inputs).to.deep.equal(checked.inputs);
    const next = await resources.Dashboard.check(read.inputs, inputs, opened(changed));
    const changes = await resources.Dashboard.diff(id, read.state, next.inputs, opened(changed));
    expect(changes.map(({ path }) => path).join()).to.match(/^tags/);
    await resources.Dashboard.update(id, read.state, next.inputs, opened(changed));
    expect(service.stored(id, "Dashboard").tags).to.deep.equal(["team:web", "stack:prod", ...dashboard.tags]);
  });

  it("an update says that default tags replace those of others in a dashboard that declares none", async () => {
    const inputs = { ...place, name: "Board", tiles: dashboard.tiles };
    const { id, state } = await resources.Dashboard.create(inputs, service.open().session);
    Object.assign(service.stored(id, "Dashboard"), { tags: ["by hand"] });
    const { session, warnings } = service.open({ defaultTags });
    const { inputs: news } = await resources.Dashboard.check(inputs, inputs, session);
    await resources.Dashboard.update(id, state, news, session);
    expect(warnings.join()).to.include("somebody else changed tags since the last deployment");
  });

  it("settings accept keys and values of letters, digits, dots, underscores and hyphens alone", () => {
    const read = (text: string) =>
      resolveSettings([(name) => (name === "defaultTags" ? text : undefined)]).defaultTags;
    expect(read(JSON.stringify(defaultTags))).to.deep.equal(defaultTags);
    expect(read('{"cost":4711,"paid":true}')).to.deep.equal({ cost: "4711", paid: "true" });
    for (const text of ['{"team":null}', '{"team":""}', '{"a b":"c"}', '["team"]', "team=core", "null"])
      expect(() => read(text), text).to.throw("setting defaultTags must be a JSON object");
  });
});
