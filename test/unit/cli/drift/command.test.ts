import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { send } from "../../../serviceContents";
import { pulumiThatAnswers } from "../runHere";
import { useServiceFixture } from "../serviceFixture";

/** Sentences that no version of the provider has written: the exit code may depend on none of their words. */
const sentence = "pipestack: nobody has looked at it, for some reason";

describe("The command pipestack drift after a refresh", () => {
  if (process.platform === "win32") return;
  const fixture = useServiceFixture({ dialect: "clickhouse" });

  /** Runs `pipestack drift --json` on a state with one resource, whose refresh finds inputs and prints warnings. */
  async function drift(
    [type, id]: readonly [type: string, id: string],
    inputs: object,
    { found = {}, outputs = {}, warnings = [] as readonly string[], state = {} },
    args: readonly string[] = [],
  ) {
    const token = `pipestack:index:${type}`;
    const urn = `urn:pulumi:dev::test::${token}::orders`;
    const resource = { urn, type: token, id, custom: true, inputs, outputs, ...state };
    const metadata = {
      op: "update",
      urn,
      old: { inputs },
      new: { inputs: { ...inputs, ...found }, outputs },
    };
    const events = [
      { resOutputsEvent: { metadata } },
      ...warnings.map((text) => ({
        diagnosticEvent: { severity: "warning", message: `warning: ${text}\n` },
      })),
    ];
    const { folder } = fixture;
    await writeFile(join(folder, "events"), events.map((event) => `${JSON.stringify(event)}\n`).join(""));
    await writeFile(
      join(folder, "state"),
      JSON.stringify({ version: 3, deployment: { resources: [resource] } }),
    );
    const program = await pulumiThatAnswers(folder, {
      ...{ refresh: `cat "${folder}/events"`, stack: `cat "${folder}/state"`, config: "echo '{}'" },
    });
    const { code, stdout } = await fixture.pipestack(["drift", "--json", ...args], {}, program);
    return { code, report: stdout === "" ? undefined : JSON.parse(stdout) };
  }
  async function driftAfter(warning: string) {
    const { code, report } = await drift(["Pipe", "p 1"], { name: "orders" }, { warnings: [warning] });
    return [code, report?.uncompared.map(({ reason }: { reason: string }) => reason) ?? ""];
  }

  it("pipestack drift exits with 1 for a pipe whose service does not run, by the warning's code alone", async () => {
    expect(await driftAfter(`${sentence} [uncompared notRunning Pipe p 1]`)).to.deep.equal([
      1,
      ["notRunning"],
    ]);
  });

  it("pipestack drift exits with 1 if the codes of warnings say that it compared nothing", async () => {
    expect(await driftAfter(`${sentence} [uncompared new Pipe p 1]`)).to.deep.equal([1, ""]);
    expect(await driftAfter(`${sentence} [uncompared noRoute Pipe]`)).to.deep.equal([1, ""]);
  });

  it("pipestack drift exits with 0 after a warning that has no known code about its objects", async () => {
    for (const text of [
      `${sentence}: Pipe p 1: not compared, since its service does not run`,
      `${sentence} [uncompared notRunning Pipe p 11]`,
      `${sentence} [uncompared new Alert p 1]`,
      `${sentence} [uncompared noRoute Alert]`,
      `${sentence} [uncompared elsewhere Pipe p 1]`,
      `${sentence}: a server answered [uncompared notRunning Pipe p 1] in its reason`,
    ])
      expect(await driftAfter(text), text).to.deep.equal([0, []]);
  });

  it("pipestack drift reports an object as gone whose replacement was interrupted after the deletion", async () => {
    const given = { outputs: { status: "Paused" }, state: { pendingReplacement: true } };
    const { code, report } = await drift(["Pipe", "p 1"], { name: "orders" }, given);
    expect(code).to.equal(7);
    expect(report.drift).to.have.length(1);
    expect(report.drift[0]).to.deep.include({ name: "orders", kind: "deleted", url: null, property: null });
    expect(report.undeclared).to.deep.equal([]);
  });

  it("pipestack drift --expiring exits with 7 only for a key that ends within the days", async () => {
    const expireAt = new Date(Date.now() + 10 * 86_400_000).toISOString();
    for (const [days, names, expected] of [
      ["9", [], 0],
      ["11", ["orders"], 7],
    ] as const) {
      const inputs = { name: "reporting", expireAt };
      const args = ["--expiring", days];
      const { code, report } = await drift(["ApiKey", "k 1"], inputs, { outputs: { expireAt } }, args);
      expect([code, report.expiring.map(({ name }: { name: string }) => name)]).to.deep.equal([
        expected,
        names,
      ]);
    }
  });

  describe("pipestack drift after a change of a service's replicas", () => {
    let found: Awaited<ReturnType<typeof drift>>;

    beforeEach(async () => {
      const { serviceId } = fixture.sandbox.credentials;
      const path = `/services/${serviceId}/replicaScaling`;
      await send(fixture.sandbox, "PATCH", path, { numReplicas: 5 });
      fixture.sandbox.requests.length = 0;
      const scaling = ["ServiceScaling", serviceId] as const;
      found = await drift(scaling, { numReplicas: 3 }, { found: { numReplicas: 5 } });
    });

    it("pipestack drift exits with 7 after a change", () => {
      expect(found.code).to.equal(7);
      expect(found.report.drift).to.have.length(1);
      expect(found.report.drift[0]).to.include({ property: "numReplicas", declared: 3, found: 5 });
    });

    it("pipestack drift names who made a change", () => {
      const { lastChanges } = found.report;
      const actor = { actorType: "api", isOwn: true, activity: "service_update_autoscaling_replicas" };
      expect(lastChanges).to.have.length(1);
      expect(lastChanges[0]).to.include({ name: "orders", problem: null, ...actor });
    });

    it("pipestack drift sends no write while it looks for the author of a change", () => {
      expect(fixture.sandbox.requests.filter(({ method }) => method !== "GET")).to.deep.equal([]);
    });
  });
});
