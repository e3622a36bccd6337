import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import type { Fault, OperationName } from "../../sandbox/index";
import { expectNoSecrets, type Fixture, useFixture } from "./fixture";
import { hostUnlessTold } from "./pluginHost";

/** The five resources, none of which depends on another; `version` changes each of them in place. */
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

type Store = Fixture["sandbox"]["store"];

const seededKeys = 1;

/** How much there is of each kind beside what the sandbox comes with. */
const counts = (store: Store) => ({
  keys: store.keys.size - seededKeys,
  endpoints: store.queryEndpoints.size,
  dashboards: store.dashboards.size,
  alerts: store.alerts.size,
});
const one = { keys: 1, endpoints: 1, dashboards: 1, alerts: 1 };
const none = { keys: 0, endpoints: 0, dashboards: 0, alerts: 0 };

/** What a program of a version declares, as the sandbox has it. */
function expectDeclared({ store, credentials }: Fixture["sandbox"], version: number): void {
  expect(counts(store)).to.deep.equal(one);
  expect(store.services.get(credentials.serviceId)).to.include({ numReplicas: 3 + version });
  const key = [...store.keys.values()].at(-1);
  expect(key).to.deep.include({ name: "reporting", roles: [version === 1 ? "developer" : "admin"] });
  const [endpoint] = store.queryEndpoints.values();
  expect(endpoint).to.include({ allowedOrigins: `https://v${version}.example.com` });
  expect([...store.dashboards.values()][0]).to.include({ name: `Board ${version}` });
  expect([...store.alerts.values()][0]).to.include({ threshold: version });
}

/** Fails if an error is shown with the code behind it. The engine shows that of its own errors, since it went on. */
function expectPlainErrors(output: string): void {
  expect(output)
    .to.not.match(/^\s+at .*[\\/]dist[\\/]/m)
    .and.not.include("[object ");
}

