import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import type { Fault } from "../../sandbox/index";
import { type Fixture, useFixture } from "./fixture";
import { hostUnlessTold } from "./pluginHost";
import type { RunOptions } from "./workspace";

/** A program with five resources that do not depend on each other. Another value of `version` changes each of them in place. */
const program = (version: number) => `
const channel = { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182921" };
new ServiceScaling("scaling", { numReplicas: ${3 + version}, onDestroy: "restore" });
new ApiKey("key", { name: "reporting", roles: [${version === 1 ? '"developer"' : '"admin"'}] });
new QueryEndpoint("endpoint", {
  roles: ["sql_console_admin"],
  openApiKeys: ["c6a1e9d4-2b57-4f38-8d60-7e91b3a5f204"],
  allowedOrigins: "https://v${version}.example.com",
});
new Dashboard("board", {
  name: "Board ${version}",
  tiles: [{ name: "Rows", x: 0, y: 0, w: 6, h: 4, series: [{ type: "number", aggFn: "count", where: "" }] }],
});
new Alert("alert", {
  name: "Slow", source: "search", threshold: ${version}, thresholdType: "above", interval: "5m", channel,
});
`;

/**
 * Runs a command of the CLI during which the sandbox injects faults, and returns its output. Fails unless the exit code is the
 * expected one.
 */
async function during(
  { sandbox }: Fixture,
  faults: readonly Fault[],
  command: () => Promise<{ output: string }>,
): Promise<string> {
  sandbox.requests.length = 0;
  await sandbox.faults.set([...faults]);
  const { output } = await command();
  // A fault that the sandbox never injected would make the test prove nothing, so the test checks that it was injected.
  const idle = sandbox.faults.list().filter(({ injected }) => injected === 0);
  expect(idle).to.deep.equal([]);
  await sandbox.faults.clear();
  return output;
}

const failing: RunOptions = { expect: "failure", args: ["--continue-on-error"] };

describe("Pulumi commands on a stack while requests fail", () => {
  const fixture = useFixture({ host: hostUnlessTold("plugin"), judged: true });

  before(() => {
    fixture.environment.PIPESTACK_MAX_RETRIES = "1";
  });

  async function settle(): Promise<void> {
    await fixture.up({ settles: true });
    await fixture.preview({ args: ["--refresh", "--expect-no-changes"], settles: true });
  }

  it("an update whose configured address has no server fails, and says to check the address and the network", async () => {
    const applied = () => fixture.apply(program(1), failing);
    expect(await during(fixture, [{ kind: "refused", operation: "*" }], applied)).to.match(
      /cannot be reached \(ECONNREFUSED\); check the address and the network/,
    );
  });

  it("after creates of five resources failed, each with another fault, the next update completes the stack", async () => {
    const output = await during(
      fixture,
      [
        { kind: "500", when: "after", operation: "createDashboard" },
        { kind: "empty-object", operation: "createAlert" },
        { kind: "reset", when: "after", operation: "createKey", nth: 1 },
        { kind: "502", operation: "putQueryEndpoint" },
        { kind: "cut-short", operation: "updateScaling" },
      ],
      () => fixture.up(failing),
    );
    expect(output)
      .to.match(/Bad Gateway \(putQueryEndpoint: POST .* answered 502\)/)
      .and.match(/since its keySecret is lost: /);
    await settle();
  });

  it("a refresh that gets 401 or a gateway's 404 keeps the state", async () => {
    const cells: [string, Fault[], 0 | "failure", RegExp][] = [
      [
        "alert",
        [
          { kind: "404-gateway", operation: "listAlerts" },
          { kind: "404-gateway", operation: "getAlert" },
        ],
        0,
        /drift cannot be detected/,
      ],
      ["endpoint", [{ kind: "401", operation: "getQueryEndpoint" }], "failure", /answered 401/],
    ];
    const resources = async () => (await fixture.exportState({ showSecrets: true })).deployment.resources;
    for (const [name, faults, code, says] of cells) {
      const before = (await resources())?.map(({ id, inputs, outputs }) => ({ id, inputs, outputs }));
      const refreshed = () => fixture.refresh({ expect: code, args: ["--target", `**::${name}`] });
      expect(await during(fixture, faults, refreshed)).to.match(says);
      const after = (await resources())?.map(({ id, inputs, outputs }) => ({ id, inputs, outputs }));
      expect(after).to.deep.equal(before);
    }
    await settle();
  });

  it("after updates of five resources failed, each with another fault, the next update completes the stack", async () => {
    const faults: Fault[] = [
      { kind: "reset-during", operation: "updateAlert" },
      { kind: "other-id", operation: "updateDashboard" },
      { kind: "429-date", seconds: 1, operation: "updateKey", nth: 1 },
      { kind: "redirect", operation: "putQueryEndpoint" },
      { kind: "gzip-bomb", operation: "updateScaling" },
    ];
    await during(fixture, faults, () => fixture.apply(program(2), failing));
    await settle();
  });

  it("a failed deletion keeps its object in the state, and the next destroy completes it", async () => {
    const faults: Fault[] = [
      { kind: "404-gateway", operation: "deleteAlert" },
      { kind: "404-gateway", operation: "listAlerts" },
      { kind: "404-gateway", operation: "getAlert" },
      { kind: "500", when: "after", operation: "deleteKey" },
      { kind: "reset", operation: "deleteDashboard" },
      { kind: "503", seconds: 0, operation: "deleteQueryEndpoint", nth: 1 },
    ];
    await during(fixture, faults, () => fixture.destroy(failing));
    // The service has deleted the API key although it answered 500. The provider believes that an object is gone only if it is
    // older than three minutes, so the test sets the clock ahead.
    fixture.pass(200_000);
    await fixture.destroy();
    const { store, credentials } = fixture.sandbox;
    expect(store.services.get(credentials.serviceId)).to.include({ numReplicas: 3 });
  });
});

describe("A server whose certificate does not match its address", () => {
  const fixture = useFixture({ sandbox: { tls: true }, judged: true });

  it("an update whose server shows another host's certificate sends no request, and its error names the certificate", async () => {
    const authority = join(fixture.folder, "ca.pem");
    await writeFile(authority, fixture.sandbox.certificate ?? "");
    fixture.environment.NODE_EXTRA_CA_CERTS = authority;
    const applied = () => fixture.apply(program(1), { expect: "failure" });
    const output = await during(fixture, [{ kind: "certificate", operation: "*" }], applied);
    expect(output).to.match(/cannot be reached \(ERR_TLS_CERT_ALTNAME_INVALID\); check the address/);
    expect(fixture.sandbox.requests).to.deep.equal([]);
    await fixture.up();
    await fixture.destroy();
  });
});
