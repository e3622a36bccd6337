import { expect } from "chai";
import { declarationOf } from "../../../provider/lifecycle/read";
import { isLike } from "../../../provider/lifecycle/way";
import { resources } from "../../../provider/resources/registry";
import type { Data } from "../../../provider/values/data";
import { setups, useLife } from "./life";
import { failuresOf, itKeeps, onManagement, type Rule } from "./rules";
import { absent, validInputs } from "./validInputs";

const address = "host must be an address with http or https, without a user or a password";
const refusedHosts = [
  ...["warehouse.example.com:8443", "tcp://warehouse.example.com:9000", "https://"],
  ...["https://reader:secret@warehouse.example.com", "https://warehouse.example.com/ "],
];

const rules: readonly Rule[] = [
  ...refusedHosts.map((host): Rule => [{ host }, address]),
  [{ host: "https://proxy.example.com/warehouse@eu?user=reader" }, []],
  [{ username: "" }, []],
  [{ name: absent }, "name is required"],
  [{ hyperdxSettingPrefix: "lake-" }, "hyperdxSettingPrefix must be letters, digits and underscores"],
];

describe("The check of a connection", () => {
  itKeeps({ type: "Connection" }, rules);

  it("refuses every connection if the settings name the management API, which has none", () => {
    expect(failuresOf("Connection", validInputs.Connection, onManagement)).to.deep.equal([
      " the management API has no connections; for those of a self-hosted server, set obsBaseUrl, accessToken and observabilityVia to observability",
    ]);
    expect(failuresOf("Webhook", validInputs.Webhook, onManagement)).to.deep.equal([]);
  });
});

describe("Connections of a self-hosted server", () => {
  const life = useLife(setups["an observability server alone"]);
  const plain = { name: "Lake", host: "https://lake.example.com:8443", username: "reader" };

  it("deletes a connection although a source names it, and keeps the source", async () => {
    const connection = await life.applied("Connection", plain);
    const source = await life.applied("Source", {
      ...{ name: "Prometheus", kind: "promql", connection: connection.id },
      from: { databaseName: "otel", tableName: "metrics" },
      timestampValueExpression: "TimeUnix",
    });
    await connection.delete(life.opened().session);
    expect(await source.refresh(life.opened().session)).to.deep.equal([]);
  });

  it("imports a connection without a false that equals an omitted member", () => {
    const declared = (found: Data) => declarationOf(resources.Connection, found);
    expect(declared({ ...plain, isPrometheusEndpoint: false })).to.deep.equal(plain);
    const withFlag = { ...plain, isPrometheusEndpoint: true };
    expect(declared(withFlag)).to.deep.equal(withFlag);
  });

  it("a lost create takes a connection only if it is for PromQL as declared", () => {
    const mayBe = (flag: object) =>
      isLike(resources.Connection, { ...plain, isPrometheusEndpoint: false }, { ...plain, ...flag });
    expect([mayBe({}), mayBe({ isPrometheusEndpoint: true })]).to.deep.equal([true, false]);
  });
});
