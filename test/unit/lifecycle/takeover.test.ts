import { expect } from "chai";
import type { Settings } from "../../../provider/api/settingsSchema";
import { resources, type TypeName } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import { alert, dashboard, place, useService } from "./scriptedService";

const { serviceId } = place;
const [theirs, also] = ["c6a1e9d4-2b57-4f38-8d60-7e91b3a5f241", "c6a1e9d4-2b57-4f38-8d60-7e91b3a5f242"];
const mine = "c6a1e9d4-2b57-4f38-8d60-7e91b3a5f243";
const entry = { name: "Sale", weekdays: [5], startHourUtc: 8, endHourUtc: 20 };

describe("A create that takes over an existing object", () => {
  const service = useService();

  /**
   * The properties of a query endpoint of other people. Before each test the sandbox gets this endpoint and a scaling schedule
   * of other people.
   */
  const others = {
    roles: ["sql_console_admin"],
    openApiKeys: [theirs, also],
    allowedOrigins: "https://a.example",
  };
  const program = { ...place, roles: ["sql_console_read_only"], openApiKeys: [mine] };

  beforeEach(() => {
    const { store } = service.model;
    for (const id of [theirs, also, mine]) service.addForeign({ id }, "ApiKey");
    store.queryEndpoints.set("e", { id: "e", serviceId, ...others } as never);
    const stored = { ...entry, autoscalingMode: "vertical" as const, minReplicas: 2, maxReplicas: 2 };
    store.scalingSchedules.set("s", {
      id: "s",
      serviceId,
      entries: [stored],
      updatedAt: "2026-01-01T00:00:00Z",
    });
  });

  const endpoint = () => service.model.store.queryEndpointOf(serviceId) as unknown as PropertyMap;
  const writes = () => service.requests.filter((name) => !/^(get|list)/.test(name));

  async function preview(type: TypeName, inputs: PropertyMap, settings: Partial<Settings> = {}) {
    const { session, warnings } = service.open(settings);
    const { failures } = await resources[type].check({}, inputs, session);
    expect(writes()).to.deep.equal([]);
    return { warnings, failures: failures.map(({ message }) => message) };
  }

  async function up(type: TypeName, inputs: PropertyMap, settings: Partial<Settings> = {}) {
    const { session, warnings } = service.open(settings);
    const created = await resources[type].create(inputs, session);
    return { ...created, warnings };
  }

  it("the preview and the update name the tiles and alerts that an adopted dashboard loses", async () => {
    const adoptId = service.addForeign({ name: "Theirs" }, "Dashboard");
    const tileId = (service.stored(adoptId, "Dashboard").tiles as PropertyMap[])[0]?.id as string;
    const alertId = service.addForeign({ source: "tile", dashboard: adoptId, tileId, name: "Theirs" });
    const inputs = { ...place, ...dashboard, tiles: [], adoptId };
    const goes = [
      `dashboard ${adoptId} is there already, and taking it over replaces name, tiles["Errors"]`,
      `Dashboard "Board": with this update the service deletes the alert "Theirs" (${alertId}) of the tile "Errors", which it removes`,
    ];
    expect((await preview("Dashboard", inputs)).warnings).to.deep.equal(goes);
    expect((await up("Dashboard", inputs)).warnings).to.deep.equal(goes);
  });

  it("only in tiles does a takeover name the empty members that the program fills", async () => {
    const series = [{ type: "number", aggFn: "count", where: "" }];
    const tiles = [
      { id: service.model.ids.object(Date.now()), name: "Errors", x: 0, y: 0, w: 6, h: 4, series },
    ];
    const adoptId = service.addForeign({ name: dashboard.name, tags: [], tiles }, "Dashboard");
    const [{ id: _, ...tile }] = tiles as [(typeof tiles)[0]];
    const filtered = { ...tile, series: [{ ...series[0], where: "level:error", groupBy: ["host"] }] };
    const inputs = { ...place, name: dashboard.name, tags: ["team"], tiles: [filtered], adoptId };
    expect((await preview("Dashboard", inputs)).warnings).to.deep.equal([
      `dashboard ${adoptId} is there already, and taking it over replaces tiles["Errors"].series[0].groupBy, tiles["Errors"].series[0].where`,
    ]);
  });

  it("a takeover warns of nothing if the object is as declared", async () => {
    const declared = { ...place, ...others, openApiKeys: [also, theirs] };
    expect(await preview("QueryEndpoint", declared)).to.deep.equal({ warnings: [], failures: [] });
    expect((await up("QueryEndpoint", declared)).warnings).to.deep.equal([]);
  });

  it("a preview only warns that an unknown value may replace an existing one, even with onConflict fail", async () => {
    const inputs = { ...program, roles: others.roles, openApiKeys: [unknown] };
    const { warnings, failures } = await preview("QueryEndpoint", inputs, { onConflict: "fail" });
    expect(failures).to.deep.equal([]);
    expect(warnings).to.deep.equal([
      `query endpoint of service ${serviceId} is there already, and the update may replace openApiKeys (${theirs}, ${also}), for which the program has values that are not known yet`,
    ]);
  });

  it("the preview gives one warning if the id to adopt is unknown or the object cannot be read", async () => {
    const { warnings } = await preview("Alert", { ...place, ...alert, adoptId: unknown });
    expect(warnings).to.deep.equal([
      "Alert: the preview cannot read the object to adopt yet (its id is not known); the update names the values that it replaces",
    ]);
    service.gateway = () => ({ status: 502, body: "<html>" });
    const failed = await preview("QueryEndpoint", program, { maxRetries: 0 });
    expect(failed.failures).to.deep.equal([]);
    expect(failed.warnings).to.have.length(1);
    expect(failed.warnings[0]).to.match(
      /^QueryEndpoint: the preview cannot read the query endpoint that is there yet/,
    );
  });

  it("the previews of all objects of one type that a program adopts share one list request", async () => {
    const ids = [1, 2, 3].map((threshold) => service.addForeign({ threshold, message: null }));
    const { session, warnings } = service.open();
    for (const adoptId of ids) await resources.Alert.check({}, { ...place, ...alert, adoptId }, session);
    expect(service.requests).to.deep.equal(["listAlerts"]);
    expect(warnings).to.have.length(3);
  });

  describe("the destruction of an object that was taken over", () => {
    const destroyed = async (
      type: TypeName,
      inputs: PropertyMap,
      change: (state: PropertyMap) => PropertyMap = (state) => state,
    ) => {
      const { id, state } = await up(type, inputs);
      const { session, warnings } = service.open();
      await resources[type].delete(id, change(state), session);
      return warnings;
    };
    const entries = [{ ...entry, name: "Nights" }];

    it("destroying a query endpoint that was taken over names the way to restore its former values", async () => {
      expect(await destroyed("QueryEndpoint", program)).to.deep.equal([
        `QueryEndpoint: service ${serviceId} keeps its query endpoint; onDestroy: "restore" would restore its previous values`,
      ]);
      expect(endpoint().openApiKeys).to.deep.equal([mine]);
    });

    it("destroying a resource deletes its object if the resource has created the object", async () => {
      service.model.store.queryEndpoints.clear();
      service.model.store.scalingSchedules.clear();
      expect(await destroyed("QueryEndpoint", { ...program, onDestroy: "restore" })).to.deep.equal([]);
      expect(await destroyed("ServiceScalingSchedule", { ...place, entries })).to.deep.equal([]);
      expect([endpoint(), service.model.store.scalingSchedules.size]).to.deep.equal([undefined, 0]);
    });

    it("destroying a query endpoint warns if the state does not tell whether it existed before", async () => {
      const old = ({ __tracking: _, ...state }: PropertyMap) => state;
      expect(await destroyed("QueryEndpoint", program, old)).to.deep.equal([
        `QueryEndpoint: the query endpoint of service ${serviceId} is deleted; the Pulumi state does not say whether it was there before the program declared it`,
      ]);
      expect(endpoint()).to.equal(undefined);
    });
  });

  describe("A query endpoint with keepOtherKeys", () => {
    const beside = { ...program, roles: others.roles, keepOtherKeys: true };

    it("a query endpoint that keeps other keys gets the declared keys beside them", async () => {
      const { warnings } = await up("QueryEndpoint", beside, { onConflict: "fail" });
      expect(warnings).to.deep.equal([]);
      expect(endpoint().openApiKeys).to.have.members([theirs, also, mine]);
    });

    it("a query endpoint that keeps other keys shows drift only of the declared keys", async () => {
      const { id, state } = await up("QueryEndpoint", beside);
      const keysAfterRead = async () => {
        const live = await resources.QueryEndpoint.read(id, state, service.open().session);
        return (live as { inputs: PropertyMap }).inputs.openApiKeys;
      };
      Object.assign(endpoint(), { openApiKeys: [theirs, mine] });
      expect(await keysAfterRead()).to.deep.equal([mine]);
      Object.assign(endpoint(), { openApiKeys: [theirs] });
      expect(await keysAfterRead()).to.deep.equal([]);
    });

    it("a query endpoint that begins to keep other keys keeps those that a refresh has found", async () => {
      const { id, state } = await up("QueryEndpoint", { ...beside, keepOtherKeys: false });
      Object.assign(endpoint(), { openApiKeys: [mine, theirs] });
      const live = await resources.QueryEndpoint.read(id, state, service.open().session);
      const { session, warnings } = service.open();
      const found = (live as { state: PropertyMap }).state;
      const updated = await resources.QueryEndpoint.update(id, found, beside, session);
      expect(endpoint().openApiKeys).to.have.members([mine, theirs]);
      expect(updated.otherKeys).to.deep.equal([theirs]);
      expect(warnings.join()).to.include(`keeps ${theirs} in openApiKeys`);
    });

    it("a query endpoint that keeps other keys loses only a key that the program no longer declares", async () => {
      const { id, state } = await up("QueryEndpoint", { ...beside, openApiKeys: [mine, also] });
      const { session, warnings } = service.open();
      await resources.QueryEndpoint.update(id, state, beside, session);
      expect(endpoint().openApiKeys).to.have.members([theirs, mine]);
      expect(warnings).to.deep.equal([]);
    });

    for (const onDestroy of ["keep", "restore"])
      it(`a query endpoint that keeps other keys loses only the declared keys when it is destroyed with ${onDestroy}`, async () => {
        const { id, state } = await up("QueryEndpoint", { ...beside, onDestroy });
        await resources.QueryEndpoint.delete(id, state, service.open().session);
        expect(endpoint()).to.deep.include({ openApiKeys: [theirs, also], roles: others.roles });
      });

    for (const [onDestroy, left] of Object.entries({ keep: [theirs], restore: [theirs, also] }))
      it(`destroying a query endpoint with onDestroy ${onDestroy} ${onDestroy === "keep" ? "removes" : "leaves"} a declared key that it had before the stack managed it`, async () => {
        const { id, state } = await up("QueryEndpoint", { ...beside, openApiKeys: [mine, also], onDestroy });
        await resources.QueryEndpoint.delete(id, state, service.open().session);
        expect(endpoint().openApiKeys).to.have.members(left);
      });

    it("destroying a created query endpoint that keeps other keys deletes it, unless others have keys there", async () => {
      service.model.store.queryEndpoints.clear();
      const { id, state } = await up("QueryEndpoint", beside);
      Object.assign(endpoint(), { openApiKeys: [mine, theirs] });
      await resources.QueryEndpoint.delete(id, state, service.open().session);
      expect(endpoint().openApiKeys).to.deep.equal([theirs]);
      Object.assign(endpoint(), { openApiKeys: [mine] });
      await resources.QueryEndpoint.delete(id, state, service.open().session);
      expect(endpoint()).to.equal(undefined);
    });
  });

  it("a takeover whose answer is lost still records in the state the values that the object had before", async () => {
    service.gateway = async (operation, carryOut) => {
      const answer = await carryOut();
      return operation === "putQueryEndpoint" ? { status: 502, body: "<html>" } : answer;
    };
    const { id, state, failure } = await up(
      "QueryEndpoint",
      { ...program, onDestroy: "restore" },
      { maxRetries: 0 },
    );
    expect(failure?.message).to.include("may have taken effect");
    service.gateway = undefined;
    await resources.QueryEndpoint.delete(id, state, service.open().session);
    expect(endpoint()).to.deep.include(others);
  });

  it("a query endpoint whose create lost its answer stays in the state while reads may lag", async () => {
    service.model.store.queryEndpoints.clear();
    service.gateway = async (operation, carryOut) => {
      if (operation !== "putQueryEndpoint") return carryOut();
      await carryOut();
      return { status: 502, body: "<html>" };
    };
    const { id, state } = await up("QueryEndpoint", program, { maxRetries: 0 });
    service.gateway = undefined;
    service.model.store.queryEndpoints.clear();
    expect(await resources.QueryEndpoint.read(id, state, service.open().session)).to.equal("unseen");
  });
});

