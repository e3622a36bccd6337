import { expect } from "chai";
import { bodies, calls, forget, useFixture } from "../fixture";

const documented = [
  /^PATCH \/scaling$/,
  /^POST \/keys$/,
  /^POST \/serviceQueryEndpoint$/,
  /^(GET|POST) \/stack\/dashboards$/,
  /^POST \/stack\/alerts$/,
  /^PUT \/api\/v2\/(alerts|dashboards)\/\{id\}$/,
];

const program = (threshold: number, title: string, role: string, webhookId: string) => `
new ServiceScaling("scaling", { numReplicas: 4 });
const key = new ApiKey("key", { name: "reporting", roles: ["${role}"] });
new QueryEndpoint("endpoint", { roles: ["sql_console_admin"], openApiKeys: [key.id] });
new Dashboard("dashboard", { name: "${title}", tiles: [] });
for (const name of ["first", "second"]) new Alert(name, {
  name, threshold: ${threshold}, interval: "5m", thresholdType: "above", source: "search",
  channel: { type: "webhook", webhookId: "${webhookId}" },
});
`;

describe("with operations: documented", () => {
  const fixture = useFixture();
  let webhookId: string;

  before(async () => {
    fixture.environment.PIPESTACK_OPERATIONS = "documented";
    webhookId = [...fixture.sandbox.store.webhooks.keys()][0] ?? "";
    await fixture.apply(program(1, "One", "developer", webhookId));
  });
  afterEach("nothing but documented operations is called", () => {
    for (const line of calls(fixture.sandbox)) {
      expect(
        documented.some((allowed) => allowed.test(line)),
        line,
      ).to.equal(true);
    }
  });

  it("refresh sees the dashboard through its list, and says once per type what it cannot see", async () => {
    forget(fixture.sandbox);
    const id = (await fixture.resource("dashboard")).id ?? "";
    Object.assign(fixture.sandbox.store.dashboards.get(id) ?? {}, { name: "Changed" });
    const { output } = await fixture.preview({ args: ["--refresh", "--diff"] });
    expect(calls(fixture.sandbox)).to.deep.equal(["GET /stack/dashboards"]);
    expect(output).to.match(/name *: "Changed" => "One"/);
    for (const type of ["ServiceScaling", "ApiKey", "QueryEndpoint", "Alert"]) {
      const said = output.split("\n").filter((line) => line.includes(`${type}: drift cannot be detected`));
      expect(said, type).to.have.length(1);
    }
  });

  it("a changed key is replaced, since it cannot be updated; everything else is updated in place", async () => {
    forget(fixture.sandbox);
    const old = (await fixture.resource("key")).id;
    const { output } = await fixture.apply(program(2, "Two", "admin", webhookId));
    expect((await fixture.resource("key")).id).to.not.equal(old);
    expect(output).to.include(`API key ${old} stays in the service`);
    expect(calls(fixture.sandbox).filter((line) => line.startsWith("PUT"))).to.have.length(3);
    expect(bodies(fixture.sandbox, "POST /keys")).to.deep.equal([{ name: "reporting", roles: ["admin"] }]);
  });

  it("destroy names the key that cannot be revoked, and says why", async () => {
    const key = (await fixture.resource("key")).id;
    const { output } = await fixture.destroy();
    expect(output).to.include(`API key ${key} stays in the service`);
    const shown = output.slice(output.indexOf("Diagnostics:"));
    for (const noun of ["API key", "alert", "dashboard"]) {
      expect(
        shown.split(`${noun}s are not deleted, since that needs an undocumented operation`),
      ).to.have.length(2);
    }
  });
});
