import { expect } from "chai";
import { createSandbox } from "../../../sandbox/index";
import { callSummary } from "../../../toolchain/callSummary.mjs";

describe("the summary of calls that the demo shows", () => {
  it("folds repeated reads into one line, and shows each write in its turn, without long ids", async () => {
    const sandbox = await createSandbox();
    try {
      const { organizationId, serviceId, keyId, keySecret, accessToken } = sandbox.credentials;
      const stack = `/v1/organizations/${organizationId}/services/${serviceId}/stack`;
      const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`;
      const send = (method: string, path: string, body?: object) =>
        fetch(sandbox.baseUrl + path, {
          method,
          headers: { authorization, "content-type": "application/json" },
          body: body && JSON.stringify(body),
        });
      const dashboard = { name: "Ingestion", tiles: [] };
      await send("GET", `${stack}/dashboards`);
      await send("POST", `${stack}/dashboards`, dashboard);
      await send("GET", `${stack}/dashboards`);
      await send("POST", `${stack}/dashboards`, dashboard);
      await send("GET", `${stack}/dashboards`);
      await send("GET", `/v1/organizations/${organizationId}/keys/nobody`);
      const [{ id } = { id: "" }] = sandbox.store.dashboards.values();
      await fetch(`${sandbox.obsBaseUrl}/api/v2/dashboards/${id}`, {
        headers: { authorization: `Bearer ${accessToken}` },
      });

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

  it("counts questions that have a body as reads", () => {
    const call = { api: "observability", method: "POST", path: "/api/v2/charts/series", status: 200 };
    expect(callSummary([call, call])).to.deep.equal([
      "Calls to the service: 2 (2 read, 0 write)",
      "  200  observability  POST    /api/v2/charts/series  2 times",
    ]);
  });

  it("says so where there were none", () => {
    expect(callSummary([])).to.deep.equal(["Calls to the service: 0"]);
  });
});
