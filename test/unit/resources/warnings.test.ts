import { expect } from "chai";
import {
  captureWarnings,
  freshHost,
  type ResourceType,
  withoutEnvironment,
} from "../hosts/dynamic/freshProvider";
import { startUnaskedService, type UnaskedService } from "./unaskedService";
import { type JsonObject, validInputs } from "./validInputs";

const tile = { x: 0, y: 0, w: 4, h: 4, series: [{ type: "number" }] };
const dashboardOf = (...tiles: JsonObject[]) => ({ name: "Ingestion", tiles });
const deprecated =
  "is deprecated: it is inaccurate for services with a number of replicas other than the default; use numReplicas instead";

describe("The check of a resource warns", () => {
  let restoreEnvironment: () => void;
  let service: UnaskedService;

  before(async () => {
    restoreEnvironment = withoutEnvironment();
    service = await startUnaskedService();
  });

  after(async () => {
    restoreEnvironment();
    await service.close();
  });

  async function warningsOf(type: ResourceType, ...all: object[]) {
    const warnings = captureWarnings();
    try {
      const host = freshHost(service.settings);
      for (const inputs of all) await host[type].check?.({}, inputs);
    } finally {
      warnings.restore();
    }
    expect(service.requests).to.equal(0);
    return warnings.lines.map((line) => line.replace("warning: pipestack: ", ""));
  }

  it("of each deprecated memory member", async () => {
    expect(await warningsOf("ServiceScaling", { minTotalMemoryGb: 24 })).to.deep.equal([
      `ServiceScaling: minTotalMemoryGb ${deprecated}`,
    ]);
    expect(await warningsOf("ServiceScaling", { maxTotalMemoryGb: 24 })).to.deep.equal([
      `ServiceScaling: maxTotalMemoryGb ${deprecated}`,
    ]);
  });

  it("of two tiles that overlap, by their names", async () => {
    const tiles = [
      { ...tile, name: "Errors" },
      { ...tile, name: "Rows", x: 3, y: 3 },
    ];
    expect(await warningsOf("Dashboard", dashboardOf(...tiles))).to.deep.equal([
      'Dashboard "Ingestion": the tiles "Errors" and "Rows" overlap',
    ]);
  });

  it("of every pair that overlaps", async () => {
    const tiles = ["A", "B", "C"].map((name) => ({ ...tile, name }));
    expect(await warningsOf("Dashboard", dashboardOf(...tiles))).to.have.length(3);
  });

  it("of several tiles with one name, once", async () => {
    const tiles = [0, 4, 8].map((x) => ({ ...tile, x, name: "Errors" }));
    expect(await warningsOf("Dashboard", dashboardOf(...tiles))).to.deep.equal([
      'Dashboard "Ingestion": several tiles are named "Errors"; tileIds numbers them',
    ]);
  });

  it("not of tiles that only touch", async () => {
    const places = [
      [0, 0],
      [4, 0],
      [0, 4],
      [4, 4],
    ];
    const tiles = places.map(([x = 0, y = 0], index) => ({ ...tile, name: `tile ${index}`, x, y }));
    expect(await warningsOf("Dashboard", dashboardOf(...tiles))).to.deep.equal([]);
  });

  it("not of objects without anything odd", async () => {
    const { minTotalMemoryGb, maxTotalMemoryGb, ...scaling } = validInputs.ServiceScaling;
    expect(await warningsOf("ServiceScaling", scaling)).to.deep.equal([]);
    expect(await warningsOf("ApiKey", validInputs.ApiKey)).to.deep.equal([]);
    expect(await warningsOf("QueryEndpoint", validInputs.QueryEndpoint)).to.deep.equal([]);
    expect(await warningsOf("Alert", validInputs.Alert)).to.deep.equal([]);
    expect(await warningsOf("Dashboard", validInputs.Dashboard)).to.deep.equal([]);
  });

  it("not of objects that are refused anyway", async () => {
    expect(await warningsOf("ServiceScaling", { minTotalMemoryGb: 24, numReplicas: 0 })).to.deep.equal([]);
  });

  it("once of what many resources have in common", async () => {
    const scaling = { minTotalMemoryGb: 24 };
    expect(await warningsOf("ServiceScaling", scaling, scaling, scaling)).to.have.length(1);
  });
});
