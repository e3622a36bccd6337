import { expect } from "chai";
import { builtPipestack, settingVariables } from "../pipestackCommand";
import { send } from "../serviceContents";
import { useFixture } from "./fixture";

const program = `
new ServiceScaling("scaling", { numReplicas: 3 });
new ApiKey("reporting", { name: "reporting", roles: ["query_endpoints"] });
new Dashboard("board", { name: "Board", tiles: [] });
`;

describe("The people and keys that pipestack drift names", () => {
  const fixture = useFixture({ sandbox: { dialect: "clickhouse" } });
  const drift = (...args: string[]) =>
    builtPipestack(["drift", ...args], fixture.folder, fixture.environment);
  const keyNamed = (name: string) =>
    [...fixture.sandbox.store.keys.values()].find((key) => key.name === name)?.id;

  before(async () => {
    // The provider's own rate limit is lifted, since it would only slow down the test.
    const settings = { dialect: "clickhouse", requestsPerSecond: "1000" };
    Object.assign(fixture.environment, settingVariables(settings));
    await fixture.apply(program);
    const { sandbox } = fixture;
    const other = { name: "maintenance", roles: ["admin"] };
    const pair = await send<{ keyId: string; keySecret: string }>(sandbox, "POST", "/keys", other);
    const { baseUrl, credentials } = sandbox;
    const somebody = { baseUrl, credentials: { ...credentials, ...pair } };
    const service = `/services/${credentials.serviceId}`;
    await send(somebody, "PATCH", `${service}/replicaScaling`, { numReplicas: 5 });
    await send(somebody, "PATCH", `/keys/${keyNamed("reporting")}`, { name: "renamed" });
    for (const board of sandbox.store.dashboards.values()) board.name = "Other";
  });

  it("pipestack drift names who changed a service and an API key, and when, with one request", async () => {
    const from = fixture.sandbox.requests.length;
    const { code, stdout, stderr } = await drift();
    expect([code, stderr]).to.deep.equal([7, ""]);
    const rows = stdout.split("\n").map((line) => line.split(/ {2,}/));
    const moments = [...fixture.sandbox.store.activities.values()].map(({ createdAt }) => createdAt);
    const [scaledAt, renamedAt] = moments.slice(-2);
    expect(rows).to.deep.include.members([
      ["RESOURCE", "CHANGED BY", "AT", "CHANGE"],
      ["ServiceScaling scaling", "api maintenance", scaledAt, "service_update_autoscaling_replicas"],
      ["ApiKey reporting", "api maintenance", renamedAt, "name-changed"],
    ]);
    const asked = fixture.sandbox.requests.slice(from).map(({ operation }) => operation);
    expect(asked.filter((operation) => operation === "listActivities")).to.have.length(1);
  });

  it("pipestack drift --json and --markdown also name who made changes", async () => {
    const { lastChanges } = JSON.parse((await drift("--json")).stdout);
    const members = { actorType: "api", actor: "maintenance", isOwn: false, problem: null };
    expect(lastChanges).to.have.length(2);
    for (const change of lastChanges) expect(change).to.include(members);
    const { stdout } = await drift("--markdown");
    expect(stdout).to.include("| <code>ApiKey reporting</code> | <code>api maintenance</code> | <code>20");
  });

  it("pipestack drift says in one line that its API key may not read who made changes", async () => {
    await fixture.sandbox.faults.set([{ kind: "403", operation: "listActivities" }]);
    const { code, stdout } = await drift();
    await fixture.sandbox.faults.clear();
    expect(code).to.equal(7);
    expect(stdout)
      .to.match(/^Dashboard board +name +"Board" +"Other"$/m)
      .and.not.include("CHANGED BY");
    const said = stdout.split("\n").filter((line) => line.startsWith("Who changed this is not known: "));
    expect(said).to.have.length(1);
    expect(said[0]).to.include("needs the permission control-plane:organization:view-activities");
  });

  it("pipestack drift marks changes made by the API key that deploys the stack", async () => {
    await fixture.apply(program, { args: ["--refresh"] });
    const { sandbox } = fixture;
    await send(sandbox, "PATCH", `/keys/${keyNamed("reporting")}`, { name: "renamed" });
    const { stdout } = await drift();
    expect(stdout).to.match(/^ApiKey reporting +the key that deploys this stack +\S+Z +name-changed$/m);
    expect(stdout).to.not.include("maintenance");
  });
});
