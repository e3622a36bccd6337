import { expect } from "chai";
import { createSandbox } from "../../../sandbox/index";
import { callSummary } from "../../../toolchain/callSummary.mjs";

describe("the demo's summary of calls", () => {
  it("folds repeated reads into one line, and shows each write in its turn, without long ids", async () => {
    const sandbox = await createSandbox();
    try {
      const { organizationId, serviceId, keyId, keySecret, accessToken } = sandbox.credentials;
      const organization = `${sandbox.baseUrl}/v1/organizations/${organizationId}`;
      const dashboards = `${organization}/services/${serviceId}/stack/dashboards`;
      const basic = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`;
      const get = (url: string, authorization = basic) => fetch(url, { headers: { authorization } });
      const dashboard = { name: "Ingestion", tiles: [] };
      const create = () =>
        fetch(dashboards, {
          ...{ method: "POST", headers: { authorization: basic, "content-type": "application/json" } },
          body: JSON.stringify(dashboard),
        });
      for (const request of [get, create, get, create, get]) await request(dashboards);
      await get(`${organization}/keys/nobody`);
      const [{ id } = { id: "" }] = sandbox.store.dashboards.values();
      await get(`${sandbox.obsBaseUrl}/api/v2/dashboards/${id}`, `Bearer ${accessToken}`);

      expect(callSummary(sandbox.requests)).to.deep.equal([
        "Calls to the service: 7 (5 read, 2 write)",
        "  200  management     GET     …/stack/dashboards  3 times",
        "  200  management     POST    …/stack/dashboards",
        "  200  management     POST    …/stack/dashboards",
        "  400  management     GET     …/keys/nobody",
        `  200  observability  GET     /api/v2/dashboards/${id.slice(0, 6)}…`,
      ]);
    } finally {
      await sandbox.close();
    }
  });

  it("counts questions with a body as reads", () => {
    const call = { api: "observability", method: "POST", path: "/api/v2/charts/series", status: 200 };
    expect(callSummary([call, call])).to.deep.equal([
      "Calls to the service: 2 (2 read, 0 write)",
      "  200  observability  POST    /api/v2/charts/series  2 times",
    ]);
  });

  it("is one line without calls", () => {
    expect(callSummary([])).to.deep.equal(["Calls to the service: 0"]);
  });
});
