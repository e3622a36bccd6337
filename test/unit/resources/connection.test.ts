import { expect } from "chai";
import { resources } from "../../../provider/resources/registry";
import type { Data } from "../../../provider/values/data";
import { expectNoLeaks } from "../../secrets";
import { place, refused, useServer } from "../api/server";
import type { Declared } from "../drift/fixture";
import { sessionFor } from "../lifecycle/note";
import { connectionSecrets } from "./connection.example";
import { setups, useLife } from "./life";
import { failuresOf, itKeeps, type Rule, required, scopeRules, text } from "./rules";
import { absent, validInputs } from "./validInputs";

const address = "must be an address with http or https, without a user or a password";

const rules: readonly Rule[] = [
  ...scopeRules,
  ["name", absent, required],
  ["name", "", text],
  ["host", absent, required],
  ["host", "warehouse.example.com:8443", address],
  ["host", "tcp://warehouse.example.com:9000", address],
  ["host", "https://", address],
  ["host", "https://reader:secret@warehouse.example.com", address],
  ["host", "https://warehouse.example.com/ ", address],
  ["username", absent, required],
  ["username", 7, "must be a string"],
  ["password", "", text],
  ["hyperdxSettingPrefix", "", "must be letters, digits and underscores"],
  ["hyperdxSettingPrefix", "lake-", "must be letters, digits and underscores"],
  ["isPrometheusEndpoint", "yes", "must be true or false"],
];

describe("Connection", () => {
  itKeeps("Connection", rules);

  it("may be behind any path", () => {
    const host = "https://proxy.example.com/warehouse@eu?user=reader";
    expect(failuresOf("Connection", { ...validInputs.Connection, host })).to.deep.equal([]);
  });

  it("may have no user", () => {
    expect(failuresOf("Connection", { ...validInputs.Connection, username: "" })).to.deep.equal([]);
  });

  it("is refused where the settings name the management API, which has none", () => {
    const settings = { dialect: "clickhouse", observabilityVia: "management" } as const;
    expect(failuresOf("Connection", validInputs.Connection, settings)).to.deep.equal([
      " the management API has no connections; for those of a self-hosted server, set obsBaseUrl, accessToken and observabilityVia to observability",
    ]);
    expect(failuresOf("Webhook", validInputs.Webhook, settings)).to.deep.equal([]);
  });
});

const { adoptId, organizationId, serviceId, ...whole } = validInputs.Connection as Data;
const { password, hyperdxSettingPrefix, isPrometheusEndpoint, ...plain } = whole;

for (const [title, setup] of Object.entries(setups)) {
  if (setup.apis === "management") continue;
  describe(`A connection, with ${title}`, () => {
    const life = useLife(setup);
    const session = () => life.opened().session;
    const applied = (program: Data) => life.applied("Connection", program);
    const stored = ({ id }: Declared) => life.sandbox.store.connections.get(id);

    it("is reset where the program no longer says anything, save its password, which is said", async () => {
      const declared = await applied(whole);
      const { warnings, session: later } = life.opened();
      await Object.assign(declared, { program: plain }).up(later);
      expect(life.sent("PUT")).to.deep.equal([
        { ...plain, hyperdxSettingPrefix: null, isPrometheusEndpoint: false },
      ]);
      expect(stored(declared)).to.deep.include({ ...plain, password, isPrometheusEndpoint: false });
      expect(stored(declared)).to.not.have.property("hyperdxSettingPrefix");
      expect(warnings).to.deep.equal([
        `connection ${declared.id} keeps its password, which the API cannot remove; replace the connection to remove it`,
      ]);
      expect(await declared.refresh(session())).to.deep.equal([]);
    });

    it("is what a source can name, and not held by it", async () => {
      const connection = await applied(plain);
      const source = await life.applied("Source", {
        ...{ name: "Prometheus", kind: "promql", connection: connection.id },
        from: { databaseName: "otel", tableName: "metrics" },
        timestampValueExpression: "TimeUnix",
      });
      await connection.delete(session());
      expect(await source.refresh(session())).to.deep.equal([]);
    });
  });
}

describe("The type Connection", () => {
  const server = useServer();

  it("is imported without a false that says no more than nothing", () => {
    const { declaration } = resources.Connection;
    expect(declaration?.({ ...plain, isPrometheusEndpoint: false })).to.deep.equal(plain);
    expect(declaration?.({ ...plain, isPrometheusEndpoint })).to.deep.equal({
      ...plain,
      isPrometheusEndpoint,
    });
  });

  it("says no password that a server repeats", async () => {
    const { session } = sessionFor({}, server.current.url);
    for (const name of ["createConnection", "updateConnection"] as const) {
      server.current.answer(refused(400, `cannot sign in with ${password}`));
      const error = await session.call(name, { ...place, id: "x" }, whole).catch(String);
      expect(error).to.include("cannot sign in with [hidden]");
      expectNoLeaks(connectionSecrets, { "the error": String(error) });
    }
  });
});
