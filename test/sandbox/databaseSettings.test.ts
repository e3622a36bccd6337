import { expect } from "chai";
import { judge } from "../productJudge";
import { useSandbox } from "./requests";

const at = (path = "") => `/clickhouseSettings${path}`;

describe("Database settings of a service in the sandbox", () => {
  const client = useSandbox({ dialect: "clickhouse" });
  const patch = (settings: object) => client.service("PATCH", at(), { settings });
  const list = async () => (await client.service("GET", at())).payload;
  const pass = (seconds: number) => client.sandbox.pass(seconds * 1000);

  it("a change of database settings is visible after a second, and the list shows integers as text", async () => {
    expect(await list()).to.deep.equal({ settings: [] });
    const { status, payload } = await patch({ max_concurrent_queries: 500, session_timezone: "UTC" });
    expect(status).to.equal(200);
    expect(judge.answerFailure("management", "updateServiceSettings", payload)).to.equal(undefined);
    expect(payload.warnings).to.deep.equal([]);
    expect(await list()).to.deep.equal({ settings: [] });
    expect((await client.service("GET", at("/max_concurrent_queries"))).status).to.equal(404);
    pass(1);
    expect(await list()).to.deep.equal({
      settings: [
        { name: "max_concurrent_queries", value: "500" },
        { name: "session_timezone", value: "UTC" },
      ],
    });
    const one = await client.service("GET", at("/max_concurrent_queries"));
    expect(one.payload).to.deep.equal({ name: "max_concurrent_queries", value: 500 });
    await patch({ session_timezone: "Asia/Tokyo" });
    pass(1);
    expect((await list()).settings).to.have.length(2);
  });

  it("DELETE unsets one database setting, and succeeds even if it is not set", async () => {
    await patch({ async_insert: 1, allow_simdjson: "0" });
    pass(1);
    expect((await client.service("DELETE", at("/async_insert"))).status).to.equal(200);
    expect((await list()).settings).to.have.length(2);
    pass(1);
    expect(await list()).to.deep.equal({ settings: [{ name: "allow_simdjson", value: "0" }] });
    expect((await client.service("DELETE", at("/async_insert"))).status).to.equal(200);
  });

  it("a change of a database setting returns the warning that the schema of the settings has for it", async () => {
    const { payload } = await patch({ "server.max_table_size_to_drop": "5" });
    expect(payload.warnings).to.deep.equal([
      { name: "server.max_table_size_to_drop", message: "A change restarts the replicas." },
    ]);
    const { payload: schema } = await client.service("GET", at("/schema"));
    expect(judge.answerFailure("management", "getServiceSettingsSchema", schema)).to.equal(undefined);
    expect(schema.settings).to.have.length(5);
    expect(schema.settings[1]).to.deep.include({ name: "async_insert", type: "Bool", enum: [0, 1] });
  });

  it("the sandbox refuses unknown database settings, values of another type, and an empty change", async () => {
    for (const settings of [{ max_memory: 1 }, { async_insert: 2 }, { max_concurrent_queries: "many" }, {}])
      expect((await patch(settings)).status, JSON.stringify(settings)).to.equal(400);
    expect((await patch({ max_memory: 1, async_insert: 1 })).reason).to.match(
      /settings\.max_memory: unknown/,
    );
    pass(1);
    expect(await list()).to.deep.equal({ settings: [] });
  });
});