describe("Objects that belong to a service of the same program", () => {
  const service = useService({ dialect: "clickhouse", stateMilliseconds: 1000 });
  const { organizationId } = place;
  const settings = { dialect: "clickhouse", onConflict: "fail" } as const;
  const belongings: Partial<Record<TypeName, PropertyMap>> = {
    BackupConfiguration: { backupStartTime: "03:00", backupRetentionPeriodInHours: 168 },
    QueryEndpoint: { roles: ["sql_console_read_only"], openApiKeys: [mine] },
    ServiceScalingSchedule: { entries: [{ ...entry, numReplicas: 4 }] },
    ServiceSettings: { settings: { max_concurrent_queries: 500 } },
    UpgradeWindow: { weekday: 0, startHourUtc: 6 },
  };

  beforeEach(() => void service.addForeign({ id: mine }, "ApiKey"));

  const make = (changed: Partial<Settings> = settings) => {
    const { session, warnings } = service.open(changed);
    const lake = { name: "lake", provider: "aws", region: "eu-west-1", ipAccessList: [] };
    const made = resources.Service.create({ organizationId, ...lake }, session);
    return { session, warnings, made };
  };

  /** Gives the service values that differ from the program, as a service may have them right after its creation. */
  function giveDefaults(id: string) {
    const { services, queryEndpoints, scalingSchedules } = service.model.store;
    const defaults = {
      backupConfiguration: { backupPeriodInHours: 24, backupRetentionPeriodInHours: 24 },
      databaseSettings: { max_concurrent_queries: 1000 },
      upgradeWindow: { weekday: 3, startHourUtc: 0 },
    };
    Object.assign(services.get(id) ?? {}, defaults);
    queryEndpoints.set("e", {
      id: "e",
      serviceId: id,
      roles: ["sql_console_admin"],
      openApiKeys: [],
    } as never);
    scalingSchedules.set("s", { id: "s", serviceId: id, entries: [{ ...entry, name: "Default" }] } as never);
  }

  for (const [type, inputs] of Object.entries(belongings)) {
    it(`a create of ${type} does not warn of a new service's default values, nor fail with onConflict fail`, async () => {
      const { session, warnings, made } = make();
      const { id } = await made;
      giveDefaults(id);
      const belonging = { organizationId, serviceId: id, ...inputs };
      const { failure } = await resources[type as TypeName].create(belonging, session);
      expect([failure, warnings]).to.deep.equal([undefined, []]);
    });

    it(`a preview of ${type} does not warn if the service does not exist yet`, async () => {
      const { session, warnings } = service.open(settings);
      const { check } = resources[type as TypeName];
      const { failures } = await check({}, { organizationId, serviceId: unknown, ...inputs }, session);
      expect([failures, warnings]).to.deep.equal([[], []]);
    });
  }

  it("a takeover of a backup configuration names replaced values if an earlier run made the service", async () => {
    const { id } = await make().made;
    const { session, warnings } = service.open({ dialect: "clickhouse" });
    const inputs = { organizationId, serviceId: id, ...belongings.BackupConfiguration };
    await resources.BackupConfiguration.create(inputs, session);
    expect(warnings).to.deep.equal([
      `backup configuration of service ${id} is there already, and taking it over replaces backupRetentionPeriodInHours`,
    ]);
  });
});
