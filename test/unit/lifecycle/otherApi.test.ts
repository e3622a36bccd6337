import { expect } from "chai";
import { deleteUnlessDeclared } from "../../../provider/lifecycle/delete";
import { UpdatedIncompletely } from "../../../provider/lifecycle/resource";
import type { Session } from "../../../provider/lifecycle/session";
import { resources, sets } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { failureOf } from "../api/failure";
import { alert, place, tile, useService } from "./scriptedService";

const { Alert, Dashboard: resource, SavedSearch, SourceLinks: links, Webhook } = resources;

const savedSearch = "65f1c0a2b3d4e5f607182931";

describe("An object of a server without services, once settings lead to the management API", () => {
  const service = useService({ dialect: "clickhouse" });
  const open = (observabilityVia: "observability" | "management") =>
    service.open({ dialect: "clickhouse", observabilityVia, maxRetries: 0 }).session;
  /** Makes a dashboard on a server of which ClickHouse Cloud knows nothing. */
  const elsewhere = async () => {
    const { id, state } = await resource.create({ name: "Board", tiles: [] }, open("observability"));
    service.model.store.dashboards.delete(id);
    service.time.pass(600_000);
    return { id, state };
  };
  const remedy = (id: string) =>
    `dashboard ${id} was made on a server without services, and the management API does not show it; if it is still there, set observabilityVia to observability, else run "pulumi state delete"`;

  it("a refresh does not take it for deleted", async () => {
    const { id, state } = await elsewhere();
    expect((await failureOf(resource.read(id, state, open("management")))).message).to.equal(remedy(id));
    expect(await resource.read(id, state, open("observability"))).to.equal("gone");
  });

  it("a refresh does not take it for deleted, though the settings named a service when it was made", async () => {
    const session = open("observability");
    const { inputs } = await resource.check({}, { name: "Board", tiles: [] }, session);
    const { id, state } = await resource.create(inputs, session);
    service.model.store.dashboards.delete(id);
    service.time.pass(600_000);
    expect((await failureOf(resource.read(id, state, open("management")))).message).to.equal(remedy(id));
  });

  it("a destroy does not take it for deleted", async () => {
    const { id, state } = await elsewhere();
    expect((await failureOf(resource.delete(id, state, open("management")))).message).to.equal(remedy(id));
    await resource.delete(id, state, open("observability"));
  });

  it("a destroy does not take a new one for deleted that the other API does not show yet", async () => {
    const { id, state } = await resource.create({ name: "Board", tiles: [] }, open("observability"));
    service.model.store.dashboards.delete(id);
    const { message } = await failureOf(resource.delete(id, state, open("management")));
    expect(message).to.include("try again in 3 minutes");
  });

  for (const [step, run] of Object.entries({
    refresh: (id: string, state: PropertyMap, session: Session) => resource.read(id, state, session),
    destroy: (id: string, state: PropertyMap, session: Session) =>
      deleteUnlessDeclared(resource, id, state, session, false),
  }))
    it(`a ${step} does not take it for deleted with the service that the settings name`, async () => {
      const { id, state } = await elsewhere();
      service.model.store.services.delete(place.serviceId);
      expect((await failureOf(run(id, state, open("management")))).message).to.include(id);
    });

  it("a destroy of the links of a data source does not take the source for deleted", async () => {
    const { sources } = service.model.store;
    const [trace, log] = ["trace", "log"].map((kind) =>
      [...sources.values()].find((each) => each.kind === kind),
    );
    const sourceId = String(trace?.id);
    const { id, state } = await links.create({ sourceId, logSourceId: log?.id }, open("observability"));
    service.time.pass(600_000);
    sources.delete(sourceId);
    const { message } = await failureOf(links.delete(id, state, open("management")));
    expect(message).to.include(`${id} was made on a server without services`);
    await links.delete(id, state, open("observability"));
  });

  it("a move to a saved search takes no alert for one that the service has deleted with its tile", async () => {
    const series = [{ type: "number", aggFn: "count", where: "", sourceId: "65f1c0a2b3d4e5f607182911" }];
    const tiles = [{ ...tile, series }];
    const board = await resource.create({ name: "Board", tiles }, open("observability"));
    const [tileId] = Object.values(board.state.tileIds as object);
    const onTile = { ...alert, source: "tile", dashboardId: board.id, tileId };
    const { id, state } = await Alert.create(onTile, open("observability"));
    service.model.store.dashboards.delete(board.id);
    service.model.store.alerts.delete(id);
    service.time.pass(600_000);
    const moved = { ...place, ...alert, savedSearch };
    const changes = await Alert.diff(id, state, moved, open("management"));
    expect(changes.filter(({ replaces }) => replaces)).to.deep.equal([]);
    expect(changes).to.not.deep.equal([]);
  });

  it("an update says where the object may be", async () => {
    const { id, state } = await elsewhere();
    const renamed = { ...state, name: "Renamed" };
    expect((await failureOf(resource.update(id, state, renamed, open("management")))).message).to.equal(
      remedy(id),
    );
  });

  describe("a set of alerts", () => {
    const slow = { ...alert, savedSearch };
    const made = async () => {
      const { state } = await sets.AlertSet.create({ alerts: { slow } }, open("observability"));
      for (const id of Object.values(state.ids as object)) service.model.store.alerts.delete(String(id));
      service.time.pass(600_000);
      return state;
    };
    const updated = (state: PropertyMap, alerts: object) =>
      failureOf(sets.AlertSet.update("set", state, { ...place, alerts }, open("management")));
    const where = "was made on a server without services";

    it("an update that can change none of its alerts leaves no state", async () => {
      const failure = await updated(await made(), { slow: { ...slow, name: "Renamed" } });
      expect(failure.message).to.include(where);
      expect(failure).to.not.be.instanceOf(UpdatedIncompletely);
    });

    it("an update that makes a further one leaves in the state that the others are not in the cloud", async () => {
      const state = await made();
      const failure = (await updated(state, {
        slow,
        more: { ...slow, name: "More" },
      })) as UpdatedIncompletely;
      expect(failure.message).to.include(where);
      expect(failure.state.ids).to.include(state.ids).and.to.have.any.keys("more");
      const refresh = sets.AlertSet.read("set", failure.state, open("management"));
      expect((await failureOf(refresh)).message).to.include(where);
    });
  });
});

