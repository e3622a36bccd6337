import { readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import ts from "typescript";
import { builtPipestack } from "../pipestackCommand";
import { useFixture } from "./fixture";

/**
 * A dynamic provider as a user may have written it by hand: without check and read, and with credentials from the
 * environment.
 */
const handwritten = `
async function call(method, path, body) {
  const { PIPESTACK_BASE_URL, PIPESTACK_ORGANIZATION_ID, PIPESTACK_KEY_ID, PIPESTACK_KEY_SECRET } = process.env;
  const key = Buffer.from(PIPESTACK_KEY_ID + ":" + PIPESTACK_KEY_SECRET).toString("base64");
  const headers = { authorization: "Basic " + key, "content-type": "application/json" };
  const url = PIPESTACK_BASE_URL + "/v1/organizations/" + PIPESTACK_ORGANIZATION_ID + path;
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text === "" ? {} : JSON.parse(text).result;
}
const onStack = (noun) => "/services/" + process.env.PIPESTACK_SERVICE_ID + "/stack/" + noun;
const providerOf = (collection) => ({
  async diff(_id, olds, news) {
    return { changes: Object.keys(news).some((name) => JSON.stringify(olds[name]) !== JSON.stringify(news[name])) };
  },
  async create({ __provider, ...inputs }) {
    const answer = await call("POST", collection(), inputs);
    const made = answer.key ?? answer;
    return { id: made.id, outs: { ...inputs, tiles: made.tiles ?? null, keySecret: answer.keySecret ?? null } };
  },
  async delete(id) {
    await call("DELETE", collection() + "/" + id);
  },
});
const classOf = (type, collection) => class extends pulumi.dynamic.Resource {
  constructor(name, args, opts) {
    super(providerOf(collection), name, { keySecret: undefined, tiles: undefined, ...args }, opts, "handwritten", type);
  }
};
const former = {
  Dashboard: classOf("Dashboard", () => onStack("dashboards")),
  Alert: classOf("Alert", () => onStack("alerts")),
  ApiKey: classOf("ApiKey", () => "/keys"),
};
`;

/** The arguments that the resources of the handwritten dynamic provider and of pipestack share. */
const shared = (webhookId: string) => `
const tile = { name: "Errors", x: 0, y: 0, w: 12, h: 4, series: [{ type: "time", aggFn: "count", groupBy: ["host"] }] };
const ingestion = { name: "Ingestion", tiles: [tile] };
const errors = {
  name: "Errors", source: "tile", threshold: 5, thresholdType: "above", interval: "5m",
  channel: { type: "webhook", webhookId: "${webhookId}" },
};
const reporting = { name: "reporting", roles: ["query_endpoints"] };
`;

const formerResources = (options: string) => `${handwritten}
const formerDashboard = new former.Dashboard("ingestion", ingestion, ${options});
const formerAlert = new former.Alert("errors", {
  ...errors, dashboardId: formerDashboard.id, tileId: formerDashboard.tiles[0].id,
}, ${options});
const formerKey = new former.ApiKey("reporting", reporting, ${options});
`;

const newResources = (adopt: (variable: string) => string) => `
const dashboard = new Dashboard("ingestion", { ...ingestion${adopt("formerDashboard")} });
new Alert("errors", {
  ...errors${adopt("formerAlert")}, dashboardId: dashboard.id, tileId: dashboard.tileIds.Errors,
});
new ApiKey("reporting", { ...reporting${adopt("formerKey")} });
`;

describe("A stack of a handwritten dynamic provider", () => {
  const fixture = useFixture({ host: "dynamic" });
  let values: string;

  const ids = () => {
    const { dashboards, alerts, keys } = fixture.sandbox.store;
    return [...dashboards.keys(), ...alerts.keys(), ...keys.keys()];
  };
  const writes = () => fixture.sandbox.requests.filter(({ method }) => method !== "GET");

  beforeEach(async () => {
    await fixture.sandbox.reset();
    const [webhookId = ""] = fixture.sandbox.store.webhooks.keys();
    values = shared(webhookId);
    await fixture.apply(values + formerResources("{}"));
    fixture.sandbox.requests.length = 0;
  });

  it("two updates move objects from a handwritten dynamic provider to pipestack without a write", async () => {
    const before = ids();
    const adopt = (variable: string) => `, adoptId: ${variable}.id`;
    const both = formerResources("{ retainOnDelete: true }") + newResources(adopt);
    expect((await fixture.apply(values + both)).summary).to.include({ create: 3 });
    const { summary } = await fixture.apply(values + newResources(() => ""));
    expect(summary).to.include({ same: 3 });
    expect(await fixture.stateFile()).to.not.include("handwritten");
    await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
    expect(writes()).to.deep.equal([]);
    expect(ids()).to.deep.equal(before);
    await fixture.destroy();
  });

  it("objects of a handwritten provider can be imported once the state has forgotten them", async () => {
    const before = ids();
    const args = ["import", "--only", "Dashboard,Alert,ApiKey"];
    const { code, stderr } = await builtPipestack(args, fixture.folder, fixture.environment);
    expect(code, stderr).to.equal(0);
    const { deployment } = await fixture.exportState();
    const urns = (deployment.resources ?? []).filter(({ type }) => /handwritten/.test(type)).reverse();
    expect(urns).to.have.length(3);
    for (const { urn } of urns) await fixture.run(["state", "delete", urn, "--yes"]);
    const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
    const program = await readFile(join(fixture.folder, "index.ts"), "utf8");
    await rename(join(fixture.folder, "index.ts"), join(fixture.folder, "imported.ts"));
    await fixture.write(ts.transpileModule(program, { compilerOptions }).outputText);
    const options = ["--generate-code=false", "--protect=false", "--yes"];
    await fixture.run(["import", "--file", "import.json", ...options]);
    const { summary } = await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
    expect(summary).to.deep.equal({ same: 3 });
    expect(writes()).to.deep.equal([]);
    expect(ids()).to.deep.equal(before);
  });
});
