import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import * as manifest from "../../../package.json";
import * as pipestack from "../../../provider/index";
import { isSingleton } from "../../../provider/lifecycle/definition";
import { resources, type TypeName, typeNames } from "../../../provider/resources/registry";
import * as testing from "../../../provider/testing";
import { classes } from "../hosts/dynamic/classes";
import { withoutEnvironment } from "../hosts/dynamic/hostProcess";
import { hashData } from "../resources/apiKey.example";
import { examples } from "../resources/examples";
import { validInputs } from "../resources/validInputs";

const serviceId = "7b0f0f0e-27a2-4f0c-9f43-9c1d6a0a3c11";
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const objectId = /^[0-9a-f]{24}$/;

describe("The mocks of pipestack/testing", () => {
  let restoreEnvironment: () => void;
  before(() => {
    restoreEnvironment = withoutEnvironment();
  });
  beforeEach(() => pulumi.runtime.setMocks(testing.mocks()));
  after(() => {
    pulumi.runtime.resetOptions("", "", -1, "", "", false, "");
    restoreEnvironment();
  });

  const value = <Value>(output: pulumi.Output<Value>) =>
    new Promise<Value>((resolve) => {
      output.apply((known) => resolve(known as Value));
    });
  const tile = { x: 0, y: 0, w: 6, h: 4, config: { displayType: "markdown", markdown: "text" } } as const;
  const dashboard = (name: string, ...tiles: string[]) =>
    new pipestack.Dashboard(name, { name, tiles: tiles.map((title) => ({ ...tile, name: title })) });

  it("pipestack/testing is an entry point of the package, and exports only mocks", () => {
    expect(Object.keys(testing)).to.deep.equal(["mocks"]);
    expect(manifest.exports["./testing"]).to.deep.equal({
      types: "./dist/provider/testing.d.ts",
      default: "./dist/provider/testing.js",
    });
  });

  it("pipestack/testing has types for programs with the moduleResolution node", () => {
    expect(manifest.typesVersions["*"].testing).to.deep.equal([manifest.exports["./testing"].types]);
  });

  it("the mocks give each tile an id by its name, also tiles with a repeated name", async () => {
    const { tileIds } = dashboard("Ingestion", "Errors", "Rows", "Errors");
    const ids = await value(tileIds);
    expect(Object.keys(ids)).to.have.members(["Errors", "Rows", "Errors (2)"]);
    for (const id of Object.values(ids)) expect(id).to.match(objectId);
    expect(new Set(Object.values(ids)).size).to.equal(3);
    const errors = tileIds.Errors;
    expect(errors && (await value(errors))).to.equal(ids.Errors);
    expect(await value(dashboard("Other", "Errors").tileIds)).to.not.deep.include({ Errors: ids.Errors });
  });

  it("the mocks give an Slo the table of its source, and the ids of its dashboard and alerts", async () => {
    const channel = { type: "webhook", webhookId: "66f0c2d8a1b2c3d4e5f60718" } as const;
    const own = { objective: 99.9, sourceId: "66f0c2d8a1b2c3d4e5f60731", good: "ok" };
    const slo = new pipestack.Slo("checkout", { ...own, page: { channel }, ticket: { enabled: false } });
    expect(await value(slo.dashboardId)).to.match(objectId);
    expect(await value(slo.alertIds)).to.have.keys("1h", "6h");
  });

  const flowing = () =>
    new pipestack.Dashboard("Flowing", {
      tiles: ["A", "B"].map((name) => ({
        name,
        config: { displayType: "markdown", markdown: name } as const,
      })),
      name: "Flowing",
    });

  it("the mocks give an alert the id of the tile that it names", async () => {
    const made = flowing();
    const { source, dashboardId, tileId } = made.tile("B");
    expect([source, await value(dashboardId), await value(tileId)]).to.deep.equal([
      "tile",
      await value(made.id),
      (await value(made.tileIds)).B,
    ]);
  });

  it("the mocks give positions to tiles that declare none", async () => {
    expect((await value(flowing().tiles)).map(({ x, y, w, h }) => [x, y, w, h])).to.deep.equal([
      [0, 0, 12, 8],
      [12, 0, 12, 8],
    ]);
  });

  it("the mocks give an alert on a tile the ids of its dashboard and tile", async () => {
    const { id, tileIds } = dashboard("Service", "Errors");
    const tileId = tileIds.Errors as pulumi.Output<string>;
    const channel = { type: "webhook", webhookId: "66f0c2d8a1b2c3d4e5f60718" } as const;
    const condition = { threshold: 100, thresholdType: "above", interval: "5m" } as const;
    const alert = new pipestack.Alert("errors", {
      source: "tile",
      dashboardId: id,
      tileId,
      channel,
      ...condition,
    });
    expect(await value(alert.dashboardId)).to.equal(await value(id));
    expect(await value(alert.tileId)).to.equal((await value(tileIds)).Errors);
  });

  it("the mocks give each resource an id of the form that its type has", async () => {
    const formOf = (type: TypeName) => {
      if (type === "Udf") return RegExp(`^${validInputs.Udf.functionName}$`);
      const named = resources[type].idIn?.({ ...validInputs[type], serviceId });
      if (named !== undefined) return RegExp(named);
      if (isSingleton(resources[type])) return RegExp(serviceId);
      return uuid.test(examples[type].creatable?.id ?? "") ? uuid : objectId;
    };
    for (const type of typeNames) {
      const { id } = new classes[type]("declared", { ...validInputs[type], serviceId } as never);
      expect(await value(id), type).to.match(formOf(type));
    }
    expect(await value(dashboard("Again").id)).to.equal(await value(dashboard("Again").id));
  });

  it("the mocks give an AlertSet the ids of its entries by key", async () => {
    const { ids } = new pipestack.AlertSet("search", { alerts: { errors: validInputs.Alert as never } });
    expect((await value(ids)).errors).to.match(objectId);
  });

  it("the mocks give an API key a key pair with a secret output, and none if the program declares hashes", async () => {
    const { keyId, keySecret } = new pipestack.ApiKey("reporting", { roles: ["query_endpoints"] });
    expect(await value(keyId as pulumi.Output<string>)).to.match(/^\w{20}$/);
    expect(await value(keySecret as pulumi.Output<string>)).to.match(/^\w{40}$/);
    expect(await pulumi.isSecret(keySecret)).to.equal(true);
    const hashed = new pipestack.ApiKey("hashed", { roles: ["admin"], hashData });
    expect(await value(hashed.keySecret)).to.equal(undefined);
  });

  it("the mocks give a service an id, endpoints, and a secret password unless the program declares one", async () => {
    const args = { provider: "aws", region: "eu-west-1", ipAccessList: [] } as const;
    const { id, endpoints, generatedPassword } = new pipestack.Service("lake", args);
    expect(await value(id)).to.match(uuid);
    expect((await value(endpoints as pulumi.Output<{ host: string }[]>))[0]?.host).to.match(/eu-west-1\.aws/);
    expect(await pulumi.isSecret(generatedPassword)).to.equal(true);
    const own = new pipestack.Service("pond", { ...args, password: "a secret" });
    expect(await value(own.generatedPassword)).to.equal(undefined);
    expect(await pulumi.isSecret(own.password)).to.equal(true);
  });

  it("the mocks create an object under the id that the program adopts", async () => {
    const { id } = pipestack.Alert.get("existing", "66f0c2d8a1b2c3d4e5f60718");
    expect(await value(id)).to.equal("66f0c2d8a1b2c3d4e5f60718");
  });

  it("the mocks answer functions that find an object by name", async () => {
    const source = await pipestack.getSource({ name: "Logs" });
    expect(source).to.include({ name: "Logs" });
    expect(source.id).to.match(objectId);
  });

  it("the mocks fail for a function that neither they nor the test can answer", async () => {
    const failure = await pipestack.getPipes().catch(({ message }: Error) => message);
    expect(failure).to.include("getPipes has no mock: answer it in mocks({ call })");
  });

  it("the mocks fill in whatever a test's own answers leave out", async () => {
    const { mocks } = testing;
    pulumi.runtime.setMocks(
      mocks({
        newResource: ({ type }) =>
          type.endsWith(":Dashboard") ? { id: "its own", state: { tags: ["mine"] } } : undefined,
        call: ({ token }) => (token === "pipestack:index:getPipes" ? { pipes: [] } : undefined),
      }),
    );
    const { id, tags, tileIds } = dashboard("Own", "Errors");
    expect(await value(id)).to.equal("its own");
    expect(await value(tags as pulumi.Output<string[]>)).to.deep.equal(["mine"]);
    expect(await value(tileIds)).to.have.all.keys("Errors");
    expect(await pipestack.getPipes()).to.deep.equal([]);
    expect((await pipestack.getWebhook({ name: "on call" })).id).to.match(objectId);
  });

  const inputs = { name: "Ingestion", tiles: [{ name: "Errors" }] };
  const args = { name: "one", inputs, custom: true };

  it("the mocks complete resources of the plugin's SDKs with ids and outputs", async () => {
    const { newResource } = testing.mocks();
    const ofPlugin = await newResource({ ...args, type: "pipestack:index:Dashboard" });
    expect(ofPlugin).to.deep.equal(
      await newResource({ ...args, type: "pulumi-nodejs:dynamic/pipestack:Dashboard" }),
    );
    expect(ofPlugin.state.tileIds).to.have.all.keys("Errors");
  });

  it("the mocks change no resource of other packages", async () => {
    const { newResource } = testing.mocks();
    const other = await newResource({ ...args, type: "random:index/randomId:RandomId" });
    expect(other).to.deep.equal({ id: "one-id", state: inputs });
  });
});