describe("An alert that the service deletes along, made through its other API", () => {
  const service = useService({ dialect: "clickhouse" });
  const open = (observabilityVia: "observability" | "management") =>
    service.open({ dialect: "clickhouse", observabilityVia }).session;
  const series = [{ type: "number", aggFn: "count", where: "", sourceId: "65f1c0a2b3d4e5f607182911" }];
  const program = { name: "Board", tiles: ["One", "Two"].map((name) => ({ ...tile, name, series })) };

  for (const along of ["tile", "dashboard", "saved search"])
    it(`a deletion finds it gone with its ${along}`, async () => {
      const first = open("observability");
      const board = await resource.create(program, first);
      const search = await SavedSearch.create({ name: "Slow", sourceId: series[0]?.sourceId }, first);
      const [tileId] = Object.values(board.state.tileIds as object);
      const watched =
        along === "saved search"
          ? { savedSearch: search.id }
          : { source: "tile", dashboardId: board.id, tileId };
      const { id, state } = await Alert.create({ ...alert, ...watched }, first);
      service.time.pass(600_000);
      const session = open("management");
      if (along === "saved search")
        await deleteUnlessDeclared(SavedSearch, search.id, search.state, session, false);
      else if (along === "dashboard")
        await deleteUnlessDeclared(resource, board.id, board.state, session, false);
      else {
        const less = { ...program, tiles: program.tiles.slice(1) };
        const { inputs } = await resource.check(program, less, session);
        await resource.diff(board.id, board.state, inputs, session);
        await resource.update(board.id, board.state, inputs, session);
      }
      expect(service.stored(id)).to.equal(undefined);
      await deleteUnlessDeclared(Alert, id, state, session, false);
    });

  it("a move to a saved search replaces it, if its dashboard is there without the tile", async () => {
    const first = open("observability");
    const board = await resource.create(program, first);
    const [tileId] = Object.values(board.state.tileIds as object);
    const onTile = { ...alert, source: "tile", dashboardId: board.id, tileId };
    const { id, state } = await Alert.create(onTile, first);
    const less = { ...program, tiles: program.tiles.slice(1) };
    await resource.update(board.id, board.state, less, first);
    expect(service.stored(id)).to.equal(undefined);
    service.time.pass(600_000);
    const changes = await Alert.diff(id, state, { ...place, ...alert, savedSearch }, open("management"));
    expect(changes.filter(({ replaces }) => replaces)).to.not.deep.equal([]);
  });
});

describe("An object of ClickHouse Cloud, once settings lead to a server of the user's own", () => {
  const service = useService({ dialect: "clickhouse" });
  const open = (observabilityVia: "observability" | "management", settings: object = {}) =>
    service.open({ dialect: "clickhouse", observabilityVia, maxRetries: 0, ...settings }).session;
  /** Makes a dashboard in the cloud, of which a server of one's own knows nothing. */
  const elsewhere = async (settings: object = {}) => {
    const program = { ...place, name: "Board", tiles: [] };
    const { id, state } = await resource.create(program, open("management", settings));
    service.model.store.dashboards.delete(id);
    service.time.pass(600_000);
    return { id, state };
  };
  const remedy = (id: string) =>
    `dashboard ${id} was made in a service of ClickHouse Cloud, and the observability API does not show it; if it is still there, set observabilityVia to management, else run "pulumi state delete"`;

  for (const settings of [{}, { pageUrl: "https://console.example.com" }])
    it(`a refresh does not take it for deleted, with the settings ${JSON.stringify(settings)}`, async () => {
      const { id, state } = await elsewhere(settings);
      const read = resource.read(id, state, open("observability", settings));
      expect((await failureOf(read)).message).to.equal(remedy(id));
      expect(await resource.read(id, state, open("management", settings))).to.equal("gone");
    });

  it("a destroy does not take it for deleted", async () => {
    const { id, state } = await elsewhere();
    expect((await failureOf(resource.delete(id, state, open("observability")))).message).to.equal(remedy(id));
    await resource.delete(id, state, open("management"));
  });
});

describe("An object that is gone, and of which nothing tells that it may be on another system", () => {
  const service = useService();

  it("the target of a webhook is not taken for a page of the cloud", async () => {
    const { session } = service.open({ dialect: "clickhouse", observabilityVia: "observability" });
    const url = "https://hooks.example.com/team?chcServiceId=7c2d9b40";
    const { id, state } = await Webhook.create({ name: "team", service: "generic", url }, session);
    service.model.store.webhooks.delete(id);
    service.time.pass(600_000);
    expect(await Webhook.read(id, state, session)).to.equal("gone");
  });

  it("a service whose two APIs are its own loses an object for both", async () => {
    const open = (observabilityVia: "observability" | "management") =>
      service.open({ dialect: "neutral", observabilityVia }).session;
    const { id, state } = await resource.create({ name: "Board", tiles: [] }, open("observability"));
    service.model.store.dashboards.delete(id);
    service.time.pass(600_000);
    expect(await resource.read(id, state, open("management"))).to.equal("gone");
  });
});
