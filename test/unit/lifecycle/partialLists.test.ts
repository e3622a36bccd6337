import { expect } from "chai";
import { Declared } from "../drift/fixture";
import { alert, dashboard, tile, useService } from "./scriptedService";

const management = { dialect: "clickhouse", observabilityVia: "management" } as const;

describe("Lists that omit a property of their objects", () => {
  const service = useService({ dialect: "clickhouse" });
  const { open, stored } = service;
  const program = { ...alert, savedSearch: "65f1c0a2b3d4e5f607182931", message: "many" };
  let declared: Declared;
  const refreshed = () => declared.refresh(open(management).session);

  beforeEach(async () => {
    declared = new Declared("Alert", program);
    await declared.up(open(management).session);
    service.rewrite(/^listAlerts$/, /"(message|note)":("[^"]*"|null),/g, "");
    service.requests = [];
  });

  it("a refresh reads an object by its id if the list omits a property of it, and then finds no drift", async () => {
    expect(await refreshed()).to.deep.equal([]);
    expect(service.requests).to.deep.equal(["listAlerts", "getAlert"]);
  });

  it("a refresh does not read an object by its id if the list already shows that a property has changed", async () => {
    service.rewrite(/^listAlerts$/, /"message":"many"/, '"message":"by hand"');
    expect(await refreshed()).to.deep.equal(["message"]);
    expect(service.requests).to.deep.equal(["listAlerts"]);
  });

  it("a refresh reports drift of a property that only the read of the object by its id shows", async () => {
    for (const message of ["by hand", null]) {
      Object.assign(stored(declared.id), { message, threshold: 99 });
      expect(await refreshed()).to.deep.equal(["message", "threshold"]);
    }
  });

  for (const [what, changed] of [
    ["that the program declares", {}],
    ["that the state alone knows", { message: undefined }],
  ] as const)
    it(`an update keeps an object's undeclared properties although the API's list omits a property ${what}`, async () => {
      service.gateway = undefined;
      const own = declared.changedTo({ ...program, ...changed });
      Object.assign(stored(declared.id), { note: "by hand" });
      await own.up(open(management).session);
      await own.refresh(open(management).session);
      service.rewrite(/^listAlerts$/, /"(message|note)":("[^"]*"|null),/g, "");
      Object.assign(stored(declared.id), { note: "by hand, later" });
      const { session, warnings } = open(management);
      await own.changedTo({ ...own.program, threshold: 9 }).up(session);
      expect(stored(declared.id)).to.include({ threshold: 9, note: "by hand, later" });
      expect(warnings).to.deep.equal([]);
    });
});

describe("Lists that show a tile under its former id", () => {
  const service = useService();

  it("a tile keeps its new id even if the list shows the tile under its former one", async () => {
    const program = { ...dashboard, tiles: [tile, { ...tile, name: "Events", x: 6 }] };
    const declared = new Declared("Dashboard", program);
    await declared.up(service.open().session);
    const { tileIds } = declared.state as { tileIds: { Errors: string } };
    service.rewrite(/^listDashboards$/, new RegExp(tileIds.Errors), "aaaaaaaaaaaaaaaaaaaaaaaa");
    expect(await declared.refresh(service.open().session)).to.deep.equal([]);
    expect(declared.state.tileIds).to.deep.equal(tileIds);
    const later = declared.changedTo({ ...program, name: "Other" });
    await later.up(service.open().session);
    expect(later.state.tileIds).to.deep.equal(tileIds);
  });
});
