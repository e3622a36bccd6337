import { expect } from "chai";
import { resources, type TypeName } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { reset, silence } from "../api/server";
import { examples } from "../resources/examples";
import { alert, place, useService } from "./scriptedService";

const savedSearch = "65f1c0a2b3d4e5f607182931";

/** Programs of the resource types of which an organization or a service can have more than 1,000 objects. */
const programs: { readonly [type in TypeName]?: PropertyMap } = {
  Alert: { ...alert, savedSearch },
  Dashboard: {
    name: "Overview",
    tiles: [{ name: "Text", x: 0, y: 0, w: 4, h: 2, config: { displayType: "markdown", markdown: "a" } }],
  },
  ...Object.fromEntries(
    (["ApiKey", "Webhook", "SavedSearch", "SavedQuery", "Source", "QueryApiEndpoint"] as const).map(
      (type) => [type, examples[type].programs({} as never)[0]],
    ),
  ),
};

describe("Steps of many objects of one type", () => {
  const service = useService({ dialect: "clickhouse" });
  const open = () => service.open({ dialect: "clickhouse" }).session;

  async function amongMany(type: TypeName) {
    const program = { ...place, ...programs[type] };
    const { id, state } = await resources[type].create(program, open());
    const maps = Object.values(service.model.store) as unknown[];
    const records = maps.find((map) => map instanceof Map && map.has(id)) as Map<string, PropertyMap>;
    const own = records.get(id) as PropertyMap;
    records.delete(id);
    for (let count = 0; count < 1200; count++) {
      const other = id.includes("-") ? service.model.ids.uuid() : service.model.ids.object(Date.now());
      records.set(other, { ...own, id: other, name: `${own.name} ${count}` });
    }
    records.set(id, own);
    service.time.pass(240_000);
    return { program, id, state, records };
  }

  for (const type of Object.keys(programs) as TypeName[]) {
    it(`a read of the last of 1,200 objects of the type ${type} tells whether it still exists`, async () => {
      const { id, state, records } = await amongMany(type);
      expect(await resources[type].read(id, state, open())).to.be.an("object");
      records.delete(id);
      expect(await resources[type].read(id, state, open())).to.equal("gone");
    });

    // An organization has at most 100 API keys, so ClickHouse Cloud would refuse the create of one more.
    if (type === "ApiKey") continue;

    it(`a create beside 1,200 objects of the type ${type} makes one object although the answer is lost`, async () => {
      const { program, records } = await amongMany(type);
      const before = records.size;
      service.courses.push({ answer: reset });
      const { id } = await resources[type].create({ ...program, name: "The next one" }, open());
      expect([records.size, records.get(id)?.name]).to.deep.equal([before + 1, "The next one"]);
    });
  }

  for (const [type, requestsPerSecond] of [
    ["Alert", 1],
    ["Alert", 0.25],
    ["SavedQuery", 1],
  ] as const)
    it(`updates of 40 objects of the type ${type} follow soon on what they repeat, at ${requestsPerSecond} a second`, async () => {
      const program = (at: number) => ({ ...place, ...programs[type], name: `Object ${at}` });
      const made = await Promise.all(
        Array.from({ length: 40 }, (_, at) => resources[type].create(program(at), open())),
      );
      let [lookedAt, oldest] = [0, 0];
      const looks = new Map<string, number>();
      service.gateway = (operation, carryOut, path) => {
        if (operation.startsWith("list")) lookedAt = Date.now();
        if (operation.startsWith("get")) looks.set(path, Date.now());
        if (operation.startsWith("update"))
          oldest = Math.max(oldest, Date.now() - (looks.get(path) ?? lookedAt));
        return carryOut();
      };
      const { session } = service.open({ dialect: "clickhouse", requestsPerSecond });
      await Promise.all(
        made.map(({ id, state }, at) => resources[type].update(id, state, program(at + 40), session)),
      );
      expect(oldest / 1000).to.be.within(1, 20);
    });

  it("updates of 8 alerts follow soon on their list, though 60 creates wait for the rate limit", async () => {
    const program = (at: number) => ({ ...place, ...programs.Alert, name: `Object ${at}` });
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, at) => resources.Alert.create(program(at), open())),
    );
    let [lookedAt, oldest] = [0, 0];
    service.gateway = (operation, carryOut) => {
      if (operation.startsWith("list")) lookedAt ||= Date.now();
      if (operation.startsWith("update")) oldest = Math.max(oldest, Date.now() - lookedAt);
      return carryOut();
    };
    const { session } = service.open({ dialect: "clickhouse", requestsPerSecond: 1 });
    await Promise.all([
      ...made.map(({ id, state }, at) => resources.Alert.update(id, state, program(at + 8), session)),
      ...Array.from({ length: 60 }, (_, at) =>
        resources.Webhook.create({ ...place, ...programs.Webhook, name: `Hook ${at}` }, session),
      ),
    ]);
    expect(oldest / 1000).to.be.within(1, 20);
  });

  it("a destroy that puts 40 query endpoints back soon follows on what it reads of each", async () => {
    const { services, queryEndpoints } = service.model.store;
    const first = services.get(place.serviceId);
    const made = await Promise.all(
      Array.from({ length: 40 }, (_, at) => {
        const serviceId = `a${String(at).padStart(7, "0")}-1111-4111-8111-111111111111`;
        services.set(serviceId, { ...structuredClone(first), id: serviceId } as never);
        const former = { id: `e${at}`, serviceId, roles: ["sql_console_admin"], openApiKeys: [] };
        queryEndpoints.set(former.id, { ...former, allowedOrigins: "" } as never);
        const program = { ...place, serviceId, roles: ["sql_console_read_only"], openApiKeys: [] };
        return resources.QueryEndpoint.create({ ...program, onDestroy: "restore" }, open());
      }),
    );
    const looks = new Map<string, number>();
    let oldest = 0;
    service.gateway = (operation, carryOut, path) => {
      if (operation.startsWith("get")) looks.set(path, Date.now());
      else oldest = Math.max(oldest, Date.now() - (looks.get(path) ?? 0));
      return carryOut();
    };
    const { session } = service.open({ dialect: "clickhouse", requestsPerSecond: 1 });
    await Promise.all(made.map(({ id, state }) => resources.QueryEndpoint.delete(id, state, session)));
    expect(oldest / 1000).to.be.within(1, 20);
  });

  it("updates of 20 alerts whose list does not answer fail together, and those of other types go on", async () => {
    const types = ["Alert", "Webhook"] as const;
    const program = (type: TypeName, at: number) => ({ ...place, ...programs[type], name: `Object ${at}` });
    const objects = Array.from({ length: 20 }, (_, at) => types.map((type) => ({ type, at }))).flat();
    const made = await Promise.all(
      objects.map(async ({ type, at }) => ({
        ...{ type, at },
        ...(await resources[type].create(program(type, at), open())),
      })),
    );
    service.requests.splice(0);
    service.gateway = (operation, carryOut) => (operation === "listAlerts" ? silence : carryOut());
    const { session } = service.open({ dialect: "clickhouse", requestsPerSecond: 1, maxRetries: 0 });
    const ends = await Promise.allSettled(
      made.map(({ type, at, id, state }) =>
        resources[type].update(id, state, program(type, at + 20), session),
      ),
    );
    const isEnded = made.map(
      ({ type }, at) => ends[at]?.status === (type === "Alert" ? "rejected" : "fulfilled"),
    );
    expect([service.count("listAlerts"), isEnded.filter((each) => !each)]).to.deep.equal([1, []]);
  });
});