describe("faults, through the engine", () => {
  const fixture = useFixture({ host: hostUnlessTold("plugin") });
  const ids = async () => {
    const { deployment } = await fixture.exportState();
    const held = (deployment.resources ?? []).filter(({ type }) =>
      /^(?!pulumi:providers:).*pipestack/.test(type),
    );
    return Object.fromEntries(held.map(({ urn, id }) => [urn.split("::").at(-1) ?? "", id]));
  };
  /** Which faults have happened, by the journal. */
  const happened = () =>
    fixture.sandbox.requests.flatMap(({ fault, operation }) => (fault ? [`${operation} ${fault}`] : []));
  const set = async (...faults: Fault[]) => {
    fixture.sandbox.requests.length = 0;
    await fixture.sandbox.faults.set(faults);
  };

  before(() => {
    fixture.environment.PIPESTACK_MAX_RETRIES = "1";
  });
  afterEach(() => fixture.sandbox.faults.clear());

  describe("with a closed port", () => {
    it("the error says so, and nothing is made", async () => {
      await set({ kind: "refused", operation: "*" });
      const { output } = await fixture.apply(program(1), {
        expect: "failure",
        args: ["--continue-on-error"],
      });
      expect(output).to.match(/cannot be reached \(ECONNREFUSED\); check the address and the network/);
      expectPlainErrors(output);
      await fixture.sandbox.faults.clear();
      expect(counts(fixture.sandbox.store)).to.deep.equal(none);
      expect(await ids()).to.deep.equal({});
    });
  });

  describe("creating", () => {
    let applied = "";

    before(async () => {
      await set(
        { kind: "500", when: "after", operation: "createDashboard" },
        { kind: "empty-object", operation: "createAlert" },
        { kind: "reset", when: "after", operation: "createKey", nth: 1 },
        { kind: "502", operation: "putQueryEndpoint" },
        { kind: "cut-short", operation: "updateScaling" },
      );
      const { output } = await fixture.apply(program(1), {
        expect: "failure",
        args: ["--continue-on-error"],
      });
      applied = output;
      expect(output).to.match(/Bad Gateway \(putQueryEndpoint: POST .* answered 502\)/);
      expectPlainErrors(output);
    });

    it("a create answered by 500 after it was carried out is not repeated, and the object is in state", async () => {
      expect(happened().filter((line) => line.startsWith("createDashboard"))).to.deep.equal([
        "createDashboard 500",
      ]);
      expect(fixture.sandbox.store.dashboards.size).to.equal(1);
      expect((await ids()).board).to.equal([...fixture.sandbox.store.dashboards.keys()][0]);
    });

    it("an answer {} is not taken for an object: no request goes to an empty id", async () => {
      expect(happened()).to.include("createAlert empty-object");
      const paths = fixture.sandbox.requests.map(({ path }) => path);
      expect(paths.filter((path) => /\/$|\/(undefined|null)?$/.test(path))).to.deep.equal([]);
      const [alert] = fixture.sandbox.store.alerts.values();
      expect((await ids()).alert).to.equal(alert?.id);
      expect(await fixture.outputsOf("alert")).to.include({ name: "Slow", threshold: 1 });
    });

    it("a key whose secret was lost is named, for its owner to delete, and not taken", async () => {
      expect(happened()).to.include("createKey reset");
      const { keys } = fixture.sandbox.store;
      expect(counts(fixture.sandbox.store).keys).to.equal(1);
      const [lost = ""] = [...keys.keys()].slice(-1);
      expect(applied).to.match(new RegExp(`since its keySecret is lost: .*${lost}`));
      expect(await ids()).to.not.have.property("key");
      keys.delete(lost);
    });

    it("the next up creates what failed, and nothing twice", async () => {
      await fixture.sandbox.faults.clear();
      const { summary } = await fixture.up();
      expect(summary).to.include({ create: 2, same: 3 });
      expectDeclared(fixture.sandbox, 1);
      const { keySecret } = await fixture.outputsOf("key");
      expect(keySecret).to.match(/^\w{40}$/);
      await expectNoSecrets(fixture, keySecret);
    });
  });

  describe("refreshing", () => {
    const cells: [string, Fault["kind"], OperationName[], { expect: 0 | "failure"; says: RegExp }][] = [
      ["alert", "404-gateway", ["listAlerts", "getAlert"], { expect: 0, says: /drift cannot be detected/ }],
      ["endpoint", "401", ["getQueryEndpoint"], { expect: "failure", says: /answered 401/ }],
    ];
    const heldResources = async () => {
      const { deployment } = await fixture.exportState({ showSecrets: true });
      return deployment.resources?.map(({ id, urn, inputs, outputs }) => ({ id, urn, inputs, outputs }));
    };
    for (const [name, kind, operations, { expect: code, says }] of cells) {
      it(`${operations.join(" and ")} answered by ${kind}: the state is kept`, async () => {
        const before = await heldResources();
        await set(...operations.map((operation): Fault => ({ kind, operation })));
        const { output } = await fixture.refresh({ expect: code, args: ["--target", `**::${name}`] });
        expect(output).to.match(says);
        expect(happened()).to.include.members(operations.map((operation) => `${operation} ${kind}`));
        expectPlainErrors(output);
        expect(await heldResources()).to.deep.equal(before);
      });
    }

    it("the next up with a refresh changes nothing: a gateway's 404 makes no second object", async () => {
      fixture.sandbox.requests.length = 0;
      const { summary } = await fixture.up({ args: ["--refresh"] });
      expect(summary).to.include({ same: 5 });
      expect(fixture.sandbox.requests.filter(({ method }) => method !== "GET")).to.deep.equal([]);
      expectDeclared(fixture.sandbox, 1);
    });
  });

  describe("updating", () => {
    it("the next up makes the changes that failed, and no object gets another id", async () => {
      const before = await ids();
      await set(
        { kind: "reset-during", operation: "updateAlert" },
        { kind: "other-id", operation: "updateDashboard" },
        { kind: "429-date", seconds: 1, operation: "updateKey", nth: 1 },
        { kind: "redirect", operation: "putQueryEndpoint" },
        { kind: "gzip-bomb", operation: "updateScaling" },
      );
      const { output } = await fixture.apply(program(2), {
        expect: "failure",
        args: ["--continue-on-error"],
      });
      expect(happened()).to.include.members([
        "updateAlert reset-during",
        "updateDashboard other-id",
        "updateKey 429-date",
        "putQueryEndpoint redirect",
        "updateScaling gzip-bomb",
      ]);
      expectPlainErrors(output);
      await fixture.sandbox.faults.clear();
      await fixture.up();
      expectDeclared(fixture.sandbox, 2);
      expect(await ids()).to.deep.equal(before);
    });
  });

  describe("destroying", () => {
    it("what could not be deleted stays in the state, and the next destroy deletes it", async () => {
      await set(
        { kind: "404-gateway", operation: "deleteAlert" },
        { kind: "404-gateway", operation: "listAlerts" },
        { kind: "404-gateway", operation: "getAlert" },
        { kind: "500", when: "after", operation: "deleteKey" },
        { kind: "reset", operation: "deleteDashboard" },
        { kind: "503", seconds: 0, operation: "deleteQueryEndpoint", nth: 1 },
      );
      const { output } = await fixture.destroy({ expect: "failure", args: ["--continue-on-error"] });
      expect(happened()).to.include.members([
        "deleteAlert 404-gateway",
        "deleteKey 500",
        "deleteDashboard reset",
        "deleteQueryEndpoint 503",
      ]);
      expectPlainErrors(output);
      expect(await ids()).to.include.keys("alert", "board");
      expect(counts(fixture.sandbox.store)).to.include({ alerts: 1, dashboards: 1 });
      await fixture.sandbox.faults.clear();
      // The key is gone: its first deletion was carried out.
      fixture.pass(200_000);
      await fixture.destroy();
      expect(counts(fixture.sandbox.store)).to.deep.equal(none);
      const { store, credentials } = fixture.sandbox;
      expect(store.services.get(credentials.serviceId)).to.include({ numReplicas: 3 });
      expect(await ids()).to.deep.equal({});
    });
  });
});

describe("a certificate that does not match, through the engine", () => {
  const fixture = useFixture({ sandbox: { tls: true } });

  it("the error says so, nothing is sent, and the next up makes everything", async () => {
    const authority = join(fixture.folder, "ca.pem");
    await writeFile(authority, fixture.sandbox.certificate ?? "");
    fixture.environment.NODE_EXTRA_CA_CERTS = authority;
    await fixture.sandbox.faults.set([{ kind: "certificate", operation: "*" }]);
    const { output } = await fixture.apply(program(1), { expect: "failure" });
    expect(output).to.match(/cannot be reached \(ERR_TLS_CERT_ALTNAME_INVALID\); check the address/);
    expectPlainErrors(output);
    expect(fixture.sandbox.requests).to.deep.equal([]);
    await fixture.sandbox.faults.clear();
    await fixture.up();
    expectDeclared(fixture.sandbox, 1);
    await fixture.destroy();
  });
});
